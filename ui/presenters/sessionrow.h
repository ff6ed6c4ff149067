// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>

namespace kv {

/// A row of kv.list. Times are milliseconds since the Unix epoch; 0: never.
struct SessionRow {
    QString session; ///< 6 hex digits
    QString hash;
    QString label;
    QString provider;
    QString model;
    QString server;
    QString state;
    QString reason;
    QString verdict;
    qint64 tokens = 0;
    qint64 bytes = 0;
    qint64 updatedMs = 0;
    qint64 lastRestoreMs = 0;
    int slot = -1; ///< the slot it owns now; −1: none
    bool pinned = false;
    bool base = false; ///< a beginning that sessions share, not a session's own state
    qint64 prefixTokens = -1; ///< of a base: tokens that others were seen to share; −1: not seen yet

    static SessionRow fromJson(const QJsonObject &row);
    /// What names this snapshot among all, whatever else about it changes.
    [[nodiscard]] QString identity() const;
    /// The parameters that make a call mean this snapshot only.
    [[nodiscard]] QJsonObject callParams() const;
    [[nodiscard]] QString name() const;
};

/// The rows of an answer to kv.list.
QList<SessionRow> sessionRows(const QJsonObject &answer);

QString snapshotStateText(const QString &state);
/// The reason code of a row as a sentence, its detail behind it; empty for no reason.
QString snapshotReasonText(const QString &reason);
QString reuseVerdictText(const QString &verdict);
/// The state of a session, as kv.get has it.
QString sessionStateText(const QString &state);

} // namespace kv
