// SPDX-License-Identifier: MIT
#include "sessionsmodel.h"

#include "localetext.h"

#include <algorithm>

namespace kv {

namespace {

constexpr int c_coalesceMs = 250;
constexpr int c_debounceMs = 200;
constexpr int c_ageMs = 60'000;

} // namespace

SessionsModel::SessionsModel(Daemon &daemon, const Clock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_daemon(daemon)
    , m_clock(clock)
{
    for (QTimer *timer : { &m_fetch, &m_coalesce, &m_debounce }) {
        timer->setSingleShot(true);
    }
    m_coalesce.setInterval(c_coalesceMs);
    m_debounce.setInterval(c_debounceMs);
    m_minute.setInterval(c_ageMs);
    connect(&m_fetch, &QTimer::timeout, this, &SessionsModel::fetchWanted);
    connect(&m_coalesce, &QTimer::timeout, this, &SessionsModel::refetch);
    connect(&m_debounce, &QTimer::timeout, this, &SessionsModel::refetch);
    connect(&m_minute, &QTimer::timeout, this, [this] {
        if (m_total > 0) {
            Q_EMIT dataChanged(index(0, Age), index(m_total - 1, LastRestore), { Qt::DisplayRole });
        }
    });
    connect(&daemon, &Daemon::eventReceived, this, &SessionsModel::onEvent);
    connect(&daemon, &Daemon::linkChanged, this, &SessionsModel::onLink);
}

void SessionsModel::setShown(bool shown)
{
    m_shown = shown;
    if (!shown) {
        m_minute.stop();
        m_coalesce.stop();
        return;
    }
    m_minute.start();
    onLink();
    if (m_stale) {
        refetch();
    }
}

void SessionsModel::setFilter(const QString &filter)
{
    if (filter == m_filter) {
        return;
    }
    m_filter = filter;
    ++m_generation; // answers under way are for another filter
    m_stale = true;
    m_debounce.start();
}

void SessionsModel::setVisibleRows(int first, int last)
{
    m_first = std::max(0, first);
    m_last = std::max(m_first, last);
}

void SessionsModel::sort(int column, Qt::SortOrder order)
{
    const QString key = sortKey(column);
    // The newest have the smallest age.
    const bool desc = (order == Qt::DescendingOrder) != (column == Age || column == LastRestore);
    if (key.isEmpty() || (key == m_sort && desc == m_desc)) {
        return;
    }
    m_sort = key;
    m_desc = desc;
    refetch();
}

QJsonObject SessionsModel::listParams() const
{
    const bool bases = m_filter.startsWith(c_bases);
    const QString filter = bases ? m_filter.mid(c_bases.size()).trimmed() : m_filter;
    QJsonObject params { { QStringLiteral("sort"), m_sort }, { QStringLiteral("desc"), m_desc },
        { QStringLiteral("kind"), bases ? QStringLiteral("base") : QStringLiteral("session") } };
    if (!filter.isEmpty()) {
        params.insert(QStringLiteral("filter"), filter);
    }
    return params;
}

void SessionsModel::onEvent(const QJsonObject &event)
{
    const QString name = event.value(u"name").toString();
    if (!name.startsWith(u"kv.snapshot.") && !name.startsWith(u"kv.session.")
        && !name.startsWith(u"kv.reuse.") && !event.contains(u"lost")) {
        return;
    }
    m_stale = true;
    if (m_shown && !m_coalesce.isActive()) {
        m_coalesce.start();
    }
}

void SessionsModel::onLink()
{
    if (m_daemon.link() == Daemon::Link::Connected) {
        if (m_phase == Phase::Away) {
            m_phase = Phase::Loading;
            m_problem.clear();
            refetch();
        }
    } else {
        m_phase = m_daemon.link() == Daemon::Link::Away ? Phase::Away : Phase::Loading;
        m_problem = m_daemon.linkReason();
        m_stale = true;
    }
    Q_EMIT changed();
}

QSet<int> SessionsModel::pagesWithIndexes() const
{
    QSet<int> pages;
    const QModelIndexList indexes = persistentIndexList();
    for (const QModelIndex &index : indexes) {
        if (m_pages.contains(index.row() / c_pageRows)) {
            pages.insert(index.row() / c_pageRows);
        }
    }
    return pages;
}

void SessionsModel::refetch()
{
    m_stale = true;
    if (!m_shown || m_daemon.link() != Daemon::Link::Connected) {
        return;
    }
    m_stale = false;
    m_debounce.stop();
    m_coalesce.stop();
    // All pages of one look are taken over together: between two answers a snapshot may cross from one to the
    // other.
    QSet<int> pages = pagesWithIndexes();
    for (int page = m_first / c_pageRows; page <= m_last / c_pageRows; ++page) {
        pages.insert(page);
    }
    while (pages.size() > c_maxPages) {
        pages.erase(pages.constBegin());
    }
    m_asked.clear();
    m_batch = { ++m_generation, static_cast<int>(pages.size()), 0, {} };
    for (const int page : std::as_const(pages)) {
        call(page, [this, page, generation = m_generation](const CallResult &answer) {
            onBatchPage(generation, page, answer);
        });
    }
}

void SessionsModel::fetchWanted()
{
    const QSet<int> wanted = std::exchange(m_wanted, {});
    if (!m_shown || m_batch.left > 0 || m_daemon.link() != Daemon::Link::Connected) {
        return; // the view asks again when the batch is there
    }
    const int low = m_first / c_pageRows;
    const int high = m_last / c_pageRows;
    for (const int page : wanted) {
        const bool seen = page >= low - 1 && page <= high + 1;
        if (m_pages.contains(page) || m_asked.contains(page) || (!seen && wanted.size() > 2)) {
            continue; // scrolled over
        }
        m_asked.insert(page);
        call(page, [this, page, generation = m_generation](const CallResult &answer) {
            onSinglePage(generation, page, answer);
        });
    }
}

void SessionsModel::call(int page, const Daemon::Callback &callback)
{
    QJsonObject params = listParams();
    params.insert(QStringLiteral("offset"), page * c_pageRows);
    params.insert(QStringLiteral("limit"), c_pageRows);
    m_daemon.call(QStringLiteral("kv.list"), params, this, callback);
}

void SessionsModel::setProblem(const CallResult &answer)
{
    m_problem = answer.error.error.message;
    m_stale = true;
    Q_EMIT changed();
}

void SessionsModel::onBatchPage(quint64 generation, int page, const CallResult &answer)
{
    if (generation != m_generation || m_batch.generation != generation) {
        return;
    }
    if (!answer.ok()) {
        m_batch.left = 0;
        m_batch.generation = 0;
        setProblem(answer);
        return;
    }
    m_batch.pages.insert(page, sessionRows(answer.result));
    m_batch.total = answer.result.value(u"total").toInt();
    if (--m_batch.left == 0) {
        adopt();
    }
}

void SessionsModel::onSinglePage(quint64 generation, int page, const CallResult &answer)
{
    if (generation != m_generation) {
        return;
    }
    m_asked.remove(page);
    if (!answer.ok()) {
        setProblem(answer);
        return;
    }
    if (answer.result.value(u"total").toInt() != m_total) {
        refetch();
        return;
    }
    m_pages.insert(page, sessionRows(answer.result));
    keepFew();
    const int first = page * c_pageRows;
    const int last = std::min(first + c_pageRows, m_total) - 1;
    if (last >= first) {
        Q_EMIT dataChanged(index(first, 0), index(last, c_columns - 1));
    }
    Q_EMIT changed();
}

void SessionsModel::adopt()
{
    const int total = m_batch.total;
    if (total > m_total) {
        beginInsertRows({}, m_total, total - 1);
        m_total = total;
        endInsertRows();
    }
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    QHash<QString, int> places;
    for (auto page = m_batch.pages.cbegin(); page != m_batch.pages.cend(); ++page) {
        for (int at = 0; at < page->size(); ++at) {
            places.insert(page->at(at).identity(), page.key() * c_pageRows + at);
        }
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex &old : before) {
        const std::optional<SessionRow> held = row(old.row());
        const int place = held ? places.value(held->identity(), -1) : -1;
        after.append(place < 0 ? QModelIndex() : index(place, old.column()));
    }
    m_pages = std::exchange(m_batch.pages, {});
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
    if (total < m_total) {
        beginRemoveRows({}, total, m_total - 1);
        m_total = total;
        endRemoveRows();
    }
    m_phase = Phase::Ready;
    m_problem.clear();
    Q_EMIT changed();
}

void SessionsModel::keepFew()
{
    if (m_pages.size() <= c_maxPages) {
        return;
    }
    const QSet<int> held = pagesWithIndexes();
    const int middle = (m_first + m_last) / 2 / c_pageRows;
    QList<int> pages = m_pages.keys();
    std::sort(pages.begin(), pages.end(),
        [middle](int a, int b) { return std::abs(a - middle) > std::abs(b - middle); });
    for (const int page : std::as_const(pages)) {
        if (m_pages.size() > c_maxPages && !held.contains(page)) {
            m_pages.remove(page);
        }
    }
}

QList<int> SessionsModel::heldPages() const
{
    QList<int> pages = m_pages.keys();
    std::sort(pages.begin(), pages.end());
    return pages;
}

std::optional<SessionRow> SessionsModel::row(int number) const
{
    const auto page = m_pages.constFind(number / c_pageRows);
    if (number < 0 || page == m_pages.constEnd() || number % c_pageRows >= page->size()) {
        return std::nullopt;
    }
    return page->at(number % c_pageRows);
}

int SessionsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_total; }

int SessionsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : c_columns; }

QVariant SessionsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool number = index.column() == Tokens || index.column() == Size;
        return QVariant::fromValue(
            Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    const std::optional<SessionRow> held = row(index.row());
    if (!held) {
        m_wanted.insert(index.row() / c_pageRows);
        if (!m_fetch.isActive()) {
            m_fetch.start();
        }
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("…")) : QVariant();
    }
    if (role == Qt::DisplayRole) {
        return text(*held, index.column());
    }
    switch (index.column()) {
    case State:
        return snapshotReasonText(held->reason);
    case Session:
        return held->hash;
    case Age:
        return localeTime(held->updatedMs);
    default:
        return text(*held, index.column());
    }
}

QString SessionsModel::text(const SessionRow &row, int column) const
{
    const qint64 now = m_clock.now().wallMs;
    switch (column) {
    case Label:
        return row.name();
    case Session:
        return row.session;
    case Model:
        return row.provider.isEmpty() ? row.model : row.provider + QStringLiteral(" / ") + row.model;
    case Server:
        return row.slot < 0 ? row.server : tr("%1, slot %2").arg(row.server).arg(row.slot);
    case State:
        return snapshotStateText(row.state);
    case Tokens:
        return localeCount(row.tokens);
    case Size:
        return localeBytes(row.bytes);
    case Age:
        return localeAge(now - row.updatedMs);
    case LastRestore:
        return row.lastRestoreMs == 0 ? tr("never") : localeAge(now - row.lastRestoreMs);
    case Verdict:
        return reuseVerdictText(row.verdict);
    case Pinned:
        return row.pinned ? tr("pinned") : QString();
    default:
        return {};
    }
}

QVariant SessionsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= c_columns) {
        return {};
    }
    const QStringList names { tr("Name"), tr("Session"), tr("Model"), tr("Server"), tr("State"), tr("Tokens"),
        tr("Size"), tr("Saved"), tr("Restored"), tr("Reuse"), tr("Pinned") };
    return names.at(section);
}

QString SessionsModel::sortKey(int column)
{
    static const QStringList keys = QStringLiteral(
        "label session model server state tokens bytes updatedAt lastRestoreAt verdict pinned")
                                        .split(u' ');
    return keys.value(column);
}

} // namespace kv
