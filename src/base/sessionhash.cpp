// SPDX-License-Identifier: MIT
#include "sessionhash.h"

#include <QCryptographicHash>

namespace kv {

QString sessionHash(const QString &sessionId)
{
    return QString::fromLatin1(
        QCryptographicHash::hash(sessionId.toUtf8(), QCryptographicHash::Sha256).toHex());
}

QString shortSession(const QString &sessionId) { return sessionHash(sessionId).left(c_sessionDigits); }

} // namespace kv
