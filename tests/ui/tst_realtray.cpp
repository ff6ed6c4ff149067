// SPDX-License-Identifier: MIT
#include "fakellamaserver.h"
#include "realdaemon.h"
#include "realdesktop.h"
#include "rpcclient.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kv::test;

/// The program in a real tray (trayer, XEmbed) of a real desktop without a monitor, against the real daemon.
/// Pictures are kept in `screenshots/` of the build.
class TestRealTray final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void theIconIsInTheTrayAndNoWindowIs();
    void theIconFollowsTheDaemon();
    void aClickOpensTheWindow();
    void aSecondStartRaisesTheFirst();
    void theDaemonGoesAndComes();

private:
    QString output(const QString &program, const QStringList &arguments)
    {
        return m_desktop.output(program, arguments);
    }
    /// Of the program's window; the icon's is a window too.
    QStringList windows(const QString &name) { return m_desktop.windows(name); }
    QRect iconPlace();
    QImage picture(const QString &name) { return m_desktop.picture(QStringLiteral("realtray-") + name); }
    QImage iconPicture(const QString &name) { return picture(name).copy(iconPlace()); }

    QTemporaryDir m_home;
    FakeLlamaServer m_server;
    RealDaemon m_daemon;
    RealDesktop m_desktop;
    std::unique_ptr<QProcess> m_panel;
    std::unique_ptr<QProcess> m_tray;
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

} // namespace

/// The panel is as wide as what is in it; with no icon it shows nothing of the program's class.
QRect TestRealTray::iconPlace()
{
    const QStringList ids = output(
        word("xdotool"), { word("search"), word("--onlyvisible"), word("--class"), word("kv-persist-tray") })
                                .split(u'\n', Qt::SkipEmptyParts);
    for (const QString &id : ids) {
        const QString text = output(word("xdotool"), { word("getwindowgeometry"), word("--shell"), id });
        static const QRegularExpression numbers(
            word("X=(-?\\d+)\\nY=(-?\\d+)\\nWIDTH=(\\d+)\\nHEIGHT=(\\d+)"));
        const QRegularExpressionMatch found = numbers.match(text);
        const QRect place(found.captured(1).toInt(), found.captured(2).toInt(), found.captured(3).toInt(),
            found.captured(4).toInt());
        if (place.width() >= 16 && place.width() <= 64 && place.height() <= 64) {
            return place;
        }
    }
    return {};
}

void TestRealTray::initTestCase()
{
    if (const QString missing = RealDesktop::missing({ word("trayer") }); !missing.isEmpty()) {
        QSKIP(qPrintable(missing));
    }
    QVERIFY(m_server.start());
    m_daemon.setConfig("servers:\n  workstation: { baseURL: '" + m_server.url().toEncoded()
        + "' }\nproviders: { local: workstation }\nmetadata: { path: '${METADATA}' }\n");
    QVERIFY2(m_daemon.start(), qPrintable(m_daemon.log()));

    QProcessEnvironment &environment = m_desktop.environment();
    environment.insert(word("XDG_CONFIG_HOME"), m_home.filePath(word("config")));
    environment.insert(word("XDG_RUNTIME_DIR"), m_home.path());
    environment.insert(word("DBUS_SESSION_BUS_ADDRESS"), word("disabled:")); // so that the tray is XEmbed
    QVERIFY(m_desktop.start());
    m_panel = m_desktop.launch(word("trayer"),
        { word("--edge"), word("bottom"), word("--width"), word("20"), word("--height"), word("32") });
    QVERIFY(m_panel);
    QTRY_VERIFY_WITH_TIMEOUT(
        !output(word("xdotool"), { word("search"), word("--class"), word("trayer") }).isEmpty(), 20'000);
    m_tray = m_desktop.launch(
        builtProgram(word("kv-persist-tray")), { word("--socket"), m_daemon.socketPath() });
    QVERIFY(m_tray);
}

void TestRealTray::cleanupTestCase()
{
    RealDesktop::end(m_tray);
    RealDesktop::end(m_panel);
}

void TestRealTray::theIconIsInTheTrayAndNoWindowIs()
{
    QTRY_VERIFY_WITH_TIMEOUT(iconPlace().isValid(), 20'000);
    QVERIFY(iconPlace().bottom() > 700); // in the panel at the lower edge
    QVERIFY(windows(word("^kv-persist$")).isEmpty());
    const QImage icon = iconPicture(word("icon"));
    QVERIFY(!icon.isNull());
}

void TestRealTray::theIconFollowsTheDaemon()
{
    QImage before;
    QTRY_VERIFY_WITH_TIMEOUT((before = iconPicture(word("warm")), !before.isNull()), 10'000);
    RpcClient client;
    QVERIFY(client.connectTo(m_daemon.socketPath()));
    QVERIFY(client.call(word("kv.pause")).ok());
    QTRY_VERIFY_WITH_TIMEOUT(iconPicture(word("paused")) != before, 10'000);
    QVERIFY(client.call(word("kv.resume")).ok());
    QTRY_VERIFY_WITH_TIMEOUT(iconPicture(word("resumed")) == before, 10'000);
}

void TestRealTray::aClickOpensTheWindow()
{
    const QPoint middle = iconPlace().center();
    output(word("xdotool"), { word("mousemove"), QString::number(middle.x()), QString::number(middle.y()) });
    output(word("xdotool"), { word("click"), word("1") });
    QTRY_COMPARE_WITH_TIMEOUT(windows(word("^kv-persist$")).size(), 1, 10'000);
    QVERIFY(!picture(word("window")).isNull());
    output(word("xdotool"), { word("click"), word("3") }); // its menu
    QVERIFY(!picture(word("menu")).isNull());
    output(word("xdotool"), { word("key"), word("Escape") });
    const auto isClosed = [this] { // a key that comes while the window manager is busy may be lost
        output(word("xdotool"), { word("key"), word("alt+F4") });
        return windows(word("^kv-persist$")).isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(isClosed(), 10'000);
    QCOMPARE(m_tray->state(), QProcess::Running);
}

void TestRealTray::aSecondStartRaisesTheFirst()
{
    const std::unique_ptr<QProcess> second
        = m_desktop.launch(builtProgram(word("kv-persist-tray")), { word("--page"), word("overview") });
    QVERIFY(second && second->waitForFinished());
    QCOMPARE(second->exitCode(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(windows(word("^kv-persist$")).size(), 1, 10'000);
}

void TestRealTray::theDaemonGoesAndComes()
{
    const QImage before = iconPicture(word("there"));
    m_daemon.kill();
    QTRY_VERIFY_WITH_TIMEOUT(iconPicture(word("away")) != before, 10'000);
    QVERIFY(m_daemon.start());
    QTRY_VERIFY_WITH_TIMEOUT(iconPicture(word("back")) == before, 20'000);
}

QTEST_GUILESS_MAIN(TestRealTray)
#include "tst_realtray.moc"
