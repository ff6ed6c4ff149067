// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"

#include <QString>
#include <QUrl>

#include <optional>

namespace kv {

/// The one server that a proxy stands before, as the configuration has it.
class ProxyTarget final {
public:
    ProxyTarget() = default;
    /// nullopt: the configuration has no proxy, or its server is not there.
    static std::optional<ProxyTarget> of(const Config &config);

    [[nodiscard]] const QString &server() const { return m_server; }
    [[nodiscard]] const QUrl &url() const { return m_url; }
    /// The first provider of the configuration that routes this model to the server; empty: none does, so
    /// that requests are passed on and not managed.
    [[nodiscard]] QString providerFor(const QString &model) const;

private:
    QString m_server;
    QUrl m_url;
    Config m_config;
};

} // namespace kv
