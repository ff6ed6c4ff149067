// SPDX-License-Identifier: MIT
#pragma once

#include "sessiondetails.h"

#include <QDialog>

class QLabel;
class QTreeWidget;

namespace kv {

class ChartView;

class SessionDetailsDialog final : public QDialog {
    Q_OBJECT

public:
    /// `daemon` outlives it.
    SessionDetailsDialog(Daemon &daemon, const SessionRow &row, QWidget *parent = nullptr);

private:
    void refresh();
    void fetch();

    SessionDetails m_details;
    QTreeWidget *m_tree = nullptr;
    QLabel *m_problem = nullptr;
    ChartView *m_chart = nullptr;
    qint64 m_now = 0;
    qint64 m_span = 0;
};

} // namespace kv
