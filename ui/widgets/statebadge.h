// SPDX-License-Identifier: MIT
#pragma once

#include "trayiconstate.h"

#include <QWidget>

namespace kv {

/// The sign of a state at the height of a line of text. What it says is always beside it in words.
class StateBadge final : public QWidget {
    Q_OBJECT

public:
    explicit StateBadge(QWidget *parent = nullptr);

    void setState(TrayState state);
    /// Height in lines of text; 1.5 unless told.
    void setLines(double lines);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    TrayState m_state = TrayState::DaemonAway;
    double m_lines = 1.5;
};

} // namespace kv
