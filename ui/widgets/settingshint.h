// SPDX-License-Identifier: MIT
#pragma once

#include <QLabel>

namespace kv {

/// What stands beside a field: what its value means, or what is wrong with it, with a shape. Takes no room
/// when there is nothing to say.
class SettingsHint final : public QLabel {
    Q_OBJECT

public:
    explicit SettingsHint(QWidget *parent = nullptr);

    void say(const QString &meaning, const QString &problem = {});
    [[nodiscard]] bool hasProblem() const { return m_problem; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void colour();

    bool m_problem = false;
};

} // namespace kv
