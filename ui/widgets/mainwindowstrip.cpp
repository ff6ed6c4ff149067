// SPDX-License-Identifier: MIT
#include "mainwindowstrip.h"

#include <QAccessible>
#include <QHBoxLayout>

namespace kv {

MainWindowStrip::MainWindowStrip(QStyle::StandardPixmap sign, const QString &button, QWidget *parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_button(new QPushButton(button, this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    auto *row = new QHBoxLayout(this);
    auto *picture = new QLabel(this);
    const int extent = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    picture->setPixmap(style()->standardIcon(sign, nullptr, this).pixmap(extent));
    m_text->setForegroundRole(QPalette::ToolTipText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(picture);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &MainWindowStrip::clicked);
    hide();
}

void MainWindowStrip::setText(const QString &text)
{
    if (m_text->text() == text) {
        return;
    }
    m_text->setText(text);
    setVisible(!text.isEmpty());
    if (!text.isEmpty()) {
        QAccessibleEvent event(m_text, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace kv
