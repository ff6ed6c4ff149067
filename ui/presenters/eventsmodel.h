// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"

#include <QAbstractTableModel>

#include <deque>

namespace kv {

/// The latest events, oldest first; a bounded number of them.
class EventsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { At, Name, Server, Session, Detail };
    static constexpr int c_maxEvents = 5000;

    /// `daemon` outlives it.
    explicit EventsModel(Daemon &daemon, QObject *parent = nullptr);

    /// Paused, it shows what it had; what comes meanwhile is left out.
    void setPaused(bool paused) { m_paused = paused; }
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Row = QStringList;
    void add(const QJsonObject &event);

    std::deque<Row> m_rows;
    bool m_paused = false;
};

} // namespace kv
