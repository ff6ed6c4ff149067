// SPDX-License-Identifier: MIT
#pragma once

#include "loadedstore.h"
#include "metadatafolder.h"
#include "snapshotstore.h"
#include "storedatabase.h"
#include "storerows.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace kv {

/// SnapshotStore's half in the worker thread; every function runs there.
class StoreWorker final : public QObject {
    Q_OBJECT

public:
    explicit StoreWorker(StoreOptions options);
    ~StoreWorker() override;
    Q_DISABLE_COPY_MOVE(StoreWorker)

    Result<LoadedStore> open(const QString &folder);
    void apply(const StoreCommand &command);
    void setTotals(const QString &server, const QMap<QString, qint64> &totals, StoreSeq seq);
    void setSetting(const QString &server, const QString &key, const QString &value, StoreSeq seq);
    Result<Done> close(bool orderly);
    void drop(); ///< closes the connection, no more

Q_SIGNALS:
    void done(const QString &server, kv::StoreSeq seq);
    void failed(const QString &server, kv::StoreSeq seq, const kv::Error &error);
    void recreated(const QString &sentence);

private:
    using Body = std::function<Result<Done>()>;

    // opening
    Result<Done> openOrReplace(QStringList &notices, bool &lost);
    Result<Done> openDatabase(QStringList &notices);
    void settlePrefix(const std::optional<QString> &kept, QStringList &notices);
    [[nodiscard]] LoadedStore loaded() const;

    // writing
    Result<Done> commit(Durability durability, const Body &body);
    Result<Done> transaction(Durability durability, const Body &body);
    Result<Done> write(const StoreCommand &command);
    void mirror(const StoreCommand &command);
    void answer(const QString &server, StoreSeq seq, const Result<Done> &result);

    // the files
    [[nodiscard]] bool vanished() const;
    void rememberFiles();
    Result<QString> setAside();
    Result<Done> writePrefixFile();
    void removeFiles();
    Result<Done> rebuild(const QString &what);

    StoreOptions m_options;
    QString m_folder;
    QString m_file;
    std::unique_ptr<StoreDatabase> m_database;
    StoreMirror m_mirror;
    std::optional<FileId> m_fileId;
    std::optional<FileId> m_walId;
    qint64 m_fileSize = 0;
    bool m_fresh = false; ///< the database was new when it was opened
    bool m_open = false;
    bool m_marked = false; ///< the database says that this run has not been stopped in order
};

} // namespace kv
