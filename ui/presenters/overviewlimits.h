// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"

#include <optional>

namespace kv {

/// The limits of storage in the configuration, read when the daemon comes and when it reloads.
class OverviewLimits final : public QObject {
    Q_OBJECT

public:
    struct Limits {
        bool known = false; ///< the configuration was read
        std::optional<qint64> maxTotalBytes; ///< nullopt: no quota
        std::optional<qint64> minFreeBytes;

        bool operator==(const Limits &) const = default;
    };

    explicit OverviewLimits(Daemon &daemon, QObject *parent = nullptr);

    [[nodiscard]] const Limits &limits() const { return m_limits; }

    /// What `retention` says in a configuration; what is not said has the daemon's defaults. Not known when
    /// that is not YAML.
    static Limits limitsIn(const QString &yaml);

Q_SIGNALS:
    void changed();

private:
    void read();

    Daemon &m_daemon;
    Limits m_limits;
};

} // namespace kv
