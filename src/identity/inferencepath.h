// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace kv {

/// The kinds of request that use a slot.
enum class ApiKind { None, Completion, ChatCompletions, Responses, Messages };

/// What a request target asks for.
struct TargetFacts {
    QByteArray target; ///< path and query as they go to the server: a prefix /s/NAME is taken off
    QString session; ///< NAME of that prefix; empty: there is none
    ApiKind api = ApiKind::None;
    bool slotsApi = false; ///< asks for the slots API, in whatever spelling
    bool valid = true; ///< false: neither a path nor an absolute http URL
};

/// `target` as in a request line (RFC 9112, 3.2): a path, or an absolute URL whose host is left out.
TargetFacts readTarget(QByteArrayView target);

/// The server takes `id_slot` and `cache_prompt` there; /v1/messages does not (measured on build 11669).
bool honoursSlot(ApiKind api);
QString toString(ApiKind api);

} // namespace kv
