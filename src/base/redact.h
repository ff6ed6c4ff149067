// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace kv {

/// The text without what must not leave the process: values of Authorization and API key headers, fields, and
/// query parameters, bearer tokens, user information in URLs, and every occurrence of `secrets` (the
/// configured API keys).
QString redacted(QString text, const QStringList &secrets = {});
/// Of that only the user information in URLs, an '@' in a password included.
QString withoutUserInfo(QString text);

} // namespace kv
