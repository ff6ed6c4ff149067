// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonArray>
#include <QJsonObject>

namespace kv::test {

/// A slot of kv.status: owned by "my-project", clean; `more` overrides.
inline QJsonObject slotDocument(const QJsonObject &more = {})
{
    QJsonObject slot { { QStringLiteral("id"), 0 }, { QStringLiteral("owner"), QStringLiteral("3fa41c") },
        { QStringLiteral("label"), QStringLiteral("my-project") },
        { QStringLiteral("state"), QStringLiteral("ready") }, { QStringLiteral("tokens"), 48'712 },
        { QStringLiteral("context"), 131'072 } };
    for (auto entry = more.begin(); entry != more.end(); ++entry) {
        slot.insert(entry.key(), entry.value());
    }
    return slot;
}

/// A server in this backend state with these slots; `more` overrides.
inline QJsonObject serverDocument(
    const QString &name, const QString &state, const QJsonArray &slotList, const QJsonObject &more = {})
{
    QJsonObject server { { QStringLiteral("name"), name },
        { QStringLiteral("backend"),
            QJsonObject { { QStringLiteral("state"), state },
                { QStringLiteral("model"), QStringLiteral("qwen3-8b") },
                { QStringLiteral("message"), QStringLiteral("The message of the backend.") } } },
        { QStringLiteral("slots"), slotList },
        { QStringLiteral("compatibility"), QStringLiteral("supported") },
        { QStringLiteral("rates"),
            QJsonObject { { QStringLiteral("prefillPerSecond"), 310 },
                { QStringLiteral("generatePerSecond"), 42 } } } };
    for (auto entry = more.begin(); entry != more.end(); ++entry) {
        server.insert(entry.key(), entry.value());
    }
    return server;
}

inline QJsonObject statusDocument(const QJsonArray &servers, const QJsonObject &more = {})
{
    QJsonObject status { { QStringLiteral("enabled"), true }, { QStringLiteral("servers"), servers } };
    for (auto entry = more.begin(); entry != more.end(); ++entry) {
        status.insert(entry.key(), entry.value());
    }
    return status;
}

inline QJsonObject runningDocument(const QString &kind, const QString &since = {})
{
    QJsonObject running { { QStringLiteral("kind"), kind } };
    if (!since.isEmpty()) {
        running.insert(QStringLiteral("since"), since);
    }
    return { { QStringLiteral("running"), running } };
}

/// An event kv.operation.progress of the server "local"; `more` overrides.
inline QJsonObject progressEvent(const QString &what, int permille, const QJsonObject &more = {})
{
    QJsonObject event { { QStringLiteral("name"), QStringLiteral("kv.operation.progress") },
        { QStringLiteral("server"), QStringLiteral("local") },
        { QStringLiteral("session"), QStringLiteral("3fa41c") },
        { QStringLiteral("label"), QStringLiteral("my-project") }, { QStringLiteral("what"), what },
        { QStringLiteral("permille"), permille }, { QStringLiteral("bytes"), qint64 { 1 } << 31 },
        { QStringLiteral("ms"), 1000 } };
    for (auto entry = more.begin(); entry != more.end(); ++entry) {
        event.insert(entry.key(), entry.value());
    }
    return event;
}

} // namespace kv::test
