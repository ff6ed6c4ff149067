// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"
#include "snapshot.h"
#include "storedatabase.h"

#include <QHash>
#include <QMap>
#include <QString>
#include <QStringList>

#include <map>
#include <utility>

namespace kv {

/// What the store holds of one server.
struct ServerRows {
    std::map<std::pair<QString, QString>, Snapshot> snapshots; ///< by (session, fingerprint hash)
    NameNumber highWater = 0;
    QMap<QString, qint64> totals;
    QMap<QString, QString> settings;
};

/// All rows of the database in memory: what a vanished database is written anew from. Its texts are shared
/// with what open() handed out, so a row costs about half a kilobyte here.
struct StoreMirror {
    std::map<QString, ServerRows> servers;
    QHash<QString, FingerprintPtr> fingerprints; ///< by hash
    QMap<QString, QString> meta;
};

// Keys of StoreMirror::meta.
namespace metakey {
inline constexpr QStringView prefix = u"prefix";
inline constexpr QStringView clean = u"clean"; ///< "1" after an orderly stop
inline constexpr QStringView machineBoot = u"machineBoot";
} // namespace metakey

/// Reads everything. A row that makes no sense is kept as Invalid with reason MANIFEST_INVALID when its file
/// can still be named, else left out; `notices` says so.
Result<StoreMirror> readRows(StoreDatabase &database, QStringList &notices);

// Writes of one row, to be called inside a transaction.
Result<Done> writeSnapshot(StoreDatabase &database, const QString &server, const Snapshot &snapshot);
Result<Done> removeSnapshot(
    StoreDatabase &database, const QString &server, const QString &session, const QString &fingerprintHash);
Result<Done> touchSnapshot(StoreDatabase &database, const QString &server, const Snapshot &snapshot);
Result<Done> writeHighWater(StoreDatabase &database, const QString &server, NameNumber number);
Result<Done> writeTotal(StoreDatabase &database, const QString &server, const QString &name, qint64 value);
/// A null value removes the setting.
Result<Done> writeSetting(
    StoreDatabase &database, const QString &server, const QString &key, const QString &value);
Result<Done> writeMeta(StoreDatabase &database, QStringView key, const QString &value);
Result<Done> removeUnusedFingerprints(StoreDatabase &database);
/// Everything, into empty tables.
Result<Done> writeRows(StoreDatabase &database, const StoreMirror &mirror);

/// The columns that Touch may change, and nothing else: never which file a row points to.
void copyTouched(Snapshot &to, const Snapshot &from);

} // namespace kv
