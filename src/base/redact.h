// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace kv {

/// The text without what must not leave the process: values of Authorization and API key headers, fields, and
/// query parameters, bearer tokens, user information in URLs, and every occurrence of `secrets` (the
/// configured API keys).
QString redacted(QString text, const QStringList &secrets = {});

} // namespace kv
