// SPDX-License-Identifier: MIT
#include "doctorcard.h"

#include "doctorglyph.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

namespace kv {

namespace {

QLabel *textLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

DoctorCard::DoctorCard(const DoctorCheck &check, QWidget *parent)
    : QFrame(parent)
    , m_check(check)
    , m_glyph(new QLabel(this))
    , m_word(new QLabel(check.verdictText(), this))
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setAccessibleName(check.asText());
    auto *row = new QHBoxLayout(this);
    const int gap = fontMetrics().height() / 2;
    row->setContentsMargins(gap * 3 / 2, gap, gap * 3 / 2, gap);
    row->setSpacing(gap * 3 / 2);
    row->addWidget(m_glyph, 0, Qt::AlignTop);
    auto *column = new QVBoxLayout;
    column->setSpacing(gap / 2);
    auto *head = new QHBoxLayout;
    auto *name = new QLabel(check.headline(), this);
    QFont bold = font();
    bold.setBold(true);
    name->setFont(bold);
    head->addWidget(name);
    head->addStretch();
    m_word->setForegroundRole(QPalette::WindowText);
    head->addWidget(m_word);
    column->addLayout(head);
    column->addWidget(textLabel(check.message, this));
    if (!check.remedy.isEmpty()) {
        column->addWidget(makeRemedy());
    }
    row->addLayout(column, 1);
    paintVerdict();
}

QWidget *DoctorCard::makeRemedy()
{
    auto *remedy = new QWidget(this);
    auto *row = new QHBoxLayout(remedy);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(textLabel(tr("What to do: %1").arg(m_check.remedy), remedy), 1);
    for (const QString &snippet : qAsConst(m_check.snippets)) {
        auto *copy = new QPushButton(tr("Copy %1").arg(snippet), remedy);
        copy->setIcon(QIcon::fromTheme(QStringLiteral("edit-copy")));
        copy->setToolTip(tr("Puts “%1” on the clipboard.").arg(snippet));
        copy->setAutoDefault(false);
        connect(copy, &QPushButton::clicked, this, [copy, snippet] {
            QGuiApplication::clipboard()->setText(snippet);
            copy->setText(tr("Copied"));
        });
        row->addWidget(copy, 0, Qt::AlignTop);
    }
    return remedy;
}

void DoctorCard::paintVerdict()
{
    const int extent = fontMetrics().height() * 5 / 4;
    m_glyph->setPixmap(doctorGlyph(m_check.verdict, palette(), extent, devicePixelRatioF()));
    QPalette colours = m_word->palette();
    const QColor colour = doctorColour(m_check.verdict, palette());
    if (colours.color(QPalette::WindowText) != colour) {
        colours.setColor(QPalette::WindowText, colour);
        m_word->setPalette(colours);
    }
}

void DoctorCard::changeEvent(QEvent *event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        paintVerdict();
    }
}

} // namespace kv
