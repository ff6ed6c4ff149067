// SPDX-License-Identifier: MIT
#include "storeworker.h"

#include "snapshotname.h"
#include "storeschema.h"
#include "threadhandover.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QtEndian>

#include <algorithm>
#include <utility>

namespace kv {

namespace {

constexpr QStringView c_firstNumber = u"firstNumber";

// Where numbers begin after a database was lost, with the marks in it: above whatever an operation of before
// may still write to. Random, so that a second loss meets other numbers.
constexpr int c_lowestAfterLoss = 2048;
constexpr int c_highestAfterLoss = 16384;

QString databaseFile(const QString &folder)
{
    return QDir(folder).absoluteFilePath(QStringLiteral("kv-persist.db"));
}

QString prefixFile(const QString &folder)
{
    return QDir(folder).absoluteFilePath(QStringLiteral("name-prefix"));
}

std::optional<QString> readPrefix(const QString &folder)
{
    const std::optional<QByteArray> content = readSmallFile(prefixFile(folder));
    const QString prefix = content ? QString::fromLatin1(content->trimmed()) : QString();
    return isNamePrefix(prefix) ? std::optional(prefix) : std::nullopt;
}

/// Schema version in the header of a database of ours, read without SQLite, which might change the file; 0:
/// not told.
int rawSchemaVersion(const QString &file)
{
    constexpr qsizetype versionAt = 60;
    constexpr qsizetype applicationAt = 68;
    constexpr qsizetype headerSize = 100;
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly)) {
        return 0;
    }
    const QByteArray header = source.read(headerSize);
    const bool ours = header.size() == headerSize && header.startsWith("SQLite format 3")
        && qFromBigEndian<qint32>(header.constData() + applicationAt) == c_applicationId;
    return ours ? qFromBigEndian<qint32>(header.constData() + versionAt) : 0;
}

Durability durabilityOf(StoreCommand::Kind kind)
{
    return kind == StoreCommand::Kind::Touch ? Durability::Normal : Durability::Full;
}

bool concernsSnapshot(StoreCommand::Kind kind)
{
    return kind == StoreCommand::Kind::PutSnapshot || kind == StoreCommand::Kind::RemoveSnapshot
        || kind == StoreCommand::Kind::Touch;
}

/// Outside this folder's inner workings all failures are of one kind.
Error asIoError(Error error)
{
    if (isDamage(error)) {
        error.code = ErrorCode::MetadataIo;
    }
    return error;
}

} // namespace

StoreWorker::StoreWorker(StoreOptions options)
    : m_options(std::move(options))
{
    if (m_options.machineBoot.isEmpty()) {
        m_options.machineBoot = machineBootId();
    }
}

StoreWorker::~StoreWorker() = default;

Result<LoadedStore> StoreWorker::open(const QString &folder)
{
    drop();
    m_mirror = {};
    m_marked = false;
    m_folder = QDir(folder).absolutePath();
    m_file = databaseFile(m_folder);
    if (const int version = rawSchemaVersion(m_file); version > c_storeSchema) {
        return newerSchema(m_file, version);
    }
    if (const Result<Done> made = makeMetadataFolder(m_folder); !made) {
        return made.error();
    }
    const std::optional<QString> keptPrefix = readPrefix(m_folder);
    QStringList notices;
    bool lost = false;
    if (const Result<Done> opened = openOrReplace(notices, lost); !opened) {
        drop();
        return asIoError(opened.error());
    }
    if (!lost && m_fresh && keptPrefix.has_value()) {
        lost = true;
        notices.append(QStringLiteral("The database %1 was gone and is begun anew. Sessions start cold once.")
                           .arg(m_file));
    }
    const QString clean = m_mirror.meta.value(metakey::clean.toString(), QStringLiteral("1"));
    if (lost) {
        m_mirror.meta.insert(c_firstNumber.toString(),
            QString::number(QRandomGenerator::system()->bounded(c_lowestAfterLoss, c_highestAfterLoss)));
    }
    settlePrefix(keptPrefix, notices);
    LoadedStore result = loaded();
    result.cleanStop = clean == QLatin1String("1") && !lost;
    m_mirror.meta.insert(metakey::machineBoot.toString(), m_options.machineBoot);
    m_mirror.meta.insert(metakey::clean.toString(), QStringLiteral("0"));
    m_open = true;
    rememberFiles();
    // Not fatal: what was read can be used, and the mark is written with the first command that succeeds.
    if (const Result<Done> marked = transaction(Durability::Full, {}); !marked) {
        notices.append(marked.error().message);
    }
    rememberFiles();
    result.notices = notices;
    return result;
}

Result<Done> StoreWorker::openOrReplace(QStringList &notices, bool &lost)
{
    const Result<Done> opened = openDatabase(notices);
    if (opened || !isDamage(opened.error())) {
        return opened;
    }
    m_database.reset();
    const Result<QString> aside = setAside();
    if (!aside) {
        return aside.error();
    }
    lost = true;
    notices
        = { QStringLiteral("The database %1 was damaged. It was set aside as %2 and a new one was begun: no "
                           "conversation is affected, but every session starts cold once.")
                  .arg(m_file, aside.value()) };
    return openDatabase(notices);
}

Result<Done> StoreWorker::openDatabase(QStringList &notices)
{
    m_mirror = {};
    constexpr qint64 smallestPage = 512;
    if (const qint64 size = QFileInfo(m_file).size(); size > 0 && size < smallestPage) {
        // SQLite takes some such stumps for new, empty databases.
        return Error { ErrorCode::ManifestInvalid, {}, QStringLiteral("the file has %1 bytes").arg(size) };
    }
    // Before SQLite makes it with rights for everybody; its -wal and -shm take over the rights.
    if (Result<Done> made = makePrivateFile(m_file); !made) {
        return made;
    }
    Result<std::unique_ptr<StoreDatabase>> database = StoreDatabase::open(m_file, m_options.limits);
    if (!database) {
        return database.error();
    }
    m_database = std::move(database).value();
    const Result<int> version = checkSchema(*m_database);
    if (!version) {
        return version.error();
    }
    m_fresh = version.value() == 0;
    if (Result<Done> configured = m_database->configure(); !configured) {
        return configured;
    }
    if (Result<Done> migrated = migrate(*m_database, version.value()); !migrated) {
        return migrated;
    }
    Result<StoreMirror> rows = readRows(*m_database, notices);
    if (!rows) {
        return rows.error();
    }
    m_mirror = std::move(rows).value();
    return Done {};
}

/// The rows' files carry the prefix on record; the file beside the database keeps it for when that is lost.
void StoreWorker::settlePrefix(const std::optional<QString> &kept, QStringList &notices)
{
    QString prefix = m_mirror.meta.value(metakey::prefix.toString());
    if (!isNamePrefix(prefix)) {
        prefix = kept.value_or(randomNamePrefix());
        m_mirror.meta.insert(metakey::prefix.toString(), prefix);
    }
    if (kept != prefix) {
        if (const Result<Done> written = writePrefixFile(); !written) {
            notices.append(written.error().message);
        }
    }
}

Result<Done> StoreWorker::writePrefixFile()
{
    const QString prefix = m_mirror.meta.value(metakey::prefix.toString());
    return writePrivateFile(prefixFile(m_folder), prefix.toLatin1() + '\n');
}

LoadedStore StoreWorker::loaded() const
{
    LoadedStore result;
    result.namePrefix = m_mirror.meta.value(metakey::prefix.toString());
    result.previousMachineBoot = m_mirror.meta.value(metakey::machineBoot.toString());
    result.machineBoot = m_options.machineBoot;
    result.firstHighWater = m_mirror.meta.value(c_firstNumber.toString()).toLongLong();
    for (const auto &[name, rows] : m_mirror.servers) {
        LoadedServer &server = result.servers[name];
        server.snapshots.reserve(rows.snapshots.size());
        for (const auto &[key, snapshot] : rows.snapshots) {
            server.snapshots.push_back(snapshot);
        }
        server.highWater = rows.highWater;
        server.totals = rows.totals;
        server.settings = rows.settings;
    }
    return result;
}

void StoreWorker::apply(const StoreCommand &command)
{
    const Result<Done> result = commit(durabilityOf(command.kind), [&] { return write(command); });
    if (result) {
        mirror(command);
    }
    answer(command.server, command.seq, result);
}

void StoreWorker::setTotals(const QString &server, const QMap<QString, qint64> &totals, StoreSeq seq)
{
    const Result<Done> result = commit(Durability::Normal, [&] {
        Result<Done> done = Done {};
        for (auto it = totals.cbegin(); done && it != totals.cend(); ++it) {
            done = writeTotal(*m_database, server, it.key(), it.value());
        }
        return done;
    });
    if (result) {
        m_mirror.servers[server].totals.insert(totals);
    }
    answer(server, seq, result);
}

void StoreWorker::setSetting(const QString &server, const QString &key, const QString &value, StoreSeq seq)
{
    const Result<Done> result
        = commit(Durability::Normal, [&] { return writeSetting(*m_database, server, key, value); });
    if (result && value.isNull()) {
        m_mirror.servers[server].settings.remove(key);
    } else if (result) {
        m_mirror.servers[server].settings.insert(key, value);
    }
    answer(server, seq, result);
}

void StoreWorker::answer(const QString &server, StoreSeq seq, const Result<Done> &result)
{
    handsOver();
    if (!result) {
        Q_EMIT failed(server, seq, asIoError(result.error()));
    } else if (seq != 0) {
        Q_EMIT done(server, seq);
    }
}

Result<Done> StoreWorker::write(const StoreCommand &command)
{
    if (concernsSnapshot(command.kind) && command.snapshot.fingerprint == nullptr) {
        return Error { ErrorCode::Invariant,
            QStringLiteral("A snapshot without a runtime cannot be recorded."), {} };
    }
    switch (command.kind) {
    case StoreCommand::Kind::PutSnapshot:
        return writeSnapshot(*m_database, command.server, command.snapshot);
    case StoreCommand::Kind::RemoveSnapshot:
        return removeSnapshot(
            *m_database, command.server, command.snapshot.session, command.snapshot.fingerprint->hash());
    case StoreCommand::Kind::RaiseHighWater:
        return writeHighWater(*m_database, command.server, command.number);
    case StoreCommand::Kind::Touch:
        return touchSnapshot(*m_database, command.server, command.snapshot);
    }
    return Done {};
}

void StoreWorker::mirror(const StoreCommand &command)
{
    ServerRows &server = m_mirror.servers[command.server];
    const Snapshot &snapshot = command.snapshot;
    const auto key = [&] { return std::pair(snapshot.session, snapshot.fingerprint->hash()); };
    switch (command.kind) {
    case StoreCommand::Kind::PutSnapshot:
        server.snapshots.insert_or_assign(key(), snapshot);
        m_mirror.fingerprints.insert(snapshot.fingerprint->hash(), snapshot.fingerprint);
        break;
    case StoreCommand::Kind::RemoveSnapshot:
        server.snapshots.erase(key());
        break;
    case StoreCommand::Kind::RaiseHighWater:
        server.highWater = std::max(server.highWater, command.number);
        break;
    case StoreCommand::Kind::Touch:
        if (const auto found = server.snapshots.find(key()); found != server.snapshots.end()) {
            copyTouched(found->second, snapshot);
        }
        break;
    }
}

Result<Done> StoreWorker::close(bool orderly)
{
    Result<Done> result = Done {};
    if (m_open && orderly) {
        const QString key = metakey::clean.toString();
        result = commit(Durability::Full, [&] { return writeMeta(*m_database, key, QStringLiteral("1")); });
    }
    drop();
    return result ? result : asIoError(result.error());
}

void StoreWorker::drop()
{
    m_database.reset();
    m_open = false;
}

} // namespace kv
