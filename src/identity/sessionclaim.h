// SPDX-License-Identifier: MIT
#pragma once

#include "inferencepath.h"
#include "jsonskim.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace kv {

using HeaderList = std::vector<std::pair<QByteArray, QByteArray>>;

/// Which session a request says it belongs to. What clients really send is in DESIGN's order; each source
/// has a test with a captured request.
struct SessionClaim {
    QString session; ///< empty: it says nothing, and only its prompt can tell
    QString why; ///< the source in a few words: "header x-session-id"
    QString parent; ///< full id of the session that started it; empty: none is known
    bool subagent = false;
    bool compaction = false; ///< says that it shortens its own conversation
    QString lease; ///< X-KV-Lease: another client has begun this request
};

/// `pathSession`: the NAME of a path prefix /s/NAME. `body` may be empty. An id that is longer than 256
/// characters or holds control characters is no id.
SessionClaim claimOf(const HeaderList &headers, const JsonMembers &body, const QString &pathSession);

/// The first value of a header; empty: it is not there. `name` in lower case.
QByteArray headerValue(const HeaderList &headers, QByteArrayView name);

} // namespace kv
