// SPDX-License-Identifier: MIT
#pragma once

#include "sessiondetails.h"

#include <QDialog>

class QLabel;
class QTreeWidget;

namespace kv {

class ChartView;
class Clock;

class SessionDetailsDialog final : public QDialog {
    Q_OBJECT

public:
    /// Daemon and clock outlive it.
    SessionDetailsDialog(
        Daemon &daemon, const Clock &clock, const SessionRow &row, QWidget *parent = nullptr);

private:
    void refresh();
    void fetch();

    const Clock &m_clock;
    SessionDetails m_details;
    QTreeWidget *m_tree = nullptr;
    QLabel *m_problem = nullptr;
    ChartView *m_chart = nullptr;
    qint64 m_now = 0;
    qint64 m_span = 0;
};

} // namespace kv
