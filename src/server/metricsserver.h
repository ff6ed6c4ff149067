// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "httplistener.h"
#include "result.h"

#include <QObject>

#include <memory>
#include <optional>

namespace kv {

class Service;

/// GET /metrics for Prometheus, on the address of `metrics.listen`; nothing else is served there. Lives in
/// the logic thread. No label and no text holds a session, a prompt or a key.
class MetricsServer final : public QObject {
    Q_OBJECT

public:
    explicit MetricsServer(const Service &service, QObject *parent = nullptr);
    ~MetricsServer() override;
    Q_DISABLE_COPY_MOVE(MetricsServer)

    /// Listens, moves or stops listening, as `config` has it. Errors: ConfigInvalid, with a sentence for the
    /// user; it is off then.
    Result<Done> configure(const Config &config);
    void stopTakingWork();
    [[nodiscard]] quint16 port() const { return m_listener ? m_listener->port() : quint16(0); }

private:
    void accept(HttpConnection *connection);
    void answer(HttpConnection &connection) const;

    const Service &m_service;
    std::optional<ListenAddress> m_address;
    std::unique_ptr<HttpListener> m_listener;
};

} // namespace kv
