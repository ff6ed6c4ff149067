// SPDX-License-Identifier: MIT
#include "sessionsfetch.h"

#include <QPointer>

#include <algorithm>

namespace kv {

SessionsFetch::SessionsFetch(Daemon &daemon, QJsonObject listParams, Span span, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_params(std::move(listParams))
    , m_span(span)
{
}

void SessionsFetch::start() { next(); }

void SessionsFetch::next()
{
    const int left = m_span.count < 0 ? c_pageRows : m_span.count - m_done;
    m_params.insert(QStringLiteral("offset"), m_span.first + m_done);
    m_params.insert(QStringLiteral("limit"), std::min(left, c_pageRows));
    m_daemon.call(
        QStringLiteral("kv.list"), m_params, this, [this](const CallResult &answer) { onPage(answer); });
}

void SessionsFetch::onPage(const CallResult &answer)
{
    if (!answer.ok()) {
        Q_EMIT finished(answer.error.error.message);
        return;
    }
    const QList<SessionRow> rows = sessionRows(answer.result);
    const int total = answer.result.value(u"total").toInt();
    m_done += static_cast<int>(rows.size());
    const int end = m_span.count < 0 ? total : std::min(total, m_span.first + m_span.count);
    const bool over = rows.isEmpty() || m_span.first + m_done >= end;
    const QPointer<SessionsFetch> alive(this);
    Q_EMIT arrived(rows, total);
    if (alive == nullptr) {
        return;
    }
    if (over) {
        Q_EMIT finished({});
    } else {
        next();
    }
}

} // namespace kv
