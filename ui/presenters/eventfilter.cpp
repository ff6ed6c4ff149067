// SPDX-License-Identifier: MIT
#include "eventfilter.h"

#include "eventsmodel.h"

namespace kv {

namespace {

int kindOf(const QString &name)
{
    if (name.startsWith(QLatin1String("kv.slot."))) {
        return EventFilter::Slots;
    }
    if (name.startsWith(QLatin1String("kv.session."))) {
        return EventFilter::Sessions;
    }
    return name.startsWith(QLatin1String("kv.snapshot.")) ? EventFilter::Snapshots : EventFilter::Servers;
}

} // namespace

QStringList EventFilter::kindNames()
{
    return { tr("All events"), tr("Slots"), tr("Sessions"), tr("Snapshots"), tr("Server") };
}

void EventFilter::setKind(int kind)
{
    m_kind = kind;
    invalidateFilter();
}

void EventFilter::setText(const QString &text)
{
    m_text = text;
    invalidateFilter();
}

QString EventFilter::asText() const
{
    QString text;
    for (int row = 0; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column) {
            cells << index(row, column).data().toString();
        }
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

bool EventFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const auto cell = [this, row, &parent](
                          int column) { return sourceModel()->index(row, column, parent).data().toString(); };
    if (m_kind != All && kindOf(cell(EventsModel::Name)) != m_kind) {
        return false;
    }
    for (int column = 0; column <= EventsModel::Detail; ++column) {
        if (m_text.isEmpty() || cell(column).contains(m_text, Qt::CaseInsensitive)) {
            return true;
        }
    }
    return false;
}

} // namespace kv
