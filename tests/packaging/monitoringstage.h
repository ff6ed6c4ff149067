// SPDX-License-Identifier: MIT
#pragma once

#include "fakellamaserver.h"
#include "realdaemon.h"
#include "rpcclient.h"

#include <QByteArray>
#include <QString>

namespace kv::test {

/// The real daemon before two fake llama-servers, "a" and "b", with metrics and the proxy (before "a") on
/// free ports, after some requests: cold, restored and resident ones, and one of a server that is away.
class MonitoringStage final {
public:
    MonitoringStage();
    ~MonitoringStage() = default;
    Q_DISABLE_COPY_MOVE(MonitoringStage)

    bool start();
    bool serveRequests();
    [[nodiscard]] QString textOverSocket(); ///< kv.metrics
    [[nodiscard]] QString textOverHttp(); ///< GET /metrics
    [[nodiscard]] QString log() const { return m_daemon.log(); }

private:
    [[nodiscard]] int portIn(const QString &pattern) const;
    bool complete(const QByteArray &session, const QByteArray &prompt);

    FakeLlamaServer m_a;
    FakeLlamaServer m_b;
    RealDaemon m_daemon;
    RpcClient m_client;
};

/// A file of the project's source, by its path in it.
QByteArray sourceFile(const QString &path);

} // namespace kv::test
