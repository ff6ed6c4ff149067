// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace kv {

/// A line across the window with a sign, a sentence and one thing to do about it.
class MainWindowStrip final : public QFrame {
    Q_OBJECT

public:
    MainWindowStrip(QStyle::StandardPixmap sign, const QString &button, QWidget *parent = nullptr);

    void setText(const QString &text);
    [[nodiscard]] QString text() const { return m_text->text(); }
    void setButtonEnabled(bool enabled) { m_button->setEnabled(enabled); }

Q_SIGNALS:
    void clicked();

private:
    QLabel *m_text = nullptr;
    QPushButton *m_button = nullptr;
};

} // namespace kv
