// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "daemonport.h"
#include "sessionrow.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <QTimer>

#include <optional>

namespace kv {

/// The snapshots on record, page by page as they are asked for; the daemon sorts and filters.
/// Persistent indexes follow their snapshot, so that none comes to mean another one.
class SessionsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Label, Session, Model, Server, State, Tokens, Size, Age, LastRestore, Verdict, Pinned };
    static constexpr int c_columns = Pinned + 1;
    static constexpr int c_pageRows = 200;
    static constexpr QStringView c_bases = u"kind:base"; ///< a filter: the beginnings that sessions share
    static constexpr int c_maxPages = 24; ///< kept; those in sight and those with a selection come first
    enum class Phase { Away, Loading, Ready };

    /// Both outlive the model.
    SessionsModel(Daemon &daemon, const Clock &clock, QObject *parent = nullptr);

    /// Nothing is fetched, and no timer runs, while it is not shown.
    void setShown(bool shown);
    /// As kv.list takes it; acts a moment after the last change.
    void setFilter(const QString &filter);
    [[nodiscard]] QString filter() const { return m_filter; }
    /// The rows in sight, which are fetched anew when something changed.
    void setVisibleRows(int first, int last);
    [[nodiscard]] std::optional<SessionRow> row(int number) const; ///< nullopt: not held
    [[nodiscard]] Phase phase() const { return m_phase; }
    /// Why there is nothing to show, one sentence; empty when all is well.
    [[nodiscard]] QString problem() const { return m_problem; }
    /// The parameters of kv.list for the present order and filter, without offset and limit.
    [[nodiscard]] QJsonObject listParams() const;
    [[nodiscard]] QList<int> heldPages() const; ///< their numbers, in order

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void changed(); ///< phase, problem or what the rows hold

private:
    using Page = QList<SessionRow>;
    struct Batch {
        quint64 generation = 0;
        int left = 0; ///< answers still awaited
        int total = 0;
        QHash<int, Page> pages;
    };

    void onEvent(const QJsonObject &event);
    void onLink();
    void refetch();
    void fetchWanted();
    void call(int page, const Daemon::Callback &callback);
    void onBatchPage(quint64 generation, int page, const CallResult &answer);
    void onSinglePage(quint64 generation, int page, const CallResult &answer);
    void adopt();
    void keepFew();
    void setProblem(const CallResult &answer);
    [[nodiscard]] QSet<int> pagesWithIndexes() const;
    [[nodiscard]] QString text(const SessionRow &row, int column) const;
    [[nodiscard]] static QString sortKey(int column);

    Daemon &m_daemon;
    const Clock &m_clock;
    QHash<int, Page> m_pages;
    mutable QSet<int> m_wanted; ///< asked for by data(), not yet by us
    mutable QTimer m_fetch;
    QSet<int> m_asked;
    Batch m_batch;
    QTimer m_coalesce;
    QTimer m_debounce;
    QTimer m_minute;
    QString m_filter;
    QString m_problem;
    QString m_sort = QStringLiteral("updatedAt");
    quint64 m_generation = 0;
    int m_total = 0;
    int m_first = 0;
    int m_last = 0;
    Phase m_phase = Phase::Loading;
    bool m_desc = true;
    bool m_shown = false;
    bool m_stale = true;
};

} // namespace kv
