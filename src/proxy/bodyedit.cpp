// SPDX-License-Identifier: MIT
#include "bodyedit.h"

namespace kv {

QByteArray withMember(const QByteArray &body, QByteArrayView key, QByteArrayView text)
{
    const qsizetype brace = body.indexOf('{');
    if (brace < 0) {
        return body;
    }
    QByteArray out;
    out.reserve(body.size() + key.size() + text.size() + 4);
    out.append(body.constData(), brace + 1);
    out.append('"').append(key).append("\":").append(text);
    const QByteArrayView rest = QByteArrayView(body).sliced(brace + 1);
    if (!rest.trimmed().startsWith('}')) {
        out.append(',');
    }
    out.append(rest);
    return out;
}

QByteArray withTransport(const QByteArray &body, const JsonMembers &members, const Transport &transport)
{
    const QByteArray slot = QByteArray::number(transport.idSlot);
    QByteArray out;
    out.reserve(body.size() + 48);
    qsizetype copied = 0;
    bool named = false;
    for (const JsonMember &member : members) {
        if (member.key == "id_slot") {
            const qsizetype at = member.value.data() - body.constData();
            out.append(body.constData() + copied, at - copied).append(slot);
            copied = at + member.value.size();
            named = true;
        }
    }
    out.append(body.constData() + copied, body.size() - copied);
    if (memberOf(members, "cache_prompt") == nullptr) {
        out = withMember(out, "cache_prompt", transport.cachePrompt ? "true" : "false");
    }
    return named ? out : withMember(out, "id_slot", slot);
}

} // namespace kv
