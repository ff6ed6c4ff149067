// SPDX-License-Identifier: MIT
#pragma once

#include "sessionsfetch.h"
#include "sessionsmodel.h"

#include <QItemSelectionModel>

#include <map>
#include <memory>
#include <vector>

namespace kv {

/// What is selected in the table of sessions: snapshots, not places. It outlives any order and the pages that
/// the model holds; a filter deselects what it hides. A view shows as selected those whose rows are held.
/// When somebody selects rows that are not held, they are read first: until then isReading().
class SessionsSelection final : public QItemSelectionModel {
    Q_OBJECT

public:
    struct Progress {
        int done = 0;
        int total = 0;
    };

    /// Both outlive it.
    SessionsSelection(Daemon &daemon, SessionsModel &model, QObject *parent = nullptr);
    ~SessionsSelection() override;
    Q_DISABLE_COPY_MOVE(SessionsSelection)

    [[nodiscard]] qsizetype count() const { return static_cast<qsizetype>(m_rows.size()); }
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    [[nodiscard]] QList<SessionRow> rows() const; ///< as last seen
    [[nodiscard]] SessionRow first() const; ///< not when it is empty
    template <typename Predicate> [[nodiscard]] bool any(const Predicate &is) const
    {
        return std::any_of(
            m_rows.begin(), m_rows.end(), [&is](const auto &entry) { return is(entry.second); });
    }
    void remove(const SessionRow &row);
    void update(const SessionRow &row); ///< what is known of one that is selected

    /// Whether rows are read to know what is selected.
    [[nodiscard]] bool isReading() const { return m_reading != Reading::Nothing; }
    [[nodiscard]] Progress progress() const { return m_progress; }
    /// What is not known yet to be selected, is not.
    void cancel();
    /// Why less is selected than was asked for, one sentence; else empty.
    [[nodiscard]] QString problem() const { return m_problem; }
    /// How many the filter deselected since somebody last chose.
    [[nodiscard]] int hiddenByFilter() const { return m_hidden; }

    using QItemSelectionModel::select;
    void select(const QItemSelection &selection, SelectionFlags command) override;

Q_SIGNALS:
    void chosen(); ///< by the user
    void changed(); ///< whatever of this; follows chosen()

private:
    enum class Reading { Nothing, Chosen, Filter };
    struct Rows {
        int first = 0;
        int last = 0;

        bool operator==(const Rows &) const = default;
    };
    using RowsList = std::vector<Rows>; ///< in order, without touching each other

    void take(bool others);
    void show();
    void onModel();
    void onLayout();
    void onEvent(const QJsonObject &event);
    void sweep();
    void checkFilter();
    void read(Reading what, const QJsonObject &params, SessionsFetch::Span span);
    void onArrived(const QList<SessionRow> &rows, int total);
    void onFinished(const QString &problem);
    void stopReading();
    void giveUp(const QString &problem);
    void dropUnproven();
    void insert(const SessionRow &row);
    [[nodiscard]] RowsList shown() const;
    [[nodiscard]] static RowsList merged(RowsList list);
    template <typename Visit> void eachHeld(const Visit &visit) const;

    Daemon &m_daemon;
    SessionsModel &m_model;
    std::map<quint64, SessionRow> m_rows; ///< in the order in which they were selected
    QHash<QString, quint64> m_places; ///< by identity
    quint64 m_last = 0;
    QSet<QString> m_removed; ///< told by events, looked at with the next rows
    QString m_filter; ///< the one that all of m_rows match
    QString m_problem;
    int m_hidden = 0;
    bool m_showing = false;

    Reading m_reading = Reading::Nothing;
    std::unique_ptr<SessionsFetch> m_fetch;
    Progress m_progress;
    RowsList m_pending; ///< shown as selected, being read
    std::size_t m_next = 0; ///< of m_pending
    bool m_all = false; ///< all that matches is being read, whatever moves meanwhile
    QList<SessionRow> m_arrived;
    QSet<QString> m_unproven; ///< selected, perhaps hidden by the filter
};

} // namespace kv
