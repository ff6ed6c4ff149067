// SPDX-License-Identifier: MIT
#pragma once

#include "sessiondetails.h"

#include <QDialog>

#include <memory>

namespace kv {

namespace Ui {
class SessionDetailsDialog;
}

class ChartView;
class Clock;

/// All that is known about one session: its snapshots, and its requests over time.
class SessionDetailsDialog final : public QDialog {
    Q_OBJECT

public:
    /// Daemon and clock outlive it.
    SessionDetailsDialog(
        Daemon &daemon, const Clock &clock, const SessionRow &row, QWidget *parent = nullptr);
    ~SessionDetailsDialog() override;
    Q_DISABLE_COPY_MOVE(SessionDetailsDialog)

private:
    void refresh();
    void showGroups();
    void fetch();
    void copySelected() const;

    const Clock &m_clock;
    SessionDetails m_details;
    std::unique_ptr<Ui::SessionDetailsDialog> m_ui;
    ChartView *m_chart = nullptr;
    QList<SessionDetails::Group> m_shown;
    qint64 m_now = 0;
    qint64 m_span = 0;
};

} // namespace kv
