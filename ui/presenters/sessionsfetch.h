// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"
#include "sessionrow.h"

namespace kv {

/// Reads a stretch of kv.list, page by page. Deleting it ends it.
class SessionsFetch final : public QObject {
    Q_OBJECT

public:
    struct Span {
        int first = 0;
        int count = -1; ///< −1: to the end
    };
    static constexpr int c_pageRows = 1000; ///< as many as the daemon gives at once

    /// `listParams` are those of kv.list without offset and limit. `daemon` outlives it.
    SessionsFetch(Daemon &daemon, QJsonObject listParams, Span span, QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    /// Rows of the stretch, and how many the whole list has now. May be followed by others.
    void arrived(const QList<kv::SessionRow> &rows, int total);
    /// `problem`: a sentence; empty when all is read. The last signal, never during start().
    void finished(const QString &problem);

private:
    void next();
    void onPage(const CallResult &answer);

    Daemon &m_daemon;
    QJsonObject m_params;
    Span m_span;
    int m_done = 0;
};

} // namespace kv
