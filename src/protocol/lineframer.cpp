// SPDX-License-Identifier: MIT
#include "lineframer.h"

namespace kv {

void LineFramer::feed(QByteArrayView bytes)
{
    if (m_failed || bytes.isEmpty()) {
        return;
    }
    // Delivered bytes are dropped only when they are at least half of the buffer: each byte moves at most
    // once.
    if (m_lineStart > 0 && m_lineStart * 2 >= m_buffer.size()) {
        m_buffer.remove(0, m_lineStart);
        m_scanned -= m_lineStart;
        m_lineStart = 0;
    }
    m_buffer.append(bytes);
}

std::optional<QByteArray> LineFramer::next()
{
    while (!m_failed) {
        const qsizetype end = m_buffer.indexOf('\n', m_scanned);
        const bool complete = end >= 0;
        qsizetype stop = complete ? end : m_buffer.size();
        m_scanned = complete ? end + 1 : stop;
        if (stop > m_lineStart && m_buffer.at(stop - 1) == '\r') {
            --stop;
        }
        if (stop - m_lineStart > m_maxLine) {
            fail();
            break;
        }
        if (!complete) {
            break;
        }
        QByteArray line = m_buffer.mid(m_lineStart, stop - m_lineStart);
        m_lineStart = end + 1;
        if (!line.trimmed().isEmpty()) {
            return line;
        }
    }
    return std::nullopt;
}

void LineFramer::fail()
{
    m_failed = true;
    m_buffer = QByteArray();
    m_lineStart = 0;
    m_scanned = 0;
}

} // namespace kv
