// SPDX-License-Identifier: MIT
#include "instancelock.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

using kv::InstanceLock;

namespace {

/// A process of its own that takes the lock and waits for its end. Returns its pid; −1: it did not get the
/// lock.
pid_t startHolder(const QString &socket)
{
    std::array<int, 2> pipe {};
    if (::pipe(pipe.data()) != 0) {
        return -1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        InstanceLock lock(socket);
        const char answer = lock.take().state == InstanceLock::State::Taken ? 'y' : 'n';
        if (::write(pipe[1], &answer, 1) != 1 || answer != 'y') {
            ::_exit(1);
        }
        for (;;) {
            ::pause();
        }
    }
    char answer = 'n';
    const bool told = ::read(pipe[0], &answer, 1) == 1;
    ::close(pipe[0]);
    ::close(pipe[1]);
    return told && answer == 'y' ? child : -1;
}

void makeOld(const QString &path)
{
    const time_t past = ::time(nullptr) - 3600;
    const utimbuf times { past, past };
    QCOMPARE(::utime(QFile::encodeName(path).constData(), &times), 0);
}

} // namespace

class TestInstanceLock final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstTakesIt()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        InstanceLock lock(socket);
        QCOMPARE(lock.take().state, InstanceLock::State::Taken);
        QVERIFY(QFile::exists(socket + QStringLiteral(".lock")));
    }

    void theSecondIsToldWhoHoldsIt()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        const pid_t holder = startHolder(socket);
        QVERIFY(holder > 0);
        InstanceLock second(socket);
        const InstanceLock::Attempt attempt = second.take();
        ::kill(holder, SIGKILL);
        ::waitpid(holder, nullptr, 0);
        QCOMPARE(attempt.state, InstanceLock::State::HeldByOther);
        QCOMPARE(attempt.pid, static_cast<qint64>(holder));
        QCOMPARE(attempt.host, QSysInfo::machineHostName());
        QVERIFY(attempt.message.contains(QString::number(holder)));
        QVERIFY(attempt.message.contains(QSysInfo::machineHostName()));
    }

    void anOldLockOfALivingProcessStaysItsOwn()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        const pid_t holder = startHolder(socket);
        QVERIFY(holder > 0);
        makeOld(socket + QStringLiteral(".lock"));
        InstanceLock second(socket);
        const InstanceLock::Attempt attempt = second.take();
        ::kill(holder, SIGKILL);
        ::waitpid(holder, nullptr, 0);
        QCOMPARE(attempt.state, InstanceLock::State::HeldByOther);
    }

    void theLockOfADeadProcessIsTakenOver()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        const pid_t holder = startHolder(socket);
        QVERIFY(holder > 0);
        ::kill(holder, SIGKILL);
        ::waitpid(holder, nullptr, 0);
        QVERIFY(QFile::exists(socket + QStringLiteral(".lock")));
        InstanceLock next(socket);
        QCOMPARE(next.take().state, InstanceLock::State::Taken);
    }

    /// A power cut may leave the file empty, or with the pid of a process that is another one now.
    void anAbandonedFileIsTakenOver_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("noise") << QByteArray("\x01\xff\n\n", 4);
        QTest::newRow("pid of this very process") << QByteArray::number(QCoreApplication::applicationPid())
                + '\n' + QCoreApplication::applicationName().toUtf8() + '\n'
                + QSysInfo::machineHostName().toUtf8() + '\n' + QSysInfo::machineUniqueId() + '\n'
                + QSysInfo::bootUniqueId() + '\n';
    }
    void anAbandonedFileIsTakenOver()
    {
        QFETCH(QByteArray, content);
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        QFile file(socket + QStringLiteral(".lock"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        makeOld(file.fileName());
        InstanceLock lock(socket);
        QCOMPARE(lock.take().state, InstanceLock::State::Taken);
    }

    void anEmptyFileThatSomebodyHasLockedIsNotTaken()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        const QByteArray name = QFile::encodeName(socket + QStringLiteral(".lock"));
        const int fd = ::open(name.constData(), O_RDWR | O_CREAT, 0600);
        QVERIFY(fd >= 0);
        QCOMPARE(::flock(fd, LOCK_EX), 0);
        makeOld(QFile::decodeName(name));
        InstanceLock lock(socket);
        const InstanceLock::Attempt attempt = lock.take();
        ::close(fd);
        QCOMPARE(attempt.state, InstanceLock::State::HeldByOther);
        QVERIFY(attempt.message.contains(QFile::decodeName(name)));
    }

    void aFolderThatIsMissingIsSaidSo()
    {
        const QTemporaryDir dir;
        InstanceLock lock(dir.filePath(QStringLiteral("no/such/api.sock")));
        const InstanceLock::Attempt attempt = lock.take();
        QCOMPARE(attempt.state, InstanceLock::State::Failed);
        QVERIFY(attempt.message.contains(dir.path()));
    }

    void theDestructorGivesItBack()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        {
            InstanceLock lock(socket);
            QCOMPARE(lock.take().state, InstanceLock::State::Taken);
        }
        QVERIFY(!QFile::exists(socket + QStringLiteral(".lock")));
    }

    /// One hundred racing processes over the lock of a dead one: exactly one holds it while all others try.
    void ofAHundredExactlyOneWins()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("api.sock"));
        const pid_t dead = startHolder(socket);
        QVERIFY(dead > 0);
        ::kill(dead, SIGKILL);
        ::waitpid(dead, nullptr, 0);

        std::array<int, 2> go {};
        std::array<int, 2> verdicts {};
        QCOMPARE(::pipe(go.data()), 0);
        QCOMPARE(::pipe(verdicts.data()), 0);
        QList<pid_t> children;
        for (int i = 0; i < 100; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                ::close(go[1]);
                char c = 0;
                ssize_t ignored
                    = ::read(go[0], &c, 1); // returns when the parent closes its end: all start at once
                InstanceLock lock(socket);
                const InstanceLock::State state = lock.take().state;
                c = state == InstanceLock::State::Taken         ? 'y'
                    : state == InstanceLock::State::HeldByOther ? 'n'
                                                                : '?';
                ignored = ::write(verdicts[1], &c, 1);
                Q_UNUSED(ignored)
                for (;;) {
                    ::pause(); // the winner keeps it until all have tried
                }
            }
            children.append(child);
        }
        ::close(go[0]);
        ::close(go[1]);
        QByteArray answers;
        while (answers.size() < 100) {
            char c = 0;
            if (::read(verdicts[0], &c, 1) != 1) {
                break;
            }
            answers.append(c);
        }
        for (const pid_t child : children) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
        QCOMPARE(answers.count('y'), 1);
        QCOMPARE(answers.count('n'), 99);
    }
};

QTEST_GUILESS_MAIN(TestInstanceLock)
#include "tst_instancelock.moc"
