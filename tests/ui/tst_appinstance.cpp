// SPDX-License-Identifier: MIT
#include "appinstance.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QLocalSocket>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;

class TestAppInstance final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSecondHandsItsPageOver();
    void anOldLockIsStillHeld();
    void whatACrashLeftIsTakenOver();
    void aFolderThatIsMissingFails();
    void aFirstThatIsDeafIsSaid();
    void strangersCannotHurt();
    void twoProcesses();
};

namespace {

QString word(const char *text) { return QString::fromLatin1(text); }

} // namespace

void TestAppInstance::theSecondHandsItsPageOver()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(word("tray.sock"));
    AppInstance first(path);
    QCOMPARE(first.claim(), AppInstance::Claim::First);
    AppInstance second(path);
    QCOMPARE(second.claim(), AppInstance::Claim::Second);
    QSignalSpy wanted(&first, &AppInstance::wanted);
    QSignalSpy told(&second, &AppInstance::told);
    second.tellFirst(word("doctor"));
    QTRY_COMPARE(told.count(), 1);
    QVERIFY(told.first().first().toBool());
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.first().first().toString(), word("doctor"));
    second.tellFirst({});
    QTRY_COMPARE(wanted.count(), 2);
    QVERIFY(wanted.last().first().toString().isEmpty());
}

/// A program that runs for days is not taken for a dead one.
void TestAppInstance::anOldLockIsStillHeld()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(word("tray.sock"));
    AppInstance first(path);
    QCOMPARE(first.claim(), AppInstance::Claim::First);
    QFile lock(path + word(".lock"));
    QVERIFY(lock.open(QIODevice::ReadWrite));
    QVERIFY(lock.setFileTime(QDateTime::currentDateTime().addDays(-3), QFileDevice::FileModificationTime));
    lock.close();
    AppInstance second(path);
    QCOMPARE(second.claim(), AppInstance::Claim::Second);
}

void TestAppInstance::whatACrashLeftIsTakenOver()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(word("tray.sock"));
    QFile left(path);
    QVERIFY(left.open(QIODevice::WriteOnly));
    left.close();
    AppInstance first(path);
    QCOMPARE(first.claim(), AppInstance::Claim::First);
}

void TestAppInstance::aFolderThatIsMissingFails()
{
    AppInstance lonely(word("/nowhere/at/all/tray.sock"));
    QCOMPARE(lonely.claim(), AppInstance::Claim::Failed);
}

void TestAppInstance::aFirstThatIsDeafIsSaid()
{
    QTemporaryDir folder;
    AppInstance second(folder.filePath(word("tray.sock"))); // nobody listens there
    QSignalSpy told(&second, &AppInstance::told);
    second.tellFirst(word("doctor"));
    QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 20'000);
    QVERIFY(!told.first().first().toBool());
}

void TestAppInstance::strangersCannotHurt()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(word("tray.sock"));
    AppInstance first(path);
    QCOMPARE(first.claim(), AppInstance::Claim::First);
    QSignalSpy wanted(&first, &AppInstance::wanted);
    QLocalSocket silent;
    silent.connectToServer(path);
    QLocalSocket chatty;
    chatty.connectToServer(path);
    QVERIFY(chatty.waitForConnected());
    chatty.write(QByteArray(100'000, 'x'));
    QTRY_COMPARE(wanted.count(), 1);
    QVERIFY(wanted.first().first().toString().size() <= 100);
    QTRY_COMPARE(chatty.state(), QLocalSocket::UnconnectedState);
}

/// The program itself, twice, without a tray: the second ends, the first goes on.
void TestAppInstance::twoProcesses()
{
    const QString program = qEnvironmentVariable("KV_PERSIST_TEST_BIN") + word("/kv-persist-tray");
    QTemporaryDir home;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(word("XDG_RUNTIME_DIR"), home.path());
    environment.insert(word("XDG_CONFIG_HOME"), home.path());
    const QStringList arguments { word("--socket"), home.filePath(word("none.sock")) };
    // Where the daemon would be started, there is none to be found.
    environment.insert(word("PATH"), home.path());
    QTemporaryDir bin;
    const QString alone = bin.filePath(word("kv-persist-tray"));
    QVERIFY(QFile::copy(program, alone));
    QProcess first;
    first.setProcessEnvironment(environment);
    first.start(alone, arguments);
    QVERIFY(first.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(home.filePath(word("kv-persist/tray.sock"))), 20'000);
    QProcess second;
    second.setProcessEnvironment(environment);
    second.start(alone, { word("--page"), word("overview") });
    QVERIFY(second.waitForFinished());
    QCOMPARE(second.exitStatus(), QProcess::NormalExit);
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(first.state(), QProcess::Running);
    first.kill();
    QVERIFY(first.waitForFinished());
    // The lock of the dead does not hold up the next.
    QProcess third;
    third.setProcessEnvironment(environment);
    third.start(alone, arguments);
    QVERIFY(third.waitForStarted());
    QVERIFY(!third.waitForFinished(1000));
    third.kill();
    third.waitForFinished();
}

QTEST_GUILESS_MAIN(TestAppInstance)
#include "tst_appinstance.moc"
