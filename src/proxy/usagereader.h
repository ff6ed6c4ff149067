// SPDX-License-Identifier: MIT
#pragma once

#include "inferencepath.h"
#include "jsonskim.h"
#include "types.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QElapsedTimer>

#include <optional>

namespace kv {

/// Reads from an answer's body, as it passes, what the server tells of its work: `timings` where there are
/// any, else `usage` of the four APIs, and whether the model asked for tools. Changes and delays nothing.
class UsageReader final {
public:
    UsageReader() { m_since.start(); }
    ~UsageReader() = default;
    Q_DISABLE_COPY_MOVE(UsageReader)

    void start(bool eventStream); ///< the head is there
    void feed(QByteArrayView body); ///< unframed
    void finish(); ///< the body is complete

    [[nodiscard]] const Usage &usage() const { return m_usage; }
    [[nodiscard]] const Timings &timings() const { return m_timings; }
    /// True: the model asked for tools, so the next request comes soon. nullopt: nothing was said.
    [[nodiscard]] std::optional<bool> more() const { return m_more; }

private:
    void readLine(QByteArrayView line);
    void readDocument(QByteArrayView json);
    void readTimings(const JsonMembers &timings);
    void readUsage(const JsonMembers &usage);
    void readReason(const JsonMembers &document);

    QElapsedTimer m_since;
    bool m_stream = false;
    bool m_tooLong = false; ///< the present line, or the whole document
    QByteArray m_held; ///< the document, or a line that is not complete
    bool m_timed = false; ///< usage comes from timings, which are exact
    Usage m_usage;
    Timings m_timings;
    std::optional<bool> m_more;
};

} // namespace kv
