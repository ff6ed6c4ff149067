// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <optional>

namespace kv {

/// How much of something is used: a slim bar, which is empty when it is not known.
class OverviewBar final : public QWidget {
    Q_OBJECT

public:
    explicit OverviewBar(QWidget *parent = nullptr);

    /// `text` says the same in words, for screen readers and as tool tip.
    void setShare(std::optional<double> share, const QString &text);
    [[nodiscard]] std::optional<double> share() const { return m_share; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    std::optional<double> m_share;
};

} // namespace kv
