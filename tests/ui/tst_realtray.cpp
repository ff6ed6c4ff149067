// SPDX-License-Identifier: MIT
#include "fakellamaserver.h"
#include "realdaemon.h"
#include "rpcclient.h"

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
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
    std::unique_ptr<QProcess> launch(const QString &program, const QStringList &arguments);
    QString output(const QString &program, const QStringList &arguments);
    /// Ids of visible windows of this name; the icon's is a window too.
    QStringList windows(const QString &name);
    QRect iconPlace();
    QImage picture(const QString &name);
    QImage iconPicture(const QString &name) { return picture(name).copy(iconPlace()); }

    QTemporaryDir m_home;
    QProcessEnvironment m_environment;
    FakeLlamaServer m_server;
    RealDaemon m_daemon;
    std::unique_ptr<QProcess> m_display;
    std::unique_ptr<QProcess> m_manager;
    std::unique_ptr<QProcess> m_panel;
    std::unique_ptr<QProcess> m_tray;
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

} // namespace

std::unique_ptr<QProcess> TestRealTray::launch(const QString &program, const QStringList &arguments)
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process->start(program, arguments);
    return process->waitForStarted() ? std::move(process) : nullptr;
}

QString TestRealTray::output(const QString &program, const QStringList &arguments)
{
    const std::unique_ptr<QProcess> process = launch(program, arguments);
    return process && process->waitForFinished() ? QString::fromUtf8(process->readAllStandardOutput())
                                                 : QString();
}

QStringList TestRealTray::windows(const QString &name)
{
    return output(word("xdotool"), { word("search"), word("--onlyvisible"), word("--name"), name })
        .split(u'\n', Qt::SkipEmptyParts);
}

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

QImage TestRealTray::picture(const QString &name)
{
    const QDir folder(qEnvironmentVariable("KV_PERSIST_TEST_BIN") + word("/../screenshots"));
    const QString path = folder.filePath(word("realtray-%1.png").arg(name));
    QDir().mkpath(folder.path());
    output(word("import"), { word("-window"), word("root"), path });
    return QImage(path);
}

void TestRealTray::initTestCase()
{
    for (const char *program : { "Xvfb", "openbox", "trayer", "xdotool", "import" }) {
        if (QStandardPaths::findExecutable(word(program)).isEmpty()) {
            QSKIP(
                qPrintable(word("%1 is not installed (packaging/install-deps.sh test)").arg(word(program))));
        }
    }
    QVERIFY(m_server.start());
    m_daemon.setConfig("servers:\n  workstation: { baseURL: '" + m_server.url().toEncoded()
        + "' }\nproviders: { local: workstation }\nmetadata: { path: '${METADATA}' }\n");
    QVERIFY2(m_daemon.start(), qPrintable(m_daemon.log()));

    m_environment = QProcessEnvironment::systemEnvironment();
    m_environment.insert(word("XDG_CONFIG_HOME"), m_home.filePath(word("config")));
    m_environment.insert(word("XDG_RUNTIME_DIR"), m_home.path());
    m_environment.insert(word("DBUS_SESSION_BUS_ADDRESS"), word("disabled:")); // so that the tray is XEmbed
    m_environment.insert(word("QT_QPA_PLATFORM"), word("xcb"));
    m_display = launch(
        word("Xvfb"), { word("-displayfd"), word("1"), word("-screen"), word("0"), word("1280x800x24") });
    QVERIFY(m_display);
    QVERIFY(m_display->waitForReadyRead());
    m_environment.insert(
        word("DISPLAY"), u':' + QString::fromLatin1(m_display->readAllStandardOutput()).trimmed());
    m_manager = launch(word("openbox"), {});
    m_panel = launch(word("trayer"),
        { word("--edge"), word("bottom"), word("--width"), word("20"), word("--height"), word("32") });
    QVERIFY(m_manager && m_panel);
    QTRY_VERIFY_WITH_TIMEOUT(
        !output(word("xdotool"), { word("search"), word("--class"), word("trayer") }).isEmpty(), 20'000);
    m_tray = launch(builtProgram(word("kv-persist-tray")), { word("--socket"), m_daemon.socketPath() });
    QVERIFY(m_tray);
}

void TestRealTray::cleanupTestCase()
{
    for (auto *process : { &m_tray, &m_panel, &m_manager, &m_display }) {
        if (*process) {
            (*process)->terminate();
            (*process)->waitForFinished();
            process->reset();
        }
    }
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
    output(word("xdotool"), { word("key"), word("alt+F4") });
    QTRY_VERIFY_WITH_TIMEOUT(windows(word("^kv-persist$")).isEmpty(), 10'000);
    QCOMPARE(m_tray->state(), QProcess::Running);
}

void TestRealTray::aSecondStartRaisesTheFirst()
{
    const std::unique_ptr<QProcess> second
        = launch(builtProgram(word("kv-persist-tray")), { word("--page"), word("overview") });
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
