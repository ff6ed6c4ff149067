// SPDX-License-Identifier: MIT
#pragma once

#include "overviewpresenter.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QSettings;
class QVBoxLayout;

namespace kv {

/// The overview in a small window that can stay on top. Remembers its place, whether it stays on top and
/// whether it was open (`monitor/geometry`, `monitor/onTop`, `monitor/shown`).
class MiniMonitor final : public QWidget {
    Q_OBJECT

public:
    MiniMonitor(OverviewPresenter &presenter, QSettings &settings, QWidget *parent = nullptr);
    ~MiniMonitor() override;
    Q_DISABLE_COPY_MOVE(MiniMonitor)

    /// As the user wants it, now and at the next start.
    void setWanted(bool shown);
    [[nodiscard]] bool isWanted() const;
    /// Whether a timer runs.
    [[nodiscard]] bool ticks() const { return m_second.isActive(); }

    void followSettings(); ///< they were changed elsewhere

Q_SIGNALS:
    void wantedChanged(bool shown);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setOnTop(bool onTop);
    void refresh();
    void addCard(const OverviewPresenter::Card &card);
    void addSlot(const OverviewPresenter::SlotRow &row);
    void tick();
    void remember();

    OverviewPresenter &m_presenter;
    QSettings &m_settings;
    QVBoxLayout *m_column = nullptr;
    QWidget *m_content = nullptr;
    QLabel *m_saved = nullptr;
    QCheckBox *m_onTop = nullptr;
    struct Running {
        QLabel *label = nullptr;
        OverviewPresenter::SlotRow row;
    };
    QList<Running> m_running;
    QTimer m_second; ///< runs only while it is seen and something runs
};

} // namespace kv
