// SPDX-License-Identifier: MIT
#pragma once

#include "kvbackend.h"
#include "llamacppbackend.h"

#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <optional>

namespace kv::test {

inline Op makeOp(OpKind kind, OpId id = 1, int slot = 0)
{
    Op op;
    op.id = id;
    op.kind = kind;
    op.slot.id = slot;
    return op;
}

/// Starts an operation and waits for its one reply; nullopt: none came.
inline std::optional<BackendReply> runOp(KvBackend &backend, const Op &op, const QString &fileName = {})
{
    std::optional<BackendReply> out;
    int replies = 0;
    QObject context;
    QObject::connect(&backend, &KvBackend::finished, &context, [&](const BackendReply &reply) {
        if (reply.id == op.id) {
            out = reply;
            ++replies;
        }
    });
    backend.start(op, fileName);
    if (replies != 0) {
        return std::nullopt; // never from within start()
    }
    // An event loop, not qWaitFor: that sleeps between its looks, which would cost 10 ms a round trip.
    QEventLoop loop;
    QObject::connect(&backend, &KvBackend::finished, &loop, [&loop, &op](const BackendReply &reply) {
        if (reply.id == op.id) {
            loop.quit();
        }
    });
    QTimer::singleShot(10000, &loop, &QEventLoop::quit);
    loop.exec();
    return replies == 1 ? out : std::nullopt;
}

inline ServerEndpoint endpointOf(const QUrl &url, const QByteArray &key = {})
{
    ServerEndpoint endpoint;
    endpoint.base = url;
    endpoint.apiKey = key;
    endpoint.requestTimeoutMs = 5000;
    return endpoint;
}

/// A finder that finds nobody: what a server on another machine looks like.
inline ProcessFinder noProcess()
{
    return [](quint16) { return std::optional<LocalProcess>(); };
}

/// For comparing: Qt Test cannot print the enum itself.
inline QString nameOf(OpFailure failure) { return toString(failure); }

inline QString fieldOf(const FieldList &fields, QStringView name)
{
    for (const auto &[key, value] : fields) {
        if (key == name) {
            return value;
        }
    }
    return {};
}

} // namespace kv::test
