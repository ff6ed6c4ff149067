// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

/// What kv-persist-bench makes of its JSON, without measuring anything.
namespace kv::bench {

/// A turn whose time to the first token is measured, with kv-persist or on the bare server.
struct Situation {
    QString side; ///< key in the JSON: withKvPersist or bareServer
    QString key; ///< key in that
    QString label;
};
const std::vector<Situation> &situations();

/// All parts that a whole report has, in their order.
const QStringList &reportParts();

/// The README's numbers as Markdown. `plots`: the folder of the drawings, as the README names it; empty:
/// none.
QString markdownReport(const QJsonObject &results, const QString &plots);

/// The rows of "what | measured", each under the part that it is of.
std::vector<std::pair<QString, QString>> measuredRows(const QJsonObject &results);

/// The drawings, by file name.
QMap<QString, QByteArray> drawings(const QJsonObject &results);

/// `readme` with `block` between its marks; nothing when they are not there, once each and in their order.
std::optional<QString> withNumbers(const QString &readme, const QString &block);

} // namespace kv::bench
