// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <utility>

namespace kv {

/// Makes what a fault report holds fit for strangers: no keys, no user part of addresses, no labels (they are
/// the beginning of a conversation), the home folder as `~`.
class ReportScrub final {
public:
    explicit ReportScrub(QString home)
        : m_home(std::move(home))
    {
    }

    [[nodiscard]] QString text(const QString &text) const;
    [[nodiscard]] QJsonObject document(const QJsonObject &document) const;
    /// A configuration file: without comments and without the values of keys that look like a secret. These
    /// are taken out of everything that comes later, too.
    [[nodiscard]] QString config(const QString &yaml);

private:
    [[nodiscard]] QJsonValue value(const QString &key, const QJsonValue &value) const;

    QString m_home;
    QStringList m_secrets;
};

} // namespace kv
