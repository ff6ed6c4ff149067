// SPDX-License-Identifier: MIT
#include "settingshint.h"

#include "doctorglyph.h"

#include <QEvent>
#include <QPainter>
#include <QStyle>

namespace kv {

SettingsHint::SettingsHint(QWidget *parent)
    : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setForegroundRole(QPalette::PlaceholderText);
    hide();
}

void SettingsHint::say(const QString &meaning, const QString &problem)
{
    m_problem = !problem.isEmpty();
    setText(m_problem ? problem : meaning);
    // On the side of its field, also when a label would set a number by its own direction.
    setAlignment(
        QStyle::visualAlignment(layoutDirection(), Qt::AlignLeading | Qt::AlignVCenter) | Qt::AlignAbsolute);
    const int room = m_problem ? fontMetrics().height() * 3 / 2 : 0;
    setContentsMargins(isRightToLeft() ? 0 : room, 0, isRightToLeft() ? room : 0, 0);
    setVisible(!text().isEmpty());
    colour();
}

/// An error in its colour; else the muted one of the palette.
void SettingsHint::colour()
{
    setForegroundRole(m_problem ? QPalette::WindowText : QPalette::PlaceholderText);
    QPalette colours;
    if (m_problem) {
        colours.setColor(
            QPalette::WindowText, doctorColour(DoctorCheck::Verdict::Failed, parentWidget()->palette()));
    }
    if (colours.resolveMask() != palette().resolveMask()
        || colours.color(QPalette::WindowText) != palette().color(QPalette::WindowText)) {
        setPalette(colours);
    }
}

void SettingsHint::paintEvent(QPaintEvent *event)
{
    QLabel::paintEvent(event);
    if (m_problem) {
        const int extent = fontMetrics().height();
        QPainter painter(this);
        painter.drawPixmap(isRightToLeft() ? width() - extent : 0,
            wordWrap() && height() > extent * 3 / 2 ? 0 : (height() - extent) / 2,
            doctorGlyph(
                DoctorCheck::Verdict::Failed, parentWidget()->palette(), extent, devicePixelRatioF()));
    }
}

void SettingsHint::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange) {
        colour();
    }
}

} // namespace kv
