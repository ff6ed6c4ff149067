// SPDX-License-Identifier: MIT
#pragma once

#include "overviewpresenter.h"

#include <QFrame>

class QGridLayout;
class QLabel;

namespace kv {

class OverviewBar;
class OverviewLabel;
class OverviewPanel;
class StateBadge;

/// A server with its slots.
class OverviewServerCard final : public QWidget {
    Q_OBJECT

public:
    explicit OverviewServerCard(const OverviewPresenter &presenter, QWidget *parent = nullptr);

    void setCard(const OverviewPresenter::Card &card);
    /// How long things run, told anew.
    void tick();

private:
    struct Row {
        OverviewLabel *owner = nullptr;
        OverviewBar *bar = nullptr;
        OverviewLabel *context = nullptr;
        OverviewLabel *state = nullptr;
        OverviewLabel *now = nullptr;
    };

    void makeHead();
    void addRow();
    void removeRow();
    void setRow(const Row &row, const OverviewPresenter::SlotRow &values);

    const OverviewPresenter &m_presenter;
    OverviewPresenter::Card m_card;
    OverviewPanel *m_panel = nullptr;
    StateBadge *m_sign = nullptr;
    OverviewLabel *m_name = nullptr;
    OverviewLabel *m_state = nullptr;
    OverviewLabel *m_waiting = nullptr;
    OverviewLabel *m_about = nullptr;
    OverviewLabel *m_rates = nullptr;
    QLabel *m_message = nullptr;
    QGridLayout *m_grid = nullptr;
    QList<Row> m_rows;
};

} // namespace kv
