// SPDX-License-Identifier: MIT
#include "snapshotindex.h"

#include <algorithm>

namespace kv {

SnapshotIndex::Rows SnapshotIndex::put(const Snapshot &row)
{
    Rows &rows = m_rows[row.session];
    Rows out;
    // One state a runtime: a row that differs only in fields not known then is the same runtime's.
    std::erase_if(rows, [&](const Snapshot &old) {
        const bool same = !compareFingerprints(*old.fingerprint, *row.fingerprint, 0).has_value();
        if (same) {
            out.push_back(old);
        }
        return same;
    });
    rows.insert(rows.begin(), row);
    while (rows.size() > c_identitiesKept) {
        out.push_back(rows.back());
        rows.pop_back();
    }
    m_count += 1 - static_cast<int>(out.size());
    if (row.base) {
        m_bases.insert(row.session);
    }
    return out;
}

SnapshotIndex::Rows SnapshotIndex::basesOf(const QString &session) const
{
    SnapshotIndex::Rows rows;
    for (const QString &key : m_bases) {
        for (const Snapshot &row : *find(key)) {
            if (row.source == session) {
                rows.push_back(row);
            }
        }
    }
    return rows;
}

SnapshotIndex::Rows SnapshotIndex::ofFile(const Snapshot &row) const
{
    const QString &session = row.base ? row.source : row.session;
    Rows rows = basesOf(session);
    if (const Rows *own = find(session)) {
        rows.insert(rows.end(), own->begin(), own->end());
    }
    std::erase_if(rows, [&](const Snapshot &one) { return one.name != row.name; });
    return rows;
}

bool SnapshotIndex::names(const QString &session, NameNumber file) const
{
    const Rows *rows = find(session);
    return rows != nullptr
        && std::any_of(rows->begin(), rows->end(), [&](const Snapshot &row) { return row.name == file; });
}

bool SnapshotIndex::sharesFile(const Snapshot &row) const
{
    if (row.base) {
        return names(row.source, row.name);
    }
    return std::any_of(
        m_bases.begin(), m_bases.end(), [&](const QString &key) { return names(key, row.name); });
}

std::optional<Snapshot> SnapshotIndex::remove(const QString &session, const QString &fingerprintHash)
{
    const auto found = m_rows.find(session);
    if (found == m_rows.end()) {
        return std::nullopt;
    }
    Rows &rows = found->second;
    const auto at = std::find_if(rows.begin(), rows.end(),
        [&](const Snapshot &row) { return row.fingerprint->hash() == fingerprintHash; });
    if (at == rows.end()) {
        return std::nullopt;
    }
    Snapshot row = std::move(*at);
    rows.erase(at);
    if (rows.empty()) {
        m_rows.erase(found);
        m_bases.erase(session);
    }
    --m_count;
    return row;
}

const SnapshotIndex::Rows *SnapshotIndex::find(const QString &session) const
{
    const auto found = m_rows.find(session);
    return found == m_rows.end() ? nullptr : &found->second;
}

Snapshot *SnapshotIndex::row(const QString &session, const QString &fingerprintHash)
{
    const auto found = m_rows.find(session);
    if (found == m_rows.end()) {
        return nullptr;
    }
    for (Snapshot &row : found->second) {
        if (row.fingerprint->hash() == fingerprintHash) {
            return &row;
        }
    }
    return nullptr;
}

const Snapshot *SnapshotIndex::compatible(const QString &session, const Fingerprint &runtime) const
{
    const Rows *rows = find(session);
    if (rows == nullptr) {
        return nullptr;
    }
    const auto at = std::find_if(rows->begin(), rows->end(),
        [&](const Snapshot &row) { return !compareFingerprints(*row.fingerprint, runtime, 0).has_value(); });
    return at == rows->end() ? nullptr : &*at;
}

SnapshotIndex::Judgement SnapshotIndex::judge(const Snapshot &row, const Fingerprint *running)
{
    if (row.state == SnapshotState::Invalid) {
        return { SnapshotState::Invalid, row.reason, {} };
    }
    if (running != nullptr) {
        if (const auto mismatch = compareFingerprints(*row.fingerprint, *running, row.tokens)) {
            return { SnapshotState::Hidden, mismatch->reason,
                QStringLiteral("%1 was %2, is %3").arg(mismatch->field, mismatch->was, mismatch->is) };
        }
    }
    return { row.state, row.reason, {} };
}

SnapshotIndex::Match SnapshotIndex::match(const QString &session, const Fingerprint &running) const
{
    Match match;
    const Rows *rows = find(session);
    if (rows == nullptr) {
        return match;
    }
    for (const Snapshot &row : *rows) {
        const Judgement judgement = judge(row, &running);
        if (judgement.state == SnapshotState::Valid || judgement.state == SnapshotState::Suspect) {
            match.usable = &row;
            match.reason.clear();
            match.detail.clear();
            return match;
        }
        if (match.nearest == nullptr) {
            match.nearest = &row;
            match.reason = judgement.reason;
            match.detail = judgement.detail;
        }
    }
    return match;
}

} // namespace kv
