// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "status.h"

#include <QTimer>

#include <optional>

namespace kv {

/// The daemon's status as values, and never older than needed: the daemon tells its status half a second
/// after something happened, so what moves a slot or a server is followed by a question of its own.
class StatusFeed final : public QObject {
    Q_OBJECT

public:
    explicit StatusFeed(Daemon &daemon, QObject *parent = nullptr);

    /// nullopt: not known, as the daemon is away or has not answered yet.
    [[nodiscard]] const std::optional<StatusView> &status() const { return m_status; }
    [[nodiscard]] Daemon::Link link() const { return m_daemon.link(); }

Q_SIGNALS:
    void changed(); ///< the status or the link

private:
    void onLink();
    void onEvent(const QJsonObject &event);
    void ask();
    void take(const QJsonObject &document);

    Daemon &m_daemon;
    std::optional<StatusView> m_status;
    QTimer m_soon; ///< runs only after an event: many at once become one question
    bool m_asking = false;
    bool m_again = false; ///< something happened while the answer was on its way
};

} // namespace kv
