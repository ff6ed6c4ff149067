// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>

namespace kv {

/// One line of text that gives way: what does not fit is left out at the end and stands in the tool tip.
class OverviewLabel final : public QLabel {
    Q_OBJECT

public:
    enum class Tone {
        Plain,
        Strong,
        Quiet, ///< less important, still readable
    };

    explicit OverviewLabel(Tone tone = Tone::Plain, QWidget *parent = nullptr);
    explicit OverviewLabel(QWidget *parent)
        : OverviewLabel(Tone::Plain, parent)
    {
    }

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    Tone m_tone;
};

} // namespace kv
