// SPDX-License-Identifier: MIT
#pragma once

#include "serverruntime.h"
#include "snapshot.h"

#include <QString>

#include <functional>
#include <optional>

namespace kv {

/// A row of kv.list while it is chosen and ordered.
struct ListedRow {
    const ServerRuntime *runtime = nullptr;
    const Snapshot *row = nullptr;
    SnapshotState state = SnapshotState::Valid;
    QString hash; ///< only where it is asked for: there may be very many rows
    int slot = -1; ///< likewise
};

/// What the user typed, taken apart once.
class RowFilter final {
public:
    explicit RowFilter(const QString &text);
    [[nodiscard]] bool wantsHash() const { return m_hashLike; } ///< ListedRow::hash has to be filled in
    [[nodiscard]] bool passes(const ListedRow &one) const;

private:
    QString m_text;
    QString m_lower;
    QStringView m_key;
    QString m_value;
    bool m_hashLike = false;
};

using RowLess = std::function<bool(const ListedRow &, const ListedRow &)>;
/// By a field of the row, empty: updatedAt; nullopt: there is no such field.
std::optional<RowLess> rowOrder(const QString &sort);

} // namespace kv
