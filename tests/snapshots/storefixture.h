// SPDX-License-Identifier: MIT
#pragma once

#include "snapshotstore.h"

#include <QObject>
#include <QStringList>

#include <map>
#include <vector>

namespace kv::test {

FingerprintPtr makeFingerprint(const QString &model, qint64 slotContext = 8192);
/// Every field set, and different for different arguments.
Snapshot makeSnapshot(const QString &session, NameNumber name, const FingerprintPtr &fingerprint);
StoreCommand put(StoreSeq seq, const QString &server, const Snapshot &snapshot);
StoreCommand command(
    StoreCommand::Kind kind, StoreSeq seq, const QString &server, const Snapshot &snapshot = {});

/// The names of the fields in which two snapshots differ; empty: equal.
QStringList differences(const Snapshot &a, const Snapshot &b);
/// The snapshot of a session, or one with name −1.
Snapshot find(const LoadedStore &loaded, const QString &server, const QString &session);

QString databaseFile(const QString &folder);
QString prefixFile(const QString &folder);

/// Collects what a store answers.
class StoreLog final : public QObject {
    Q_OBJECT

public:
    explicit StoreLog(SnapshotStore &store);
    /// Processes events until `count` commands were answered, one minute at most.
    bool wait(int count);

    std::vector<StoreSeq> order; ///< of all answers
    std::map<StoreSeq, Error> failures;
    QStringList recreations;
};

/// Snapshot `number` of server "a".
Snapshot row(int number);
/// A folder whose database holds rows 1 to `rows`, a high-water mark, a total and a setting; stopped in
/// order.
void fill(const QString &folder, int rows);
/// Opens `folder` anew: rows 1 to `rows` are all there and equal, with the rest.
void verifyRows(const QString &folder, int rows);

QByteArray contentOf(const QString &path);
void overwrite(const QString &path, const QByteArray &content);
QStringList setAsideFiles(const QString &folder);

} // namespace kv::test
