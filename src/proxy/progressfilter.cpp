// SPDX-License-Identifier: MIT
#include "progressfilter.h"

#include "jsonskim.h"

namespace kv {

QByteArray ProgressFilter::feed(QByteArrayView framed)
{
    if (m_done) {
        return framed.toByteArray();
    }
    m_pending.append(framed);
    QByteArray out;
    while (!m_done) {
        const qsizetype line = m_pending.indexOf("\r\n");
        if (line < 0) {
            return out;
        }
        bool number = false;
        const qsizetype size = m_pending.left(line).toLongLong(&number, 16);
        const qsizetype whole = line + 2 + size + 2;
        if (number && size > 0 && m_pending.size() < whole) {
            return out;
        }
        if (!number || size <= 0) {
            m_done = true; // the last chunk, or one with extensions: nothing of ours
            break;
        }
        const QByteArrayView payload = QByteArrayView(m_pending).sliced(line + 2, size);
        const QByteArray kept = withoutProgress(payload);
        if (kept.size() == payload.size()) {
            out += m_pending.left(whole);
        } else if (!kept.isEmpty()) {
            out += QByteArray::number(kept.size(), 16) + "\r\n" + kept + "\r\n";
        }
        m_pending.remove(0, whole);
    }
    out += m_pending;
    m_pending.clear();
    return out;
}

/// The other events of a chunk. The first that is no comment ends the search.
QByteArray ProgressFilter::withoutProgress(QByteArrayView payload)
{
    QByteArray kept;
    while (!payload.isEmpty()) {
        const qsizetype end = payload.indexOf(QByteArrayView("\n\n"));
        const QByteArrayView event = end < 0 ? payload : payload.first(end + 2);
        payload = payload.sliced(event.size());
        if (!m_done && event.startsWith("data:")
            && event.indexOf(QByteArrayView("\"prompt_progress\"")) >= 0) {
            read(event.sliced(5));
        } else {
            m_done = m_done || !event.startsWith(':');
            kept += event;
        }
    }
    return kept;
}

void ProgressFilter::read(QByteArrayView event)
{
    const auto document = skimObject(event);
    const JsonMember *member = document ? memberOf(*document, "prompt_progress") : nullptr;
    const auto progress = member != nullptr ? skimObject(member->value) : std::nullopt;
    if (!m_progress && progress) {
        m_progress = Progress { static_cast<qint64>(numberOf(*progress, "total").value_or(0)),
            static_cast<qint64>(numberOf(*progress, "cache").value_or(0)) };
    }
}

} // namespace kv
