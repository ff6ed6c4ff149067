// SPDX-License-Identifier: MIT
#pragma once

#include "overviewpresenter.h"
#include "page.h"

#include <QTimer>

#include <memory>

class QLabel;

namespace kv {

class OverviewBar;
class OverviewLabel;
class OverviewServerCard;
class StateBadge;

namespace Ui {
class OverviewPage;
}

/// What needs attention, the numbers that matter, and a card a server.
class OverviewPage final : public Page {
    Q_OBJECT

public:
    explicit OverviewPage(OverviewPresenter &presenter, QWidget *parent = nullptr);
    ~OverviewPage() override;
    Q_DISABLE_COPY_MOVE(OverviewPage)

    [[nodiscard]] QString title() const override { return tr("&Overview"); }
    [[nodiscard]] QString key() const override { return QStringLiteral("overview"); }
    void setShown(bool shown) override;
    /// Whether the mini monitor is shown, which others decide too.
    void setMonitorShown(bool shown);
    /// Whether a timer runs.
    [[nodiscard]] bool ticks() const { return m_second.isActive(); }

Q_SIGNALS:
    void monitorWanted(bool shown);

private:
    struct FactBox {
        QWidget *panel = nullptr;
        OverviewLabel *name = nullptr;
        OverviewLabel *value = nullptr;
        QLabel *detail = nullptr;
        OverviewBar *bar = nullptr;
    };

    void refresh();
    void showAdvice();
    void addAdvice(const OverviewPresenter::Advice &advice);
    void showFacts();
    FactBox addFact();
    void showCards();
    void tick();

    OverviewPresenter &m_presenter;
    std::unique_ptr<Ui::OverviewPage> m_ui;
    StateBadge *m_emptySign = nullptr;
    QList<OverviewPresenter::Advice> m_advice;
    QList<QWidget *> m_adviceBoxes;
    QList<FactBox> m_facts;
    QList<OverviewServerCard *> m_cards;
    QTimer m_second; ///< runs only while the page is seen and something runs
    bool m_shown = false;
};

} // namespace kv
