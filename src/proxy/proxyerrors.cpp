// SPDX-License-Identifier: MIT
#include "proxyerrors.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace kv {

QByteArray errorBody(int status, const QString &message)
{
    const QString type = status == 400 ? QStringLiteral("invalid_request_error")
        : status == 403                ? QStringLiteral("permission_error")
                                       : QStringLiteral("unavailable_error");
    const QJsonObject error { { QStringLiteral("code"), status }, { QStringLiteral("message"), message },
        { QStringLiteral("type"), type } };
    return QJsonDocument(QJsonObject { { QStringLiteral("error"), error } }).toJson(QJsonDocument::Compact);
}

} // namespace kv
