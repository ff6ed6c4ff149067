// SPDX-License-Identifier: MIT
#include "storeschema.h"

#include <QFileInfo>

#include <array>
#include <span>

namespace kv {

namespace {

constexpr std::array<const char16_t *, 7> c_toVersion1 {
    u"PRAGMA application_id = 1263947859",
    u"CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    u"CREATE TABLE server (name TEXT NOT NULL PRIMARY KEY, high_water INTEGER NOT NULL DEFAULT 0)"
    u" WITHOUT ROWID",
    u"CREATE TABLE fingerprint (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, compared TEXT NOT NULL,"
    u" shown TEXT NOT NULL, slot_context INTEGER NOT NULL)",
    u"CREATE TABLE snapshot (server TEXT NOT NULL, session TEXT NOT NULL, fingerprint INTEGER NOT NULL,"
    u" schema_version INTEGER NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, slot_model TEXT NOT "
    u"NULL,"
    u" endpoint_hash TEXT NOT NULL, boot TEXT NOT NULL, slot INTEGER NOT NULL, name INTEGER NOT NULL,"
    u" session_seq INTEGER NOT NULL, tokens INTEGER NOT NULL, bytes INTEGER NOT NULL, created INTEGER NOT "
    u"NULL,"
    u" updated INTEGER NOT NULL, last_restore INTEGER NOT NULL, used_seq INTEGER NOT NULL, state TEXT NOT "
    u"NULL,"
    u" reason TEXT NOT NULL, compatibility TEXT NOT NULL, verdict TEXT NOT NULL, pinned INTEGER NOT NULL,"
    u" subagent INTEGER NOT NULL, label TEXT NOT NULL, checksum TEXT NOT NULL,"
    u" PRIMARY KEY (server, session, fingerprint)) WITHOUT ROWID",
    u"CREATE TABLE total (server TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,"
    u" PRIMARY KEY (server, name)) WITHOUT ROWID",
    u"CREATE TABLE setting (server TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
    u" PRIMARY KEY (server, key)) WITHOUT ROWID",
};
static_assert(c_applicationId == 1263947859);

/// Bases: second references to a session's file.
constexpr std::array<const char16_t *, 4> c_toVersion2 {
    u"ALTER TABLE snapshot ADD COLUMN base INTEGER NOT NULL DEFAULT 0",
    u"ALTER TABLE snapshot ADD COLUMN source TEXT NOT NULL DEFAULT ''",
    u"ALTER TABLE snapshot ADD COLUMN prefix_tokens INTEGER NOT NULL DEFAULT -1",
    u"ALTER TABLE snapshot ADD COLUMN misses INTEGER NOT NULL DEFAULT 0",
};

/// Step n (from 0) leads from schema n to n + 1. Steps that were released are never changed, only followed by
/// others.
constexpr std::array<std::span<const char16_t *const>, c_storeSchema> c_steps { c_toVersion1, c_toVersion2 };

Result<Done> runStep(StoreDatabase &database, int from)
{
    for (const char16_t *statement : c_steps.at(static_cast<std::size_t>(from))) {
        if (Result<Done> done = database.run(QStringView(statement).toString()); !done) {
            return done;
        }
    }
    return database.run(QStringLiteral("PRAGMA user_version = %1").arg(from + 1));
}

Error notOurs(const QString &detail)
{
    return Error { ErrorCode::ManifestInvalid, QStringLiteral("The file is no database of kv-persist."),
        detail };
}

} // namespace

Error newerSchema(const QString &file, qint64 version)
{
    return Error { ErrorCode::MetadataIo,
        QStringLiteral(
            "The database %1 was written by a newer kv-persist (schema %2, this one knows %3). It was left "
            "untouched. Update kv-persist, or name another folder as metadata.path.")
            .arg(file, QString::number(version), QString::number(c_storeSchema)),
        {} };
}

Result<int> checkSchema(StoreDatabase &database)
{
    const Result<qint64> version = database.readNumber(QStringLiteral("PRAGMA user_version"));
    if (!version) {
        return version.error();
    }
    const Result<qint64> application = database.readNumber(QStringLiteral("PRAGMA application_id"));
    if (!application) {
        return application.error();
    }
    const Result<qint64> tables = database.readNumber(QStringLiteral("SELECT count(*) FROM sqlite_master"));
    if (!tables) {
        return tables.error();
    }
    if (version.value() == 0 && application.value() == 0 && tables.value() == 0) {
        return 0;
    }
    if (application.value() != c_applicationId || version.value() < 1) {
        return notOurs(QStringLiteral("application_id %1, user_version %2")
                           .arg(application.value())
                           .arg(version.value()));
    }
    if (version.value() > c_storeSchema) {
        return newerSchema(database.file(), version.value());
    }
    const Result<QString> check = database.readText(QStringLiteral("PRAGMA quick_check(1)"));
    if (!check) {
        return check.error();
    }
    if (check.value() != QLatin1String("ok")) {
        return notOurs(check.value());
    }
    return static_cast<int>(version.value());
}

Result<Done> migrate(StoreDatabase &database, int version)
{
    for (int from = version; from < c_storeSchema; ++from) {
        Result<Done> done = database.transaction(Durability::Full, [&] { return runStep(database, from); });
        if (!done) {
            return done;
        }
    }
    return Done {};
}

Result<Done> createSchema(StoreDatabase &database)
{
    for (int from = 0; from < c_storeSchema; ++from) {
        if (Result<Done> done = runStep(database, from); !done) {
            return done;
        }
    }
    return Done {};
}

} // namespace kv
