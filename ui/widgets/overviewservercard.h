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
class OverviewProgressBar;
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
        OverviewProgressBar *progress = nullptr; ///< in the state's place, while there is something
        OverviewLabel *now = nullptr;

        [[nodiscard]] QList<QWidget *> all() const;
    };
    struct Beside {
        OverviewLabel *text = nullptr;
        OverviewProgressBar *progress = nullptr;
    };

    void makeHead();
    void addRow();
    void setRow(const Row &row, const OverviewPresenter::SlotRow &values);
    void setBeside(const QList<OverviewPresenter::Progress> &works);

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
    QList<Beside> m_beside; ///< below the rows
    int m_besideAt = 0; ///< their first line in the grid
};

} // namespace kv
