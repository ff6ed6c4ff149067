// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "jsonskim.h"

#include <QByteArray>

namespace kv {

/// The body with the slot's number in it, and `cache_prompt` unless the client says something of it. All else
/// stays byte for byte. `members` are those of `body`. A slot that the client names itself is replaced: on a
/// server whose slots are managed it would be somebody else's.
QByteArray withTransport(const QByteArray &body, const JsonMembers &members, const Transport &transport);
/// The body with one member more, `text` being its JSON: for members that are not there.
QByteArray withMember(const QByteArray &body, QByteArrayView key, QByteArrayView text);

} // namespace kv
