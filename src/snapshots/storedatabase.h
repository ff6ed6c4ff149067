// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariantList>

#include <functional>
#include <memory>
#include <optional>

namespace kv {

/// The errors of the database are of two kinds: MetadataIo (disk full, read-only, busy, …: worth trying
/// again, with a sentence for the user) and ManifestInvalid (the file is damaged or no database of ours: to
/// be set aside).
inline bool isDamage(const Error &error) { return error.code == ErrorCode::ManifestInvalid; }

struct DatabaseLimits {
    int busyTimeoutMs = 2000; ///< how long another program's lock is waited for
    int maxPages = 0; ///< no more pages of 4096 bytes than this; 0: no limit
};

/// How much a commit is worth.
enum class Durability {
    Full, ///< on the disk when commit() returns
    Normal, ///< consistent after a crash, the last ones may be missing after a power cut
};

/// One SQLite connection. Opened, used and destroyed in one thread.
class StoreDatabase final {
public:
    static Result<std::unique_ptr<StoreDatabase>> open(const QString &file, const DatabaseLimits &limits);
    ~StoreDatabase();
    Q_DISABLE_COPY_MOVE(StoreDatabase)

    Result<Done> run(const QString &sql, const QVariantList &values = {});
    /// Calls `row` for each row of the answer.
    Result<Done> read(const QString &sql, const std::function<void(const QSqlQuery &)> &row,
        const QVariantList &values = {});
    Result<qint64> readNumber(const QString &sql);
    Result<QString> readText(const QString &sql);
    /// Sets a pragma and reads it back: SQLite ignores what it cannot do. The values must be equal, any case.
    Result<Done> setPragma(const QString &name, const QString &value, const QString &readBack = {});
    /// WAL, memory for temporary tables, the limits.
    Result<Done> configure();

    /// Runs `body` in one transaction; any failure, of the commit too, leaves the database as it was.
    Result<Done> transaction(Durability durability, const std::function<Result<Done>()> &body);

    [[nodiscard]] const QString &file() const { return m_file; }

private:
    StoreDatabase(QString file, const DatabaseLimits &limits);
    [[nodiscard]] Error failure(const QSqlError &error, const QString &sql) const;

    QString m_file;
    DatabaseLimits m_limits;
    QString m_connection;
    QSqlDatabase m_db;
    std::optional<Durability> m_durability;
};

} // namespace kv
