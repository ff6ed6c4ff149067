// SPDX-License-Identifier: MIT
// The Settings page's presenter against the real daemon, over its socket.
#include "realdaemon.h"
#include "settingspresenter.h"
#include "socketdaemon.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace kv;
using State = SettingsPresenter::State;

class TestSettingsDaemon final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void editsAHandWrittenFile();

private:
    static QString contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
};

void TestSettingsDaemon::editsAHandWrittenFile()
{
    test::RealDaemon daemon;
    daemon.setConfig("# My machine\n"
                     "metadata: { path: \"${METADATA}\" } # near\n"
                     "servers:\n"
                     "  local: { baseURL: http://127.0.0.1:1 } # not there\n"
                     "\n"
                     "providers:\n"
                     "  qwen: local\n"
                     "checkpoint:\n"
                     "  idleMs: 60000 # a minute\n");
    QVERIFY2(daemon.start(), qUtf8Printable(daemon.log()));
    const QString before = contentOf(daemon.configPath());

    SocketDaemon socket(daemon.socketPath());
    socket.open();
    QTRY_COMPARE_WITH_TIMEOUT(socket.link(), Daemon::Link::Connected, 30'000);
    SettingsPresenter settings(socket);
    settings.load();
    QTRY_COMPARE_WITH_TIMEOUT(settings.state(), State::Ready, 30'000);
    QCOMPARE(settings.path(), daemon.configPath());

    // What the daemon refuses stays out of the file, and is shown where it belongs.
    settings.setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("soon"));
    settings.setServerValue(0, QStringLiteral("baseURL"), QStringLiteral("nowhere"));
    settings.apply();
    QTRY_VERIFY_WITH_TIMEOUT(settings.state() == State::Ready, 30'000);
    QVERIFY(settings.problemOf(QStringLiteral("checkpoint.idleMs")).contains(QStringLiteral("soon")));
    QVERIFY(settings.problemOf(QStringLiteral("servers.local.baseURL")).contains(QStringLiteral("nowhere")));
    QCOMPARE(contentOf(daemon.configPath()), before);

    settings.setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("5000"));
    settings.setServerValue(0, QStringLiteral("baseURL"), QStringLiteral("http://127.0.0.1:1"));
    settings.setServerValue(0, QStringLiteral("mode"), QStringLiteral("managed-slots"));
    settings.apply();
    QTRY_VERIFY_WITH_TIMEOUT(!settings.isDirty(), 30'000);
    QString expected = before;
    expected.replace(QStringLiteral("60000 #"), QStringLiteral("5000 #"));
    expected.replace(QStringLiteral(":1 }"), QStringLiteral(":1, mode: managed-slots }"));
    QCOMPARE(contentOf(daemon.configPath()), expected);
    QVERIFY2(
        settings.message().contains(QStringLiteral("servers.local")), qUtf8Printable(settings.message()));

    // Somebody else writes the file between reading and applying.
    QTRY_COMPARE_WITH_TIMEOUT(settings.state(), State::Ready, 30'000);
    QSignalSpy conflict(&settings, &SettingsPresenter::conflictFound);
    settings.setValue(QStringLiteral("coldStart"), QStringLiteral("erase"));
    QFile file(daemon.configPath());
    QVERIFY(file.open(QIODevice::Append));
    file.write("# theirs\n");
    file.close();
    settings.apply();
    QTRY_COMPARE_WITH_TIMEOUT(conflict.count(), 1, 30'000);
    settings.applyToTheirs();
    QTRY_VERIFY_WITH_TIMEOUT(!settings.isDirty(), 30'000);
    QCOMPARE(contentOf(daemon.configPath()), expected + QStringLiteral("# theirs\ncoldStart: erase\n"));
}

QTEST_GUILESS_MAIN(TestSettingsDaemon)
#include "tst_settingsdaemon.moc"
