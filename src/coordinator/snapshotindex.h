// SPDX-License-Identifier: MIT
#pragma once

#include "snapshot.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace kv {

struct JournalAccess;

/// All snapshots of one server in memory: every read on the request path is answered from here. Changed only
/// when the database has confirmed a write.
class SnapshotIndex final {
public:
    using Rows
        = std::vector<Snapshot>; ///< of one session, most recently saved first; at most c_identitiesKept
    static constexpr std::size_t c_identitiesKept = 2;

    /// What put() pushed out: rows whose files are no longer named by anything.
    [[nodiscard]] Rows put(const Snapshot &row);
    /// Nothing when there is none.
    std::optional<Snapshot> remove(const QString &session, const QString &fingerprintHash);

    [[nodiscard]] const Rows *find(const QString &session) const;
    [[nodiscard]] Snapshot *row(const QString &session, const QString &fingerprintHash);
    /// Of the same runtime as far as known, whatever its state.
    [[nodiscard]] const Snapshot *compatible(const QString &session, const Fingerprint &runtime) const;
    [[nodiscard]] const std::map<QString, Rows> &all() const { return m_rows; }
    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] Rows basesOf(const QString &session) const; ///< those that it computed
    /// All rows that name the file of this one, with itself: at most a session's and its base's.
    [[nodiscard]] Rows ofFile(const Snapshot &row) const;
    /// The keys of all() under which bases stand.
    [[nodiscard]] const std::set<QString> &bases() const { return m_bases; }
    /// Another row names the same file: a base and the snapshot that it comes from may.
    [[nodiscard]] bool sharesFile(const Snapshot &row) const;
    /// A base that takes no room of its own: its file is counted with the snapshot that it comes from.
    [[nodiscard]] bool isFree(const Snapshot &row) const { return row.base && sharesFile(row); }

    /// What a session has for the running fingerprint.
    struct Match {
        const Snapshot *usable = nullptr; ///< to be restored
        const Snapshot *nearest = nullptr; ///< else: the newest that is not, and why
        QString reason; ///< MODEL_CHANGED, RESTORE_FAILED, …
        QString detail; ///< "modelPath was …, is …"
    };
    [[nodiscard]] Match match(const QString &session, const Fingerprint &running) const;

    /// A row's state against the running fingerprint (null: not known, so as recorded).
    struct Judgement {
        SnapshotState state = SnapshotState::Valid;
        QString reason;
        QString detail;
    };
    [[nodiscard]] static Judgement judge(const Snapshot &row, const Fingerprint *running);

private:
    friend struct JournalAccess;
    [[nodiscard]] bool names(const QString &session, NameNumber file) const;

    std::map<QString, Rows> m_rows;
    std::set<QString> m_bases;
    int m_count = 0;
};

} // namespace kv
