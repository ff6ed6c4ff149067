// SPDX-License-Identifier: MIT
#include "sessionsselection.h"

#include <algorithm>

namespace kv {

namespace {

QString removedKey(const QString &session, const QString &server) { return session + u' ' + server; }

} // namespace

SessionsSelection::SessionsSelection(Daemon &daemon, SessionsModel &model, QObject *parent)
    : QItemSelectionModel(&model, parent)
    , m_daemon(daemon)
    , m_model(model)
{
    connect(&model, &SessionsModel::layoutChanged, this, &SessionsSelection::onLayout);
    connect(&model, &SessionsModel::changed, this, &SessionsSelection::onModel);
    connect(&daemon, &Daemon::eventReceived, this, &SessionsSelection::onEvent);
}

SessionsSelection::~SessionsSelection() = default;

QList<SessionRow> SessionsSelection::rows() const
{
    QList<SessionRow> out;
    out.reserve(count());
    for (const auto &entry : m_rows) {
        out.append(entry.second);
    }
    return out;
}

SessionRow SessionsSelection::first() const { return m_rows.begin()->second; }

void SessionsSelection::insert(const SessionRow &row)
{
    const QString identity = row.identity();
    if (const auto known = m_places.constFind(identity); known != m_places.constEnd()) {
        m_rows[*known] = row;
        return;
    }
    m_places.insert(identity, ++m_last);
    m_rows.emplace_hint(m_rows.end(), m_last, row);
}

void SessionsSelection::remove(const SessionRow &row)
{
    if (const auto known = m_places.constFind(row.identity()); known != m_places.constEnd()) {
        m_rows.erase(*known);
        m_places.erase(known);
    }
}

void SessionsSelection::update(const SessionRow &row)
{
    if (m_places.contains(row.identity())) {
        insert(row);
    }
}

/// visit(number, row) for all rows that the model holds, in order.
template <typename Visit> void SessionsSelection::eachHeld(const Visit &visit) const
{
    const QList<int> pages = m_model.heldPages();
    for (const int page : pages) {
        const int end = std::min((page + 1) * SessionsModel::c_pageRows, m_model.rowCount());
        for (int number = page * SessionsModel::c_pageRows; number < end; ++number) {
            if (const std::optional<SessionRow> row = m_model.row(number)) {
                visit(number, *row);
            }
        }
    }
}

SessionsSelection::RowsList SessionsSelection::merged(RowsList list)
{
    std::sort(list.begin(), list.end(), [](const Rows &a, const Rows &b) { return a.first < b.first; });
    RowsList out;
    for (const Rows &rows : list) {
        if (!out.empty() && rows.first <= out.back().last + 1) {
            out.back().last = std::max(out.back().last, rows.last);
        } else {
            out.push_back(rows);
        }
    }
    return out;
}

/// As the view has it.
SessionsSelection::RowsList SessionsSelection::shown() const
{
    RowsList list;
    const QItemSelection all = selection();
    for (const QItemSelectionRange &range : all) {
        list.push_back({ range.top(), range.bottom() });
    }
    return merged(std::move(list));
}

void SessionsSelection::select(const QItemSelection &selection, SelectionFlags command)
{
    QItemSelectionModel::select(selection, command);
    if (m_showing || command == NoUpdate) {
        return;
    }
    // A range that replaces the last one (Shift) leaves selected only what is seen so.
    take(!command.testFlag(Clear) && !(command.testFlag(Current) && command.testFlag(Select)));
}

/// What the view shows becomes what is selected; `others`: beside those whose rows are not held.
void SessionsSelection::take(bool others)
{
    stopReading();
    m_problem.clear();
    m_hidden = 0;
    if (!others) {
        m_rows.clear();
        m_places.clear();
    }
    RowsList gaps = shown();
    m_all = gaps == RowsList { { 0, m_model.rowCount() - 1 } };
    const RowsList ranges = std::exchange(gaps, {});
    auto range = ranges.begin();
    int next = 0; // the first row of the range that is not accounted for
    const auto gapUntil = [&](int end) {
        for (; range != ranges.end() && std::max(next, range->first) < end; ++range) {
            gaps.push_back({ std::max(next, range->first), std::min(range->last, end - 1) });
            if (range->last >= end) {
                break;
            }
        }
        next = end;
    };
    eachHeld([&](int number, const SessionRow &row) {
        gapUntil(number);
        while (range != ranges.end() && range->last < number) {
            ++range;
        }
        if (range != ranges.end() && range->first <= number) {
            insert(row);
        } else {
            remove(row);
        }
        next = number + 1;
    });
    gapUntil(m_model.rowCount());
    m_pending = merged(std::move(gaps));
    if (!m_pending.empty()) {
        m_progress = { 0, m_all ? m_model.rowCount() : 0 };
        for (const Rows &rows : m_pending) {
            m_progress.total += m_all ? 0 : rows.last - rows.first + 1;
        }
        m_next = 0;
        read(Reading::Chosen, m_model.listParams(),
            m_all ? SessionsFetch::Span {}
                  : SessionsFetch::Span { m_pending[0].first, m_pending[0].last - m_pending[0].first + 1 });
    }
    Q_EMIT chosen();
    Q_EMIT changed();
}

/// The view shows as selected what is, as far as its rows are held, and what is being read.
void SessionsSelection::show()
{
    RowsList list = m_pending;
    eachHeld([this, &list](int number, const SessionRow &row) {
        if (const auto known = m_places.constFind(row.identity()); known != m_places.constEnd()) {
            m_rows[*known] = row;
            if (!list.empty() && list.back().last == number - 1) {
                list.back().last = number;
            } else {
                list.push_back({ number, number });
            }
        }
    });
    list = merged(std::move(list));
    if (list == shown()) {
        return;
    }
    QItemSelection all;
    for (const Rows &rows : list) {
        all.append(QItemSelectionRange(
            m_model.index(rows.first, 0), m_model.index(rows.last, SessionsModel::c_columns - 1)));
    }
    m_showing = true;
    QItemSelectionModel::select(all, ClearAndSelect);
    m_showing = false;
}

void SessionsSelection::onModel()
{
    sweep();
    if (!isEmpty() || hasSelection()) {
        show();
        Q_EMIT changed();
    }
}

void SessionsSelection::onLayout()
{
    const bool filtered = m_model.filter() != m_filter;
    if (filtered) {
        m_filter = m_model.filter();
        if (m_reading == Reading::Chosen) {
            giveUp({}); // it was asked for among other rows
        } else {
            stopReading();
            checkFilter();
        }
    } else if (m_reading == Reading::Chosen) {
        if (m_all) {
            m_pending = { { 0, std::max(0, m_model.rowCount() - 1) } };
        } else {
            giveUp(tr("The list changed while rows of it were being selected. Please select them again."));
        }
    }
}

void SessionsSelection::onEvent(const QJsonObject &event)
{
    if (!isEmpty() && event.value(u"name").toString() == QStringLiteral("kv.snapshot.removed")) {
        m_removed.insert(removedKey(event.value(u"session").toString(), event.value(u"server").toString()));
    }
}

/// What was removed is not selected any more, unless it is there again.
void SessionsSelection::sweep()
{
    if (m_removed.isEmpty()) {
        return;
    }
    const QSet<QString> removed = std::exchange(m_removed, {});
    QHash<QString, SessionRow> gone;
    for (const auto &entry : m_rows) {
        if (removed.contains(removedKey(entry.second.session, entry.second.server))) {
            gone.insert(entry.second.identity(), entry.second);
        }
    }
    eachHeld([&gone](int /*number*/, const SessionRow &row) { gone.remove(row.identity()); });
    for (const SessionRow &row : std::as_const(gone)) {
        remove(row);
    }
}

/// The daemon alone knows what its filter lets through: what is selected and not among the rows that are
/// held, is looked for in all that match.
void SessionsSelection::checkFilter()
{
    if (m_filter.isEmpty() || isEmpty()) {
        return;
    }
    m_unproven.clear();
    for (auto place = m_places.constBegin(); place != m_places.constEnd(); ++place) {
        m_unproven.insert(place.key());
    }
    int held = 0;
    eachHeld([this, &held](int /*number*/, const SessionRow &row) {
        m_unproven.remove(row.identity());
        ++held;
    });
    if (m_unproven.isEmpty()) {
        return;
    }
    if (held >= m_model.rowCount()) {
        dropUnproven();
        return;
    }
    m_progress = { 0, m_model.rowCount() };
    read(Reading::Filter, m_model.listParams(), {});
}

void SessionsSelection::dropUnproven()
{
    for (const QString &identity : std::as_const(m_unproven)) {
        m_rows.erase(m_places.take(identity));
        ++m_hidden;
    }
    m_unproven.clear();
}

void SessionsSelection::read(Reading what, const QJsonObject &params, SessionsFetch::Span span)
{
    m_reading = what;
    m_fetch = std::make_unique<SessionsFetch>(m_daemon, params, span);
    connect(m_fetch.get(), &SessionsFetch::arrived, this, &SessionsSelection::onArrived);
    connect(m_fetch.get(), &SessionsFetch::finished, this, &SessionsSelection::onFinished);
    m_fetch->start();
}

void SessionsSelection::onArrived(const QList<SessionRow> &rows, int total)
{
    m_progress.done += static_cast<int>(rows.size());
    if (m_reading == Reading::Filter) {
        for (const SessionRow &row : rows) {
            m_unproven.remove(row.identity());
        }
        if (m_unproven.isEmpty()) {
            stopReading();
        }
    } else if (!m_all && total != m_model.rowCount()) {
        giveUp(tr("The list changed while rows of it were being selected. Please select them again."));
    } else {
        m_progress.total = m_all ? total : m_progress.total;
        m_arrived.append(rows);
    }
    Q_EMIT changed();
}

void SessionsSelection::onFinished(const QString &problem)
{
    if (m_reading == Reading::Filter) {
        m_problem = problem;
        stopReading();
        dropUnproven();
        show();
    } else if (!problem.isEmpty()) {
        giveUp(problem);
    } else if (!m_all && ++m_next < m_pending.size()) {
        const Rows &rows = m_pending[m_next];
        m_fetch.release()->deleteLater();
        read(Reading::Chosen, m_model.listParams(), { rows.first, rows.last - rows.first + 1 });
    } else {
        for (const SessionRow &row : std::as_const(m_arrived)) {
            insert(row);
        }
        stopReading();
        show();
    }
    Q_EMIT changed();
}

void SessionsSelection::stopReading()
{
    m_reading = Reading::Nothing;
    m_pending.clear();
    m_arrived.clear();
    if (m_fetch) {
        m_fetch->disconnect(this);
        m_fetch.release()->deleteLater(); // it may be the one that calls
    }
}

void SessionsSelection::giveUp(const QString &problem)
{
    stopReading();
    m_problem = problem;
    m_rows.clear();
    m_places.clear();
    show();
}

void SessionsSelection::cancel()
{
    if (m_reading == Reading::Chosen) {
        giveUp({});
    } else if (m_reading == Reading::Filter) {
        stopReading();
        dropUnproven();
        show();
    }
    Q_EMIT changed();
}

} // namespace kv
