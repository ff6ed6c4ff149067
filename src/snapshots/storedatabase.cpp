// SPDX-License-Identifier: MIT
#include "storedatabase.h"

#include <QFileInfo>
#include <QUuid>

#include <utility>

namespace kv {

namespace {

// Primary result codes of SQLite (its C header is not needed for anything else).
enum class SqliteCode {
    Error = 1,
    Permission = 3,
    Busy = 5,
    Locked = 6,
    ReadOnly = 8,
    IoError = 10,
    Corrupt = 11,
    Full = 13,
    CantOpen = 14,
    NotADatabase = 26,
};

constexpr int c_primaryMask = 0xff;

QString sentence(SqliteCode code, const QString &folder)
{
    switch (code) {
    case SqliteCode::Full:
        return QStringLiteral(
            "The disk that holds the metadata folder %1 is full, so the last snapshot could not be "
            "recorded and the one before stays in use. Free some space there: the next save tries "
            "again.")
            .arg(folder);
    case SqliteCode::ReadOnly:
    case SqliteCode::Permission:
        return QStringLiteral(
            "The metadata folder %1 cannot be written to, so the last snapshot could not be recorded "
            "and the one before stays in use. Make the folder and its files writable for this "
            "user: the next save tries again.")
            .arg(folder);
    case SqliteCode::Busy:
    case SqliteCode::Locked:
        return QStringLiteral(
            "The database in the metadata folder %1 is locked by another program, so the last "
            "snapshot could not be recorded and the one before stays in use. Close that program: "
            "the next save tries again.")
            .arg(folder);
    default:
        return QStringLiteral(
            "The database in the metadata folder %1 cannot be read or written, so the last snapshot "
            "could not be recorded and the one before stays in use. Check that disk and the rights "
            "of the folder: the next save tries again.")
            .arg(folder);
    }
}

bool damaged(SqliteCode code)
{
    switch (code) {
    case SqliteCode::Error: // a table or column that is not there: not the schema its version promises
    case SqliteCode::Corrupt:
    case SqliteCode::NotADatabase:
        return true;
    default:
        return false;
    }
}

} // namespace

StoreDatabase::StoreDatabase(QString file, const DatabaseLimits &limits)
    : m_file(std::move(file))
    , m_limits(limits)
    , m_connection(QUuid::createUuid().toString(QUuid::WithoutBraces))
    , m_db(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection))
{
}

StoreDatabase::~StoreDatabase()
{
    m_db.close();
    m_db = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_connection);
}

Result<std::unique_ptr<StoreDatabase>> StoreDatabase::open(const QString &file, const DatabaseLimits &limits)
{
    std::unique_ptr<StoreDatabase> database(new StoreDatabase(file, limits));
    QSqlDatabase &db = database->m_db;
    if (!db.isValid()) {
        return Error { ErrorCode::MetadataIo,
            QStringLiteral(
                "Qt's SQLite driver is not installed, so no snapshot can be recorded. Install the package "
                "with the SQLite driver of Qt 6 (Debian: libqt6sql6-sqlite)."),
            db.lastError().text() };
    }
    db.setDatabaseName(file);
    db.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(limits.busyTimeoutMs));
    if (!db.open()) {
        return database->failure(db.lastError(), QStringLiteral("open"));
    }
    return database;
}

Error StoreDatabase::failure(const QSqlError &error, const QString &sql) const
{
    bool isNumber = false;
    const int native = error.nativeErrorCode().toInt(&isNumber);
    const SqliteCode code = isNumber ? static_cast<SqliteCode>(native & c_primaryMask) : SqliteCode::IoError;
    return Error {
        damaged(code) ? ErrorCode::ManifestInvalid : ErrorCode::MetadataIo,
        sentence(code, QFileInfo(m_file).path()),
        QStringLiteral("SQLite error %1 (%2) at: %3").arg(error.nativeErrorCode(), error.text(), sql.left(60))
    };
}

Result<Done> StoreDatabase::run(const QString &sql, const QVariantList &values)
{
    return read(sql, {}, values);
}

Result<Done> StoreDatabase::read(
    const QString &sql, const std::function<void(const QSqlQuery &)> &row, const QVariantList &values)
{
    QSqlQuery query(m_db);
    query.setForwardOnly(true);
    if (!query.prepare(sql)) {
        return failure(query.lastError(), sql);
    }
    for (const QVariant &value : values) {
        query.addBindValue(value);
    }
    if (!query.exec()) {
        return failure(query.lastError(), sql);
    }
    while (query.next()) {
        if (row) {
            row(query);
        }
    }
    if (query.lastError().isValid()) {
        return failure(query.lastError(), sql);
    }
    return Done {};
}

Result<QString> StoreDatabase::readText(const QString &sql)
{
    QString text;
    const Result<Done> done = read(sql, [&](const QSqlQuery &query) { text = query.value(0).toString(); });
    if (!done) {
        return done.error();
    }
    return text;
}

Result<qint64> StoreDatabase::readNumber(const QString &sql)
{
    qint64 number = 0;
    const Result<Done> done
        = read(sql, [&](const QSqlQuery &query) { number = query.value(0).toLongLong(); });
    if (!done) {
        return done.error();
    }
    return number;
}

Result<Done> StoreDatabase::setPragma(const QString &name, const QString &value, const QString &readBack)
{
    if (const Result<Done> set = run(QStringLiteral("PRAGMA %1 = %2").arg(name, value)); !set) {
        return set;
    }
    const Result<QString> now = readText(QStringLiteral("PRAGMA %1").arg(name));
    if (!now) {
        return now.error();
    }
    if (now.value().compare(readBack.isEmpty() ? value : readBack, Qt::CaseInsensitive) != 0) {
        return Error { ErrorCode::MetadataIo, sentence(SqliteCode::IoError, QFileInfo(m_file).path()),
            QStringLiteral("PRAGMA %1 is %2 after it was set to %3").arg(name, now.value(), value) };
    }
    return Done {};
}

Result<Done> StoreDatabase::configure()
{
    if (Result<Done> set = setPragma(QStringLiteral("journal_mode"), QStringLiteral("wal")); !set) {
        return set;
    }
    if (Result<Done> set
        = setPragma(QStringLiteral("temp_store"), QStringLiteral("MEMORY"), QStringLiteral("2"));
        !set) {
        return set;
    }
    if (m_limits.maxPages > 0) {
        return setPragma(QStringLiteral("max_page_count"), QString::number(m_limits.maxPages));
    }
    return Done {};
}

Result<Done> StoreDatabase::transaction(Durability durability, const std::function<Result<Done>()> &body)
{
    if (m_durability != durability) {
        const bool full = durability == Durability::Full;
        m_durability.reset();
        const Result<Done> set = setPragma(QStringLiteral("synchronous"),
            full ? QStringLiteral("FULL") : QStringLiteral("NORMAL"),
            full ? QStringLiteral("2") : QStringLiteral("1"));
        if (!set) {
            return set;
        }
        m_durability = durability;
    }
    if (Result<Done> begun = run(QStringLiteral("BEGIN IMMEDIATE")); !begun) {
        return begun;
    }
    Result<Done> done = body();
    if (done) {
        done = run(QStringLiteral("COMMIT"));
    }
    if (!done) {
        // SQLite has rolled back by itself after some errors; then this one fails and nothing is lost by it.
        static_cast<void>(run(QStringLiteral("ROLLBACK")));
    }
    return done;
}

} // namespace kv
