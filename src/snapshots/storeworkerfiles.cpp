// SPDX-License-Identifier: MIT
// StoreWorker: transactions, and what to do when the files under them vanish or break.
#include "storeschema.h"
#include "storeworker.h"
#include "threadhandover.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <utility>

namespace kv {

namespace {

constexpr QByteArrayView c_sqliteMagic("SQLite format 3");
constexpr std::array<QStringView, 3> c_parts { u"", u"-wal", u"-shm" };

QString walFile(const QString &file) { return file + QStringLiteral("-wal"); }

} // namespace

Result<Done> StoreWorker::commit(Durability durability, const Body &body)
{
    if (!m_open) {
        return Error { ErrorCode::MetadataIo, QStringLiteral("The database of snapshots is not open."), {} };
    }
    if (m_database == nullptr || vanished()) {
        if (Result<Done> rebuilt = rebuild(QStringLiteral("vanished")); !rebuilt) {
            return rebuilt;
        }
    }
    Result<Done> result = transaction(durability, body);
    if (!result && (isDamage(result.error()) || vanished())) {
        if (Result<Done> rebuilt = rebuild(QStringLiteral("was damaged")); !rebuilt) {
            return rebuilt;
        }
        result = transaction(durability, body);
    }
    return result;
}

Result<Done> StoreWorker::transaction(Durability durability, const Body &body)
{
    Result<Done> result = m_database->transaction(durability, [&] {
        Result<Done> done = Done {};
        if (!m_marked) {
            for (auto it = m_mirror.meta.cbegin(); done && it != m_mirror.meta.cend(); ++it) {
                done = writeMeta(*m_database, it.key(), it.value());
            }
            done = done ? removeUnusedFingerprints(*m_database) : done;
        }
        return done && body ? body() : done;
    });
    m_marked = m_marked || result.ok();
    m_fileSize = std::max(m_fileSize, QFileInfo(m_file).size());
    return result;
}

/// Somebody moved, deleted or overwrote our files: what is written to the open ones would be lost.
bool StoreWorker::vanished() const
{
    if (fileId(m_file) != m_fileId || (m_walId.has_value() && fileId(walFile(m_file)) != m_walId)) {
        return true;
    }
    // SQLite would go on from its page cache for long. It never makes the file smaller by itself.
    QFile file(m_file);
    return file.size() < m_fileSize
        || (m_fileSize > 0
            && (!file.open(QIODevice::ReadOnly) || file.read(c_sqliteMagic.size()) != c_sqliteMagic));
}

void StoreWorker::rememberFiles()
{
    m_fileId = fileId(m_file);
    m_fileSize = QFileInfo(m_file).size();
    m_walId = fileId(walFile(m_file));
}

/// Renames the database and its companions; the flat name of the set-aside file.
Result<QString> StoreWorker::setAside()
{
    const QString stamp = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMddTHHmmss"));
    QString target = QStringLiteral("%1.damaged-%2").arg(m_file, stamp);
    for (int i = 2; QFile::exists(target); ++i) {
        target = QStringLiteral("%1.damaged-%2-%3").arg(m_file, stamp).arg(i);
    }
    for (const QStringView part : c_parts) {
        QFile file(m_file + part.toString());
        if (file.exists() && !file.rename(target + part.toString())) {
            return Error { ErrorCode::MetadataIo,
                QStringLiteral(
                    "The database %1 is damaged and could not be renamed (%2), so no snapshot can be "
                    "recorded. Move it away by hand, or make its folder writable for this user.")
                    .arg(m_file, file.errorString()),
                {} };
        }
    }
    return QFileInfo(target).fileName();
}

Result<Done> StoreWorker::rebuild(const QString &what)
{
    m_database.reset();
    QString aside;
    if (const auto present = fileId(m_file); present.has_value()) {
        const Result<QString> moved = setAside();
        if (!moved) {
            return moved.error();
        }
        aside = QStringLiteral(" What was found there is kept as %1.").arg(moved.value());
    }
    if (Result<Done> made = makeMetadataFolder(m_folder); !made) {
        return made;
    }
    if (Result<Done> written = writePrefixFile(); !written) {
        return written;
    }
    if (Result<Done> made = makePrivateFile(m_file); !made) {
        return made;
    }
    Result<std::unique_ptr<StoreDatabase>> opened = StoreDatabase::open(m_file, m_options.limits);
    if (!opened) {
        return opened.error();
    }
    std::unique_ptr<StoreDatabase> database = std::move(opened).value();
    Result<Done> done = database->configure();
    if (done) {
        done = database->transaction(Durability::Full, [&] {
            Result<Done> created = createSchema(*database);
            return created ? writeRows(*database, m_mirror) : created;
        });
    }
    if (!done) {
        // Half a database must not be taken for ours by the next try.
        database.reset();
        removeFiles();
        return done;
    }
    m_database = std::move(database);
    m_marked = true;
    rememberFiles();
    handsOver();
    Q_EMIT recreated(QStringLiteral(
        "The database of snapshots in %1 %2 while kv-persist ran. It was written anew from memory: "
        "nothing on record is lost.%3")
                         .arg(m_folder, what, aside));
    return done;
}

void StoreWorker::removeFiles()
{
    for (const QStringView part : c_parts) {
        QFile::remove(m_file + part.toString());
    }
}

} // namespace kv
