// SPDX-License-Identifier: MIT
#include "benchkit.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QJsonDocument>
#include <QTextStream>

using namespace kv::bench;

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Measures kv-persist and prints JSON. Parts: overhead (a resident request against a "
        "bare socket echo), start (with "
        "10 000 and 100 000 snapshots: time, memory, list), switch (on a real server), "
        "ttft (time to first token), slots (two sessions at once; eight that take turns at random "
        "on four slots), tray (its table with 100 000 snapshots), traffic (a "
        "parent and three sub-agents at once), proxy (what it adds to a request and a chunk). "
        "With --soak MINUTES nothing but traffic through the proxy, and what it leaves over."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("part"),
        QStringLiteral("overhead, start, switch, ttft, slots, tray, traffic, proxy; none: all of them"),
        QStringLiteral("[part...]"));
    const QCommandLineOption echo(QStringLiteral("echo-server"), QString(), QStringLiteral("socket"));
    QCommandLineOption hidden = echo;
    hidden.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(hidden);
    const QCommandLineOption soak(QStringLiteral("soak"),
        QStringLiteral("traffic through the proxy for so long"), QStringLiteral("minutes"));
    parser.addOption(soak);
    parser.process(app);
    if (parser.isSet(echo)) {
        return runEchoServer(parser.value(echo));
    }
    if (qEnvironmentVariableIsEmpty("KV_PERSIST_TEST_BIN")) {
        qputenv("KV_PERSIST_TEST_BIN", QCoreApplication::applicationDirPath().toUtf8());
    }
    const QStringList parts = parser.positionalArguments();
    const auto wanted = [&](const QString &part) { return parts.isEmpty() || parts.contains(part); };
    QJsonObject out;
    if (parser.isSet(soak)) {
        out.insert(QStringLiteral("soak"), measureSoak(parser.value(soak).toDouble()));
        QTextStream(stdout) << QJsonDocument(out).toJson(QJsonDocument::Indented);
        return 0;
    }
    if (wanted(QStringLiteral("overhead"))) {
        out.insert(QStringLiteral("overhead"), measureOverhead(5000));
    }
    if (wanted(QStringLiteral("start"))) {
        out.insert(QStringLiteral("start"),
            QJsonObject { { QStringLiteral("10000"), measureStart(10000) },
                { QStringLiteral("100000"), measureStart(100000) } });
    }
    if (wanted(QStringLiteral("switch"))) {
        out.insert(QStringLiteral("switch"), measureSwitch(60));
    }
    if (wanted(QStringLiteral("ttft"))) {
        out.insert(QStringLiteral("ttft"), measureFirstToken({ 1500, 6000 }));
    }
    if (wanted(QStringLiteral("slots"))) {
        out.insert(QStringLiteral("slots"), measureSlots(200));
    }
#ifdef KV_BENCH_TRAY
    if (wanted(QStringLiteral("tray"))) {
        out.insert(QStringLiteral("tray"), measureTray(100000));
    }
#endif
    if (wanted(QStringLiteral("traffic"))) {
        out.insert(QStringLiteral("traffic"), measureTraffic(20));
    }
    if (wanted(QStringLiteral("proxy"))) {
        out.insert(QStringLiteral("proxy"), measureProxy(400));
    }
    QTextStream(stdout) << QJsonDocument(out).toJson(QJsonDocument::Indented);
    return 0;
}
