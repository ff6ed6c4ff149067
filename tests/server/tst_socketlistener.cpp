// SPDX-License-Identifier: MIT
#include "socketfolder.h"
#include "socketlistener.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace kv;

namespace {

unsigned modeOf(const QString &path)
{
    struct stat info = {};
    return ::lstat(QFile::encodeName(path).constData(), &info) == 0 ? info.st_mode & 07777U : 0;
}

SocketPath placeOf(const QString &path, bool ours) { return { path, QFileInfo(path).absolutePath(), ours }; }

void setMode(const QString &path, mode_t mode)
{
    QCOMPARE(::chmod(QFile::encodeName(path).constData(), mode), 0);
}

} // namespace

class TestSocketListener final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ourFolderIsMadeWithItsParents()
    {
        const QTemporaryDir dir;
        const QString socket = dir.filePath(QStringLiteral("run/kv-persist/api.sock"));
        QVERIFY(prepareSocketFolder(placeOf(socket, true)).ok());
        QCOMPARE(modeOf(dir.filePath(QStringLiteral("run/kv-persist"))), 0700U);
    }

    void ourFolderGetsItsRightsBack()
    {
        const QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("kv-persist")));
        const QString folder = dir.filePath(QStringLiteral("kv-persist"));
        setMode(folder, 0777);
        QVERIFY(prepareSocketFolder(placeOf(folder + QStringLiteral("/api.sock"), true)).ok());
        QCOMPARE(modeOf(folder), 0700U);
    }

    void aLinkInThePlaceOfOurFolderIsRefused()
    {
        const QTemporaryDir dir;
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("trap")));
        const QString folder = dir.filePath(QStringLiteral("kv-persist"));
        QVERIFY(QFile::link(dir.filePath(QStringLiteral("trap")), folder));
        const Result<Done> result = prepareSocketFolder(placeOf(folder + QStringLiteral("/api.sock"), true));
        QVERIFY(!result.ok());
        QVERIFY(result.error().message.contains(folder));
    }

    void aNamedFolderIsNotMade()
    {
        const QTemporaryDir dir;
        const QString folder = dir.filePath(QStringLiteral("mine"));
        const Result<Done> result = prepareSocketFolder(placeOf(folder + QStringLiteral("/api.sock"), false));
        QVERIFY(!result.ok());
        QVERIFY(result.error().message.contains(folder));
        QVERIFY(!QFile::exists(folder));
    }

    void aNamedFolderIsNotChmoded_data()
    {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("accepted");
        QTest::newRow("0700") << 0700 << true;
        QTest::newRow("0755") << 0755 << true;
        QTest::newRow("0775, own group") << 0775 << true;
        QTest::newRow("0777") << 0777 << false;
        QTest::newRow("1777") << 01777 << false;
        QTest::newRow("0702") << 0702 << false;
    }
    void aNamedFolderIsNotChmoded()
    {
        QFETCH(int, mode);
        QFETCH(bool, accepted);
        const QTemporaryDir dir;
        setMode(dir.path(), static_cast<mode_t>(mode));
        const Result<Done> result
            = prepareSocketFolder(placeOf(dir.filePath(QStringLiteral("api.sock")), false));
        QCOMPARE(result.ok(), accepted);
        QCOMPARE(modeOf(dir.path()), static_cast<unsigned>(mode));
    }

    void theSocketIsForItsUserAlone()
    {
        const QTemporaryDir dir;
        const mode_t before = ::umask(0);
        SocketListener listener(::geteuid());
        const QString path = dir.filePath(QStringLiteral("api.sock"));
        const bool listening = listener.listen(path).ok();
        ::umask(before);
        QVERIFY(listening);
        QCOMPARE(modeOf(path), 0600U);
    }

    void aConnectionIsAccepted()
    {
        const QTemporaryDir dir;
        SocketListener listener(::geteuid());
        QSignalSpy accepted(&listener, &SocketListener::accepted);
        QVERIFY(listener.listen(dir.filePath(QStringLiteral("api.sock"))).ok());
        QLocalSocket client;
        client.connectToServer(dir.filePath(QStringLiteral("api.sock")));
        QTRY_COMPARE(accepted.size(), 1);
        const int descriptor = accepted.at(0).at(0).toInt();
        QVERIFY((::fcntl(descriptor, F_GETFL) & O_NONBLOCK) != 0);
        QVERIFY((::fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
        ::close(descriptor);
    }

    void anotherUserIsRefused()
    {
        const QTemporaryDir dir;
        SocketListener listener(::geteuid() + 1);
        QSignalSpy accepted(&listener, &SocketListener::accepted);
        QVERIFY(listener.listen(dir.filePath(QStringLiteral("api.sock"))).ok());
        QLocalSocket client;
        QSignalSpy gone(&client, &QLocalSocket::disconnected);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("another user was refused")));
        client.connectToServer(dir.filePath(QStringLiteral("api.sock")));
        QTRY_COMPARE(gone.size(), 1);
        QCOMPARE(accepted.size(), 0);
        QVERIFY(listener.isListening());
    }

    void theLongestPathWorks()
    {
        const QTemporaryDir dir;
        const auto room = c_maxSocketPathBytes - QFile::encodeName(dir.path()).size() - 1;
        SocketListener listener(::geteuid());
        const QString path = dir.filePath(QString(room, u'a'));
        QVERIFY(listener.listen(path).ok());
        QLocalSocket client;
        client.connectToServer(path);
        QVERIFY(client.waitForConnected());
    }

    void aPathTooLongIsSaidSo()
    {
        const QTemporaryDir dir;
        // Bytes count, not characters.
        const auto room = c_maxSocketPathBytes - QFile::encodeName(dir.path()).size() - 1;
        SocketListener listener(::geteuid());
        const Result<Done> result
            = listener.listen(dir.filePath(QString(room - 1, u'a') + QStringLiteral("é")));
        QVERIFY(!result.ok());
        QVERIFY2(result.error().message.contains(QStringLiteral("104")), qPrintable(result.error().message));
        QVERIFY(result.error().message.contains(QStringLiteral("--socket")));
        QVERIFY(!listener.isListening());
    }

    void aStaleSocketIsReplaced()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("api.sock"));
        const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        qstrncpy(address.sun_path, QFile::encodeName(path).constData(), sizeof(address.sun_path));
        QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof(address)), 0);
        ::close(fd); // as a killed daemon leaves it
        QVERIFY(QFile::exists(path));
        SocketListener listener(::geteuid());
        QVERIFY(listener.listen(path).ok());
        QLocalSocket client;
        client.connectToServer(path);
        QVERIFY(client.waitForConnected());
    }

    void aLiveSocketIsNotStolen()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("api.sock"));
        SocketListener first(::geteuid());
        QVERIFY(first.listen(path).ok());
        {
            SocketListener second(::geteuid());
            const Result<Done> result = second.listen(path);
            QVERIFY(!result.ok());
            QVERIFY(result.error().message.contains(path));
        }
        QVERIFY(QFile::exists(path)); // nor removed by the one that failed
        QLocalSocket client;
        QSignalSpy accepted(&first, &SocketListener::accepted);
        client.connectToServer(path);
        QTRY_VERIFY(!accepted.isEmpty());
    }

    void aFileThatIsNoSocketIsLeftAlone()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("api.sock"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("precious");
        file.close();
        SocketListener listener(::geteuid());
        QVERIFY(!listener.listen(path).ok());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("precious"));
    }

    void closingRemovesOnlyOurSocket()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("api.sock"));
        SocketListener first(::geteuid());
        QVERIFY(first.listen(path).ok());
        QVERIFY(QFile::remove(path));
        SocketListener second(::geteuid());
        QVERIFY(second.listen(path).ok());
        first.close();
        QVERIFY(QFile::exists(path));
        second.close();
        QVERIFY(!QFile::exists(path));
    }

    /// Running out of descriptors must not make the daemon deaf for good.
    void itAcceptsAgainAfterDescriptorsRanOut()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("api.sock"));
        SocketListener listener(::geteuid());
        QSignalSpy accepted(&listener, &SocketListener::accepted);
        QVERIFY(listener.listen(path).ok());
        QLocalSocket client;
        client.connectToServer(path);
        QVERIFY(client.waitForConnected());

        rlimit before = {};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const int next = ::dup(0);
        ::close(next);
        rlimit none = before;
        none.rlim_cur = static_cast<rlim_t>(next);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("cannot be accepted now")));
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        QCoreApplication::processEvents();
        const bool noneYet = accepted.isEmpty();
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QVERIFY(noneYet);
        QTRY_COMPARE(accepted.size(), 1);
        ::close(accepted.at(0).at(0).toInt());
    }
};

QTEST_GUILESS_MAIN(TestSocketListener)
#include "tst_socketlistener.moc"
