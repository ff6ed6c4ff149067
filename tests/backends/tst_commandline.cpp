// SPDX-License-Identifier: MIT
#include "localprocess.h"
#include "servercommandline.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>

#include <algorithm>
#include <unistd.h>

using namespace kv;

class TestCommandLine final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFieldIsToldEvenWhenNothingIsGiven();
    void optionsAreRead();
    void whatTheDoctorAsksFor();
    void shortAndLongNamesMeanTheSame_data();
    void shortAndLongNamesMeanTheSame();
    void flashAttentionWithAndWithoutValue();
    void theLastOneWins();
    void ropeDoesNotDependOnTheOrder();
    void environmentCountsUnlessOverridden();
    void rotationSwitchedOffIsAnotherKindOfCache();
    void anOptionWithoutItsValueIsIgnored();
    void routerArgumentsAreRead();
    void serversAreToldFromOtherPrograms();
    void loopbackIsRecognized();
    void aListenerThatIsNoLlamaServerIsNotFound();
    void aLlamaServerIsFoundByItsPort();
};

namespace {
QStringList words(const QString &line) { return line.split(u' '); }
}

void TestCommandLine::everyFieldIsToldEvenWhenNothingIsGiven()
{
    const auto line = parseServerCommandLine({ QStringLiteral("llama-server") });
    QCOMPARE(line.compared().size(), std::size_t(8));
    for (const auto &[name, value] : line.compared()) {
        QVERIFY2(!value.isEmpty(), qPrintable(name));
    }
    QCOMPARE(line.typeK, QStringLiteral("f16"));
    QCOMPARE(line.streams, QStringLiteral("auto"));
    QVERIFY(line.slotSavePath.isEmpty());
}

void TestCommandLine::optionsAreRead()
{
    const auto line = parseServerCommandLine(
        words(QStringLiteral("llama-server -m a.gguf -ctk q8_0 -ctv Q4_0 -fa on --rope-freq-base 50000 -md "
                             "draft.gguf --swa-full -kvu -np 3 "
                             "--slot-save-path /data/kv --port 9000 --sleep-idle-seconds 90")));
    QCOMPARE(line.typeK, QStringLiteral("q8_0"));
    QCOMPARE(line.typeV, QStringLiteral("q4_0"));
    QCOMPARE(line.flashAttention, QStringLiteral("on"));
    QCOMPARE(line.rope, QStringLiteral("rope-freq-base=50000"));
    QCOMPARE(line.draftModel, QStringLiteral("draft.gguf"));
    QCOMPARE(line.swaFull, QStringLiteral("on"));
    QCOMPARE(line.kvUnified, QStringLiteral("on"));
    QCOMPARE(line.streams, QStringLiteral("3"));
    QCOMPARE(line.slotSavePath, QStringLiteral("/data/kv"));
    QCOMPARE(line.port, 9000);
    QCOMPARE(line.sleepIdleMs, 90000);
}

void TestCommandLine::whatTheDoctorAsksFor()
{
    const auto nothing = parseServerCommandLine({});
    QCOMPARE(nothing.host, QStringLiteral("127.0.0.1"));
    QVERIFY(!nothing.apiKey && !nothing.multimodal && !nothing.slotsDebug);
    QVERIFY(nothing.unified() && nothing.clearsIdleSlots());
    const auto line = parseServerCommandLine(words(
        QStringLiteral("--host 0.0.0.0 --api-key s -cram 0 --no-cache-idle-slots --mmproj m.gguf -np 2")));
    QCOMPARE(line.host, QStringLiteral("0.0.0.0"));
    QVERIFY(line.apiKey && line.multimodal);
    QCOMPARE(line.cacheRamMiB, 0);
    QCOMPARE(line.cacheIdleSlots, QStringLiteral("off"));
    QVERIFY(!line.unified() && !line.clearsIdleSlots());
    const QHash<QString, QString> environment { { QStringLiteral("LLAMA_ARG_HOST"), QStringLiteral("::") },
        { QStringLiteral("LLAMA_ARG_CACHE_RAM"), QStringLiteral("100") },
        { QStringLiteral("LLAMA_SERVER_SLOTS_DEBUG"), QStringLiteral("1") } };
    const auto variables = parseServerCommandLine(words(QStringLiteral("--cache-ram 5")), environment);
    QCOMPARE(variables.host, QStringLiteral("::"));
    QCOMPARE(variables.cacheRamMiB, 5);
    QVERIFY(variables.slotsDebug);
    QVERIFY(!parseServerCommandLine(words(QStringLiteral("--mmproj m --no-mmproj"))).multimodal);
}

void TestCommandLine::shortAndLongNamesMeanTheSame_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::newRow("k") << QStringLiteral("-ctk q8_0") << QStringLiteral("--cache-type-k q8_0");
    QTest::newRow("v") << QStringLiteral("-ctv q8_0") << QStringLiteral("--cache-type-v q8_0");
    QTest::newRow("fa") << QStringLiteral("-fa off") << QStringLiteral("--flash-attn 0");
    QTest::newRow("draft") << QStringLiteral("-md d") << QStringLiteral("--spec-draft-model d");
    QTest::newRow("unified") << QStringLiteral("-no-kvu") << QStringLiteral("--no-kv-unified");
    QTest::newRow("streams") << QStringLiteral("-np 2") << QStringLiteral("--parallel 2");
    QTest::newRow("default k") << QStringLiteral("-ctk f16") << QStringLiteral("--verbose");
    QTest::newRow("auto streams") << QStringLiteral("-np -1") << QStringLiteral("--verbose");
}

void TestCommandLine::shortAndLongNamesMeanTheSame()
{
    QFETCH(const QString, one);
    QFETCH(const QString, other);
    QCOMPARE(parseServerCommandLine(words(one)).compared(), parseServerCommandLine(words(other)).compared());
}

void TestCommandLine::flashAttentionWithAndWithoutValue()
{
    QCOMPARE(parseServerCommandLine(words(QStringLiteral("-fa"))).flashAttention, QStringLiteral("on"));
    const auto followed = parseServerCommandLine(words(QStringLiteral("-fa -ctk q8_0")));
    QCOMPARE(followed.flashAttention, QStringLiteral("on"));
    QCOMPARE(followed.typeK, QStringLiteral("q8_0"));
    QCOMPARE(
        parseServerCommandLine(words(QStringLiteral("-fa auto"))).flashAttention, QStringLiteral("auto"));
}

void TestCommandLine::theLastOneWins()
{
    QCOMPARE(
        parseServerCommandLine(words(QStringLiteral("-ctk q8_0 -ctk q4_0"))).typeK, QStringLiteral("q4_0"));
}

void TestCommandLine::ropeDoesNotDependOnTheOrder()
{
    const auto one = parseServerCommandLine(words(QStringLiteral("--rope-scale 2 --yarn-orig-ctx 4096")));
    const auto other = parseServerCommandLine(words(QStringLiteral("--yarn-orig-ctx 4096 --rope-scale 2")));
    QCOMPARE(one.rope, other.rope);
    QVERIFY(one.rope != QStringLiteral("default"));
}

void TestCommandLine::environmentCountsUnlessOverridden()
{
    const QHash<QString, QString> environment { { QStringLiteral("LLAMA_ARG_CACHE_TYPE_K"),
                                                    QStringLiteral("q8_0") },
        { QStringLiteral("LLAMA_ARG_ROPE_FREQ_BASE"), QStringLiteral("1000") },
        { QStringLiteral("LLAMA_ARG_CACHE_TYPE_V"), QStringLiteral("q8_0") } };
    const auto line = parseServerCommandLine(words(QStringLiteral("x -ctv q4_0")), environment);
    QCOMPARE(line.typeK, QStringLiteral("q8_0"));
    QCOMPARE(line.typeV, QStringLiteral("q4_0"));
    QCOMPARE(line.rope, QStringLiteral("rope-freq-base=1000"));
}

void TestCommandLine::rotationSwitchedOffIsAnotherKindOfCache()
{
    const auto line
        = parseServerCommandLine({}, { { QStringLiteral("LLAMA_ATTN_ROT_DISABLE"), QStringLiteral("1") } });
    QVERIFY(line.compared() != parseServerCommandLine({}).compared());
}

void TestCommandLine::anOptionWithoutItsValueIsIgnored()
{
    QCOMPARE(parseServerCommandLine(words(QStringLiteral("x -ctk"))).typeK, QStringLiteral("f16"));
}

void TestCommandLine::routerArgumentsAreRead()
{
    const auto line = parseServerCommandLine(
        words(QStringLiteral("/usr/bin/llama-server --host 127.0.0.1 --log-colors off --port 55795 "
                             "--slot-save-path kv --alias tiny-dense "
                             "--ctx-size 4096 --model models/tiny-dense.gguf --parallel 1")));
    QCOMPARE(line.port, 55795);
    QCOMPARE(line.slotSavePath, QStringLiteral("kv"));
    QCOMPARE(line.streams, QStringLiteral("1"));
}

void TestCommandLine::serversAreToldFromOtherPrograms()
{
    QVERIFY(isLlamaServer(words(QStringLiteral("/opt/llama-server -m x"))));
    QVERIFY(isLlamaServer(words(QStringLiteral("llama-server-vulkan"))));
    QVERIFY(isLlamaServer(words(QStringLiteral("/lib/ld-linux.so /opt/llama-server"))));
    QVERIFY(isLlamaServer(words(QStringLiteral("llama serve -m x"))));
    QVERIFY(!isLlamaServer(words(QStringLiteral("ssh -L 8080:llama-server:8080 host"))));
    QVERIFY(!isLlamaServer(words(QStringLiteral("docker-proxy -p 8080"))));
    QVERIFY(!isLlamaServer(words(QStringLiteral("llama run x"))));
    QVERIFY(!isLlamaServer({}));
}

void TestCommandLine::loopbackIsRecognized()
{
    QVERIFY(isLoopback(QUrl(QStringLiteral("http://127.0.0.1:8080"))));
    QVERIFY(isLoopback(QUrl(QStringLiteral("http://127.3.2.1:8080"))));
    QVERIFY(isLoopback(QUrl(QStringLiteral("http://[::1]:8080"))));
    QVERIFY(isLoopback(QUrl(QStringLiteral("http://localhost:8080"))));
    QVERIFY(!isLoopback(QUrl(QStringLiteral("http://192.0.2.1:8080"))));
    QVERIFY(!isLoopback(QUrl(QStringLiteral("http://localhost.example:8080"))));
}

void TestCommandLine::aListenerThatIsNoLlamaServerIsNotFound()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    QVERIFY(!findListeningServer(server.serverPort()));
}

// The test program runs itself under another name as the server.
void TestCommandLine::aLlamaServerIsFoundByItsPort()
{
#ifndef Q_OS_LINUX
    QSKIP("only Linux tells which process listens on a port");
#else
    QProcess child;
    QTemporaryDir folder;
    const QString link = folder.filePath(QStringLiteral("llama-server"));
    QVERIFY(QFile::link(QCoreApplication::applicationFilePath(), link));
    child.setProgram(link);
    child.setArguments({ QStringLiteral("--pretend"), QStringLiteral("-ctk"), QStringLiteral("q8_0") });
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LLAMA_ARG_N_PARALLEL"), QStringLiteral("3"));
    environment.insert(QStringLiteral("LLAMA_API_KEY"), QStringLiteral("secret"));
    child.setProcessEnvironment(environment);
    child.start();
    QVERIFY(child.waitForStarted());
    QVERIFY(child.waitForReadyRead());
    const quint16 port = child.readLine().trimmed().toUShort();
    QVERIFY(port != 0);
    const auto found = findListeningServer(port);
    QVERIFY(found.has_value());
    QCOMPARE(found->pid, child.processId());
    QVERIFY(found->startWallMs > 0);
    QCOMPARE(found->workingDirectory, QDir::currentPath());
    QCOMPARE(parseServerCommandLine(found->argv, found->environment).typeK, QStringLiteral("q8_0"));
    QCOMPARE(parseServerCommandLine(found->argv, found->environment).streams, QStringLiteral("3"));
    QVERIFY(!found->environment.contains(QStringLiteral("LLAMA_API_KEY")));
    QVERIFY(found->keyVariable); // that there is one, and never which
    QCOMPARE(found->userId, qint64 { ::geteuid() });
    QVERIFY(std::find(found->groupIds.begin(), found->groupIds.end(), qint64 { ::getegid() })
        != found->groupIds.end());
    QVERIFY(stillRuns(*found));
    child.closeWriteChannel();
    QVERIFY(child.waitForFinished());
    QVERIFY(!stillRuns(*found));
    QVERIFY(!findListeningServer(port));
#endif
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    if (app.arguments().contains(QStringLiteral("--pretend"))) {
        QTcpServer server;
        server.listen(QHostAddress::LocalHost);
        QTextStream(stdout) << server.serverPort() << Qt::endl;
        QTextStream(stdin).readAll(); // until the test closes it
        return 0;
    }
    TestCommandLine test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_commandline.moc"
