// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <map>
#include <vector>

namespace kv {

/// What the database held of one server.
struct LoadedServer {
    std::vector<Snapshot> snapshots; ///< ordered by session; equal texts and fingerprints are shared
    NameNumber highWater = 0;
    QMap<QString, qint64> totals;
    QMap<QString, QString> settings;
};

/// What SnapshotStore::open() found. A value without ties to the store.
struct LoadedStore {
    QString namePrefix; ///< 16 hex digits
    std::map<QString, LoadedServer> servers;
    /// The last stop was orderly. False after a crash, and when the database was lost: numbers that no
    /// snapshot holds may still be written to.
    bool cleanStop = true;
    QString previousMachineBoot; ///< of the machine, at the last start; empty: none
    QString machineBoot;
    /// Where numbers start for a server that is not on record: above 0 once a database was lost, as its marks
    /// are.
    NameNumber firstHighWater = 0;
    QStringList notices; ///< sentences for the user about what was found and done

    /// What is on record of `name`, or a fresh entry.
    [[nodiscard]] LoadedServer server(const QString &name) const;
    /// Prefix of the server's file names.
    [[nodiscard]] QString serverPrefix(const QString &name) const;
    /// The machine itself stopped without warning: files that were not synced may be incomplete.
    [[nodiscard]] bool machineStoppedUncleanly() const;
};

} // namespace kv
