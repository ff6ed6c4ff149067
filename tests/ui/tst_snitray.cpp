// SPDX-License-Identifier: MIT
#include "fakellamaserver.h"
#include "realdaemon.h"
#include "realdesktop.h"
#include "rpcclient.h"
#include "snihost.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace kv::test;

/// The program in a tray of the D-Bus kind, which KDE Plasma and GNOME's extension have, with a bus of its
/// own.
class TestSniTray final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void itRegistersAndShowsItself();
    void iconAndToolTipFollowTheDaemon();
    void activateRaisesTheWindow();
    void theMenuWorks();
    void aNewPanelGetsItToo();
    void quitEndsIt();

private:
    /// The entry with this label, also of a submenu; nullopt: there is none.
    std::optional<SniHost::MenuEntry> entry(const QString &label);
    [[nodiscard]] QString activeWindow() const
    {
        return m_desktop
            .output(QStringLiteral("xdotool"),
                { QStringLiteral("getactivewindow"), QStringLiteral("getwindowname") })
            .trimmed();
    }
    bool isPaused();

    QTemporaryDir m_home;
    FakeLlamaServer m_server;
    RealDaemon m_daemon;
    RealDesktop m_desktop;
    RpcClient m_client;
    std::unique_ptr<QProcess> m_bus;
    std::unique_ptr<SniHost> m_host;
    std::unique_ptr<QProcess> m_tray;
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

std::optional<SniHost::MenuEntry> find(const SniHost::MenuEntry &in, const QString &label)
{
    if (in.label == label) {
        return in;
    }
    for (const SniHost::MenuEntry &entry : in.entries) {
        if (const std::optional<SniHost::MenuEntry> found = find(entry, label)) {
            return found;
        }
    }
    return std::nullopt;
}

bool isDrawn(const QImage &image)
{
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (qAlpha(image.pixel(x, y)) > 200) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

void TestSniTray::initTestCase()
{
    if (const QString missing = RealDesktop::missing({ word("dbus-daemon") }); !missing.isEmpty()) {
        QSKIP(qPrintable(missing));
    }
    QVERIFY(m_server.start());
    m_daemon.setConfig("servers:\n  workstation: { baseURL: '" + m_server.url().toEncoded()
        + "' }\nproviders: { local: workstation }\nmetadata: { path: '${METADATA}' }\n");
    QVERIFY2(m_daemon.start(), qPrintable(m_daemon.log()));
    QVERIFY(m_client.connectTo(m_daemon.socketPath()));
    QProcessEnvironment &environment = m_desktop.environment();
    environment.insert(word("XDG_CONFIG_HOME"), m_home.filePath(word("config")));
    environment.insert(word("XDG_RUNTIME_DIR"), m_home.path());
    QVERIFY(m_desktop.start());
    m_bus = m_desktop.launch(
        word("dbus-daemon"), { word("--session"), word("--nofork"), word("--print-address") });
    QVERIFY(m_bus && m_bus->waitForReadyRead());
    const QString address = QString::fromLatin1(m_bus->readAllStandardOutput()).trimmed();
    environment.insert(word("DBUS_SESSION_BUS_ADDRESS"), address);
    m_host = std::make_unique<SniHost>(address);
    QVERIFY2(m_host->start(), qPrintable(m_host->problem()));
    m_tray = m_desktop.launch(
        builtProgram(word("kv-persist-tray")), { word("--socket"), m_daemon.socketPath() });
    QVERIFY(m_tray);
    QTRY_COMPARE_WITH_TIMEOUT(m_host->items().size(), 1, 20'000);
}

void TestSniTray::cleanupTestCase()
{
    RealDesktop::end(m_tray);
    m_host.reset();
    RealDesktop::end(m_bus);
}

std::optional<SniHost::MenuEntry> TestSniTray::entry(const QString &label)
{
    const std::optional<SniHost::MenuEntry> menu = m_host->menu();
    return menu ? find(*menu, label) : std::nullopt;
}

bool TestSniTray::isPaused()
{
    return m_client.call(word("kv.status")).result.value(word("paused")).toBool();
}

void TestSniTray::itRegistersAndShowsItself()
{
    QCOMPARE(m_host->property(word("Id")).toString(), word("kv-persist-tray"));
    QVERIFY(m_host->property(word("Status")).toString() != word("Passive")); // which panels hide
    QVERIFY(!m_host->property(word("ItemIsMenu")).toBool()); // a click activates
    const QList<QImage> icons = m_host->pixmaps();
    QVERIFY2(!icons.isEmpty(), qPrintable(m_host->problem()));
    for (const QImage &icon : icons) {
        QVERIFY(icon.width() >= 16 && icon.width() == icon.height());
        QVERIFY(isDrawn(icon));
    }
    QVERIFY(m_desktop.windows(word("^kv-persist$")).isEmpty());
}

void TestSniTray::iconAndToolTipFollowTheDaemon()
{
    QTRY_VERIFY_WITH_TIMEOUT(m_host->toolTip().startsWith(word("Ready")), 10'000);
    const RpcReply begun = m_client.call(word("request.begin"),
        { { word("session"), word("conversation-7") }, { word("provider"), word("local") },
            { word("model"), word("qwen3-8b") }, { word("label"), word("R&D") } });
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    QVERIFY(m_client
                .call(word("request.end"),
                    { { word("lease"), begun.result.value(word("lease")) }, { word("outcome"), word("ok") } })
                .ok());
    QTRY_VERIFY_WITH_TIMEOUT(m_host->toolTip().contains(word("R&D")), 10'000);
    QList<QImage> before;
    QTRY_VERIFY_WITH_TIMEOUT((before = m_host->pixmaps(), !before.isEmpty()), 10'000);
    const QString words = m_host->toolTip();
    m_host->forgetSeen();
    QVERIFY(m_client.call(word("kv.pause")).ok());
    QTRY_VERIFY_WITH_TIMEOUT(m_host->pixmaps() != before, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_host->toolTip() != words, 10'000);
    QVERIFY(m_host->seen().contains(word("NewIcon")) && m_host->seen().contains(word("NewToolTip")));
    QVERIFY(m_client.call(word("kv.resume")).ok());
    QTRY_VERIFY_WITH_TIMEOUT(m_host->pixmaps() == before, 10'000);
}

void TestSniTray::activateRaisesTheWindow()
{
    QVERIFY2(m_host->activate(), qPrintable(m_host->problem()));
    QTRY_COMPARE_WITH_TIMEOUT(m_desktop.windows(word("^kv-persist$")).size(), 1, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(activeWindow(), word("kv-persist"), 10'000);
    QVERIFY(!m_desktop.picture(word("snitray-window")).isNull());
    const auto isClosed = [this] { // a key that comes while the window manager is busy may be lost
        m_desktop.output(word("xdotool"), { word("key"), word("alt+F4") });
        return m_desktop.windows(word("^kv-persist$")).isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isClosed(), 10'000);
    QCOMPARE(m_tray->state(), QProcess::Running);
}

void TestSniTray::theMenuWorks()
{
    const std::optional<SniHost::MenuEntry> save = entry(word("Save now"));
    QVERIFY2(save, qPrintable(m_host->problem()));
    const std::optional<SniHost::MenuEntry> all = m_host->menu();
    QVERIFY2(all, qPrintable(m_host->problem()));
    const QString owner = all->entries.value(1).label;
    QVERIFY2(owner.startsWith(word("R&D,")), qPrintable(owner));
    QCOMPARE(entry(word("Mini monitor")).value_or(SniHost::MenuEntry {}).toggle, word("checkmark"));
    const auto isVisible = [this](const char *label) {
        const std::optional<SniHost::MenuEntry> found = entry(word(label));
        return found && found->visible;
    };
    const std::optional<SniHost::MenuEntry> pause = entry(word("Pause"));
    QVERIFY(pause && isVisible("Pause") && !isVisible("Resume"));
    QCOMPARE(pause->entries.size(), 3);
    QVERIFY(m_host->click(pause->entries.last().id));
    QTRY_VERIFY_WITH_TIMEOUT(isPaused(), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(isVisible("Resume") && !isVisible("Pause"), 10'000);
    const std::optional<SniHost::MenuEntry> resume = entry(word("Resume"));
    QVERIFY(resume && m_host->click(resume->id));
    QTRY_VERIFY_WITH_TIMEOUT(!isPaused(), 10'000);
}

/// As when the desktop's panel is started anew.
void TestSniTray::aNewPanelGetsItToo()
{
    m_host->stop();
    QVERIFY2(m_host->start(), qPrintable(m_host->problem()));
    QTRY_COMPARE_WITH_TIMEOUT(m_host->items().size(), 1, 10'000);
    QVERIFY(!m_host->pixmaps().isEmpty());
}

void TestSniTray::quitEndsIt()
{
    const std::optional<SniHost::MenuEntry> quit = entry(word("Quit"));
    QVERIFY(quit && m_host->click(quit->id));
    QTRY_COMPARE_WITH_TIMEOUT(m_tray->state(), QProcess::NotRunning, 10'000);
    QCOMPARE(m_tray->exitCode(), 0);
    QVERIFY(m_daemon.running()); // it goes on without a tray
}

QTEST_GUILESS_MAIN(TestSniTray)
#include "tst_snitray.moc"
