// SPDX-License-Identifier: MIT
#pragma once

#include <QSortFilterProxyModel>

namespace kv {

/// The events of a kind that hold a text.
class EventFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    enum Kind { All, Slots, Sessions, Snapshots, Servers }; // Servers: whatever is none of the others

    using QSortFilterProxyModel::QSortFilterProxyModel;

    static QStringList kindNames(); ///< by Kind, translated
    void setKind(int kind);
    void setText(const QString &text);
    /// A line an event, its columns separated by tabs.
    [[nodiscard]] QString asText() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    int m_kind = All;
    QString m_text;
};

} // namespace kv
