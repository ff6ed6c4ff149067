// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "sessionrow.h"

#include <QList>
#include <QPointF>

namespace kv {

/// All that is known about one session.
class SessionDetails final : public QObject {
    Q_OBJECT

public:
    struct Line {
        QString name;
        QString value;

        bool operator==(const Line &) const = default;
    };
    struct Group {
        QString title;
        QList<Line> lines;

        bool operator==(const Group &) const = default;
    };

    /// `daemon` outlives it.
    SessionDetails(Daemon &daemon, SessionRow row, QObject *parent = nullptr);

    void fetch(qint64 nowMs, qint64 spanMs);
    [[nodiscard]] const QList<Group> &groups() const { return m_groups; }
    /// The same, a line each, name and value apart by a tab.
    [[nodiscard]] QString asText() const;
    /// Why there are none, one sentence.
    [[nodiscard]] QString problem() const { return m_problem; }
    /// Requests per bucket: (begin in ms, count).
    [[nodiscard]] const QList<QPointF> &requests() const { return m_requests; }
    [[nodiscard]] double bucketMs() const { return m_bucketMs; }

Q_SIGNALS:
    void changed();

private:
    void onSession(const CallResult &answer);
    void onHistory(const CallResult &answer);
    void addSession(const QJsonObject &session);
    void addManifest(const QJsonObject &manifest);

    Daemon &m_daemon;
    SessionRow m_row;
    QList<Group> m_groups;
    QString m_problem;
    QList<QPointF> m_requests;
    double m_bucketMs = 1;
};

} // namespace kv
