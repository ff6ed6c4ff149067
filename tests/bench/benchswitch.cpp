// SPDX-License-Identifier: MIT
// A change of owner on a real server, against the server's own time for the same save and restore.
#include "benchkit.h"
#include "realdaemon.h"
#include "realllamaserver.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTemporaryDir>

namespace kv::bench {

namespace {

/// What the server itself says that one save and one restore of its slot take, in milliseconds.
double serversOwnMs(const QUrl &server)
{
    std::vector<double> sums;
    for (int round = 0; round < 9; ++round) {
        double sum = 0;
        for (const char *action : { "save", "restore" }) {
            QUrl url = server;
            url.setPath(QStringLiteral("/slots/0"));
            url.setQuery(QStringLiteral("action=") + QLatin1String(action));
            const QJsonObject timings
                = post(url, { { QStringLiteral("filename"), QStringLiteral("bench-own.bin") } })
                      .value(u"timings")
                      .toObject();
            sum += timings.value(u"save_ms").toDouble() + timings.value(u"restore_ms").toDouble();
        }
        sums.push_back(sum);
    }
    return median(std::move(sums));
}

} // namespace

QJsonObject measureSwitch(const Sizes &sizes)
{
    const QString model = QStringLiteral("tiny-dense");
    if (const QString why = test::RealLlamaServer::whyNot(model); !why.isEmpty()) {
        return { { QStringLiteral("skipped"), why } };
    }
    QTemporaryDir slotFolder;
    test::RealLlamaServer server(model, slotFolder.path(),
        QStringList { QStringLiteral("-c"), QStringLiteral("8192"), QStringLiteral("-np"),
            QStringLiteral("1"), QStringLiteral("--cache-ram"), QStringLiteral("0") }
            + sizes.serverFlags);
    test::RealDaemon daemon;
    if (!server.start()) {
        return { { QStringLiteral("skipped"), server.log() } };
    }
    daemon.setConfig(configFor(server.url()));
    if (!daemon.start()) {
        return { { QStringLiteral("skipped"), daemon.log() } };
    }
    LineClient client;
    client.connectTo(daemon.socketPath());
    int id = 0;
    const auto call = [&](const QString &method, const QJsonObject &params) {
        const QJsonObject line { { QStringLiteral("jsonrpc"), QStringLiteral("2.0") },
            { QStringLiteral("id"), ++id }, { QStringLiteral("method"), method },
            { QStringLiteral("params"), params } };
        return QJsonDocument::fromJson(client.ask(QJsonDocument(line).toJson(QJsonDocument::Compact)))
            .object()
            .value(u"result")
            .toObject();
    };
    std::vector<double> switches;
    QString last;
    for (int round = 0; round < sizes.switchRounds + 4; ++round) {
        const QString session = round % 2 == 0 ? QStringLiteral("A") : QStringLiteral("B");
        QElapsedTimer timer;
        timer.start();
        const QJsonObject begin = call(QStringLiteral("request.begin"),
            { { QStringLiteral("session"), session }, { QStringLiteral("provider"), QStringLiteral("p") },
                { QStringLiteral("model"), QStringLiteral("m") } });
        const double ms = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        last = begin.value(u"outcome").toString();
        if (round >= 4 && last == QStringLiteral("restored")) {
            switches.push_back(ms);
        }
        const Completion done
            = complete(server.url(), session + QStringLiteral(" ") + QString(1500, QLatin1Char('x')));
        call(QStringLiteral("request.end"),
            { { QStringLiteral("lease"), begin.value(u"lease") },
                { QStringLiteral("outcome"), QStringLiteral("ok") }, { QStringLiteral("more"), false },
                { QStringLiteral("usage"),
                    QJsonObject { { QStringLiteral("promptTokens"), done.promptTokens },
                        { QStringLiteral("completionTokens"), done.completionTokens },
                        { QStringLiteral("cachedTokens"), done.cachedTokens } } } });
    }
    daemon.kill();
    const double own = serversOwnMs(server.url());
    return { { QStringLiteral("unit"), QStringLiteral("ms") },
        { QStringLiteral("switch"), summary(switches) }, { QStringLiteral("serversOwnSaveAndRestore"), own },
        { QStringLiteral("beyond"), median(switches) - own }, { QStringLiteral("lastOutcome"), last } };
}

} // namespace kv::bench
