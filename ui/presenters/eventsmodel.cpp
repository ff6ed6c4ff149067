// SPDX-License-Identifier: MIT
#include "eventsmodel.h"

#include "humantime.h"
#include "localetext.h"

#include <QDateTime>
#include <QLocale>

namespace kv {

EventsModel::EventsModel(Daemon &daemon, QObject *parent)
    : QAbstractTableModel(parent)
{
    connect(&daemon, &Daemon::eventReceived, this, &EventsModel::add);
}

void EventsModel::add(const QJsonObject &event)
{
    if (m_paused) {
        return;
    }
    const qint64 atMs = wallMsFromIso(event.value(u"at").toString()).value_or(0);
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(atMs);
    QStringList detail;
    if (event.contains(u"tokens")) {
        detail << tr("%1 tokens").arg(localeTokens(event.value(u"tokens").toInteger()));
    }
    if (event.contains(u"permille")) {
        detail << localePercent(event.value(u"permille").toInt() / 1000.0);
    }
    if (event.contains(u"ms")) {
        detail << localeDuration(event.value(u"ms").toDouble());
    }
    for (const auto key : { u"outcome", u"code", u"reason" }) {
        if (!event.value(QStringView(key)).toString().isEmpty()) {
            detail << event.value(QStringView(key)).toString();
        }
    }
    const QString label = event.value(u"label").toString();
    if (m_rows.size() == static_cast<size_t>(c_maxEvents)) {
        beginRemoveRows({}, 0, 0);
        m_rows.pop_front();
        endRemoveRows();
    }
    const int last = static_cast<int>(m_rows.size());
    beginInsertRows({}, last, last);
    m_rows.push_back(
        { QLocale().toString(at.time(), QStringLiteral("HH:mm:ss.zzz")), event.value(u"name").toString(),
            event.value(u"server").toString(), label.isEmpty() ? event.value(u"session").toString() : label,
            detail.join(tr(", ", "between parts of a list")) });
    endInsertRows();
}

int EventsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EventsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : Detail + 1; }

QVariant EventsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)
        || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    return m_rows[static_cast<size_t>(index.row())].value(index.column());
}

QVariant EventsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QStringList names { tr("Time"), tr("Event"), tr("Server"), tr("Session"), tr("Details") };
    return orientation == Qt::Horizontal && role == Qt::DisplayRole ? QVariant(names.value(section))
                                                                    : QVariant();
}

} // namespace kv
