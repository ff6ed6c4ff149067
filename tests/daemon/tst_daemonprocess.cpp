// SPDX-License-Identifier: MIT
#include "realdaemon.h"
#include "rpcclient.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSysInfo>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <memory>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

using kv::test::builtProgram;
using kv::test::RealDaemon;
using kv::test::RpcClient;

namespace {

constexpr int c_patienceMs = 30000; ///< with a program that starts on a busy machine
constexpr int c_exitUsage = 2;
constexpr int c_exitConfig = 3;
constexpr int c_exitAlreadyRuns = 4;
constexpr int c_exitSocket = 5;
constexpr int c_exitMetadata = 6;
constexpr int c_exitHurried = 7;

/// No server at all, and none is looked for.
const QByteArray c_config = "enabled: true\n"
                            "servers:\n"
                            "  nowhere: { baseURL: 'http://127.0.0.1:1' }\n"
                            "providers: { local: nowhere }\n"
                            "metadata: { path: '${METADATA}' }\n";

struct Ended {
    int exitCode = -2;
    QString output;
};

/// The daemon's program run to its end.
Ended runProgram(const QStringList &arguments, const QProcessEnvironment &environment)
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(builtProgram(QStringLiteral("kv-persistd")), arguments);
    if (!process.waitForFinished()) {
        process.kill();
        process.waitForFinished();
        return { -2, QString::fromUtf8(process.readAll()) };
    }
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        QString::fromUtf8(process.readAll()) };
}

bool serves(const RealDaemon &daemon)
{
    RpcClient client;
    return client.connectTo(daemon.socketPath()) && client.call(QStringLiteral("kv.status")).ok();
}

template <typename Text> bool saysInTime(const RealDaemon &daemon, const Text &text)
{
    return QTest::qWaitFor([&] { return daemon.log().contains(text); }, c_patienceMs);
}

void sendSignal(const RealDaemon &daemon, int number)
{
    QCOMPARE(::kill(static_cast<pid_t>(daemon.pid()), number), 0);
}

unsigned modeOf(const QString &path)
{
    struct stat info = {};
    return ::lstat(QFile::encodeName(path).constData(), &info) == 0 ? info.st_mode & 07777U : 0;
}

} // namespace

class TestDaemonProcess final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(!builtProgram(QStringLiteral("kv-persistd")).isEmpty(), "kv-persistd is not built");
    }

    void helpListsTheExitCodes()
    {
        const RealDaemon stage;
        const Ended help = runProgram({ QStringLiteral("--help") }, stage.environment());
        QCOMPARE(help.exitCode, 0);
        for (const char *word : { "--socket", "--config", "--log-level", "--log-format", "--log-filter",
                 "snapshots", "Exit codes", "SIGHUP" }) {
            QVERIFY2(help.output.contains(QString::fromUtf8(word)), word);
        }
        const Ended version = runProgram({ QStringLiteral("--version") }, stage.environment());
        QCOMPARE(version.exitCode, 0);
        QCOMPARE(version.output, QStringLiteral("kv-persistd " KV_PERSIST_VERSION "\n"));
    }

    void aWrongCommandLineIsSaidSo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("unknown option") << QStringList { QStringLiteral("--nonsense") };
        QTest::newRow("no value") << QStringList { QStringLiteral("--socket") };
        QTest::newRow("empty value") << QStringList { QStringLiteral("--socket"), QString() };
        QTest::newRow("a level") << QStringList { QStringLiteral("--log-level"), QStringLiteral("loud") };
        QTest::newRow("a format") << QStringList { QStringLiteral("--log-format"), QStringLiteral("xml") };
        QTest::newRow("a part") << QStringList { QStringLiteral("--log-filter"),
            QStringLiteral("prxy=debug") };
        QTest::newRow("a part's level")
            << QStringList { QStringLiteral("--log-filter"), QStringLiteral("proxy=loud") };
        QTest::newRow("a word") << QStringList { QStringLiteral("start") };
    }
    void aWrongCommandLineIsSaidSo()
    {
        QFETCH(QStringList, arguments);
        const RealDaemon stage;
        const Ended ended = runProgram(arguments, stage.environment());
        QCOMPARE(ended.exitCode, c_exitUsage);
        QVERIFY2(ended.output.startsWith(QStringLiteral("kv-persistd: ")), qPrintable(ended.output));
        QCOMPARE(ended.output.count(u'\n'), 1);
        QVERIFY(!QFileInfo::exists(stage.socketPath()));
    }

    void itServesAndEndsWell_data()
    {
        QTest::addColumn<int>("number");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
    }
    void itServesAndEndsWell()
    {
        QFETCH(int, number);
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        QVERIFY(serves(daemon));
        QCOMPARE(modeOf(daemon.socketPath()), 0600U);
        sendSignal(daemon, number);
        QVERIFY(daemon.waitForExit());
        QCOMPARE(daemon.exitCode(), 0);
        QVERIFY(!QFileInfo::exists(daemon.socketPath()));
        QVERIFY(!QFileInfo::exists(daemon.socketPath() + QStringLiteral(".lock")));
    }

    void aSecondSignalEndsItAtOnce()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        // Stopped while both arrive, so that it finds them together.
        sendSignal(daemon, SIGSTOP);
        sendSignal(daemon, SIGTERM);
        sendSignal(daemon, SIGINT);
        sendSignal(daemon, SIGCONT);
        QVERIFY(daemon.waitForExit());
        QCOMPARE(daemon.exitCode(), c_exitHurried);
        QVERIFY(!QFileInfo::exists(daemon.socketPath()));
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        QVERIFY(serves(daemon));
    }

    void theSecondDaemonSaysWhoRunsAndExits()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        const Ended second = runProgram({ QStringLiteral("--socket"), daemon.socketPath(),
                                            QStringLiteral("--config"), daemon.configPath() },
            daemon.environment());
        QCOMPARE(second.exitCode, c_exitAlreadyRuns);
        QVERIFY2(second.output.contains(QString::number(daemon.pid())), qPrintable(second.output));
        QVERIFY2(second.output.contains(QSysInfo::machineHostName()), qPrintable(second.output));
        QVERIFY(serves(daemon));
    }

    void ofAHundredRacingStartsOneWins()
    {
        const RealDaemon stage;
        std::vector<std::unique_ptr<QProcess>> processes;
        for (int i = 0; i < 100; ++i) {
            auto process = std::make_unique<QProcess>();
            process->setProcessEnvironment(stage.environment());
            process->setProcessChannelMode(QProcess::MergedChannels);
            process->start(builtProgram(QStringLiteral("kv-persistd")),
                { QStringLiteral("--socket"), stage.socketPath() });
            processes.push_back(std::move(process));
        }
        const auto running = [&processes]() {
            return std::count_if(processes.begin(), processes.end(),
                [](const auto &process) { return process->state() != QProcess::NotRunning; });
        };
        QVERIFY(QTest::qWaitFor([&running]() { return running() <= 1; }, 60'000));
        QCOMPARE(running(), 1);
        QVERIFY(serves(stage));
        for (const auto &process : processes) {
            if (process->state() == QProcess::NotRunning) {
                const QByteArray output = process->readAll();
                QVERIFY2(process->exitStatus() == QProcess::NormalExit, output.constData());
                QVERIFY2(process->exitCode() == c_exitAlreadyRuns, output.constData());
                QVERIFY2(output.contains("already serves"), output.constData());
            }
        }
        for (const auto &process : processes) {
            if (process->state() != QProcess::NotRunning) {
                process->terminate();
                QVERIFY(process->waitForFinished());
                QCOMPARE(process->exitCode(), 0);
            }
        }
    }

    void afterAKillItStartsAgain()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        for (int i = 0; i < 3; ++i) {
            QVERIFY2(daemon.start(), qPrintable(daemon.log()));
            QVERIFY(serves(daemon));
            daemon.kill();
            QVERIFY(QFileInfo::exists(daemon.socketPath())); // nobody tidied up
        }
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        QVERIFY(serves(daemon));
    }

    void fiftyClientsAtOnce()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        std::vector<std::unique_ptr<RpcClient>> clients;
        std::vector<QList<int>> ids;
        for (int i = 0; i < 50; ++i) {
            clients.push_back(std::make_unique<RpcClient>());
            QVERIFY(clients.back()->connectTo(daemon.socketPath()));
        }
        const QJsonObject unrouted { { QStringLiteral("provider"), QStringLiteral("cloud") },
            { QStringLiteral("model"), QStringLiteral("m") } };
        for (const auto &client : clients) {
            QList<int> sent;
            for (int k = 0; k < 10; ++k) {
                sent.append(client->send(QStringLiteral("request.begin"), unrouted));
                sent.append(client->send(QStringLiteral("kv.status")));
            }
            ids.push_back(sent);
        }
        for (std::size_t i = 0; i < clients.size(); ++i) {
            for (const int id : ids.at(i)) {
                const kv::test::RpcReply reply = clients.at(i)->wait(id);
                QVERIFY2(reply.ok(), qPrintable(reply.text()));
            }
        }
        QVERIFY(daemon.stop());
        QCOMPARE(daemon.exitCode(), 0);
    }

    void clientsThatAreKilledHarmNobody()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        for (int i = 0; i < 200; ++i) { // more than may be connected at once
            RpcClient client;
            QVERIFY(client.connectTo(daemon.socketPath()));
            client.send(QStringLiteral("kv.status"));
            client.sendRaw("{\"jsonrpc\":");
            client.abort();
        }
        QVERIFY(serves(daemon));
    }

    void aBadConfigurationNamesAllItsProblems()
    {
        RealDaemon daemon;
        daemon.setConfig("enabeld: true\n"
                         "checkpoint:\n"
                         "  idleMs: soon\n");
        daemon.launch();
        QVERIFY(daemon.waitForExit());
        QCOMPARE(daemon.exitCode(), c_exitConfig);
        const QString log = daemon.log();
        QVERIFY2(log.contains(QStringLiteral("config.yaml:1")) && log.contains(QStringLiteral("enabled")),
            qPrintable(log));
        QVERIFY2(log.contains(QStringLiteral("config.yaml:3")) && log.contains(QStringLiteral("idleMs")),
            qPrintable(log));
        QVERIFY(!QFileInfo::exists(daemon.socketPath()));
        QVERIFY(!QFileInfo::exists(daemon.socketPath() + QStringLiteral(".lock")));
    }

    void aConfigurationThatIsNamedMustExist()
    {
        RealDaemon daemon;
        const QString missing = daemon.folder() + QStringLiteral("/no.yaml");
        const Ended ended = runProgram(
            { QStringLiteral("--socket"), daemon.socketPath(), QStringLiteral("--config"), missing },
            daemon.environment());
        QCOMPARE(ended.exitCode, c_exitConfig);
        QVERIFY2(ended.output.contains(missing), qPrintable(ended.output));
        QVERIFY2(daemon.start(), qPrintable(daemon.log())); // none at all is a working default
    }

    void aSignalReloadsTheConfigurationWholeOrNotAtAll()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));

        daemon.setConfig("enabeld: true\n");
        sendSignal(daemon, SIGHUP);
        QVERIFY2(saysInTime(daemon, QStringLiteral("the old one stays in force")), qPrintable(daemon.log()));
        QVERIFY(daemon.log().contains(QStringLiteral("enabeld")));
        QVERIFY(serves(daemon));

        daemon.setConfig(c_config + "logging: { format: json }\n");
        sendSignal(daemon, SIGHUP);
        const QRegularExpression jsonLine(
            QStringLiteral("^\\{.*read anew.*\\}$"), QRegularExpression::MultilineOption);
        QVERIFY2(saysInTime(daemon, jsonLine), qPrintable(daemon.log()));
        QVERIFY(serves(daemon));
    }

    void aPartsLevelIsAppliedByAReload()
    {
        const QString client = QStringLiteral("kv.server: Client \"tester\"");
        const auto greet = [](const RealDaemon &daemon) {
            RpcClient rpc;
            return rpc.connectTo(daemon.socketPath())
                && rpc.call(
                          QStringLiteral("hello"), { { QStringLiteral("client"), QStringLiteral("tester") } })
                       .ok();
        };
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        QVERIFY(greet(daemon));
        daemon.setConfig(c_config + "logging: { filter: \"server=debug\" }\n");
        sendSignal(daemon, SIGHUP);
        QVERIFY2(saysInTime(daemon, QStringLiteral("read anew")), qPrintable(daemon.log()));
        QVERIFY2(!daemon.log().contains(client), qPrintable(daemon.log()));
        QVERIFY(greet(daemon));
        QVERIFY2(saysInTime(daemon, client), qPrintable(daemon.log()));
        QVERIFY(daemon.stop());
        const qsizetype before = daemon.log().count(client);
        QVERIFY2(daemon.start({ QStringLiteral("--log-filter"), QStringLiteral("daemon=info") }),
            qPrintable(daemon.log()));
        QVERIFY(greet(daemon));
        QVERIFY(daemon.stop()); // the command line wins, whole
        QCOMPARE(daemon.log().count(client), before);
    }

    void aFolderThatOthersMayWriteToIsRefused()
    {
        const RealDaemon stage;
        const QString folder = stage.folder() + QStringLiteral("/open");
        QVERIFY(QDir().mkdir(folder));
        QCOMPARE(::chmod(QFile::encodeName(folder).constData(), 0777), 0);
        const Ended ended = runProgram(
            { QStringLiteral("--socket"), folder + QStringLiteral("/api.sock") }, stage.environment());
        QCOMPARE(ended.exitCode, c_exitSocket);
        QVERIFY2(ended.output.contains(folder), qPrintable(ended.output));
        QCOMPARE(modeOf(folder), 0777U);
        QVERIFY(QDir(folder).isEmpty());
    }

    void aFolderThatIsMissingIsNotMade()
    {
        const RealDaemon stage;
        const QString folder = stage.folder() + QStringLiteral("/missing");
        const Ended ended = runProgram(
            { QStringLiteral("--socket"), folder + QStringLiteral("/api.sock") }, stage.environment());
        QCOMPARE(ended.exitCode, c_exitSocket);
        QVERIFY2(ended.output.contains(folder), qPrintable(ended.output));
        QVERIFY(!QFileInfo::exists(folder));
    }

    void aPathThatIsTooLongIsSaidSo()
    {
        const RealDaemon stage;
        const QString path = stage.folder() + u'/' + QString(110, u'a');
        const Ended ended = runProgram({ QStringLiteral("--socket"), path }, stage.environment());
        QCOMPARE(ended.exitCode, c_exitSocket);
        QVERIFY2(ended.output.contains(QStringLiteral("bytes")), qPrintable(ended.output));
    }

    void theDefaultFolderIsItsUsersAlone()
    {
        const RealDaemon stage;
        QProcessEnvironment environment = stage.environment();
        environment.remove(QStringLiteral("KV_PERSIST_SOCKET"));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(builtProgram(QStringLiteral("kv-persistd")), QStringList());
        const QString folder
            = environment.value(QStringLiteral("XDG_RUNTIME_DIR")) + QStringLiteral("/kv-persist");
        const QString socket = folder + QStringLiteral("/api.sock");
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(socket), c_patienceMs);
        QCOMPARE(modeOf(folder), 0700U);
        QTRY_COMPARE(modeOf(socket), 0600U);
        RpcClient client;
        QVERIFY(client.connectTo(socket));
        QVERIFY(client.call(QStringLiteral("kv.status")).ok());
        process.terminate();
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
    }

    void aMetadataFolderThatCannotBeIsSaidSo()
    {
        RealDaemon daemon;
        QFile inTheWay(daemon.metadataFolder());
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        inTheWay.write("not a folder");
        inTheWay.close();
        daemon.setConfig(c_config);
        daemon.launch();
        QVERIFY(daemon.waitForExit());
        QCOMPARE(daemon.exitCode(), c_exitMetadata);
        QVERIFY2(daemon.log().contains(daemon.metadataFolder()), qPrintable(daemon.log()));
        QVERIFY(!QFileInfo::exists(daemon.socketPath()));
    }

    void twoDaemonsNeverShareAMetadataFolder()
    {
        RealDaemon daemon;
        daemon.setConfig(c_config);
        QVERIFY2(daemon.start(), qPrintable(daemon.log()));
        const Ended second
            = runProgram({ QStringLiteral("--socket"), daemon.folder() + QStringLiteral("/other.sock"),
                             QStringLiteral("--config"), daemon.configPath() },
                daemon.environment());
        QCOMPARE(second.exitCode, c_exitMetadata);
        QVERIFY2(second.output.contains(QString::number(daemon.pid())), qPrintable(second.output));
        QVERIFY(serves(daemon));
    }

    void theServiceManagerIsTold()
    {
        const RealDaemon stage;
        const QByteArray path = QFile::encodeName(stage.folder() + QStringLiteral("/notify"));
        const int manager = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        qstrncpy(address.sun_path, path.constData(), sizeof(address.sun_path));
        QCOMPARE(::bind(manager, reinterpret_cast<const sockaddr *>(&address), sizeof(address)), 0);
        const auto received = [manager]() {
            QByteArray message(256, '\0');
            const ssize_t size = ::recv(manager, message.data(), static_cast<std::size_t>(message.size()), 0);
            return size > 0 ? message.left(size) : QByteArray();
        };
        QProcessEnvironment environment = stage.environment();
        environment.insert(QStringLiteral("NOTIFY_SOCKET"), QFile::decodeName(path));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(
            builtProgram(QStringLiteral("kv-persistd")), { QStringLiteral("--socket"), stage.socketPath() });
        QByteArray message;
        QVERIFY(QTest::qWaitFor([&]() { return !(message = received()).isEmpty(); }, c_patienceMs));
        QCOMPARE(message, QByteArray("READY=1"));
        QVERIFY(serves(stage)); // ready means ready
        process.terminate();
        QVERIFY(QTest::qWaitFor([&]() { return !(message = received()).isEmpty(); }, c_patienceMs));
        QCOMPARE(message, QByteArray("STOPPING=1"));
        QTRY_COMPARE_WITH_TIMEOUT(process.state(), QProcess::NotRunning, c_patienceMs);
        QCOMPARE(process.exitCode(), 0);
        ::close(manager);
    }
};

QTEST_GUILESS_MAIN(TestDaemonProcess)
#include "tst_daemonprocess.moc"
