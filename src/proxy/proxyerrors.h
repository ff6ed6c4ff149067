// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace kv {

/// An error's body as llama-server writes its own, which clients of its APIs know how to show.
QByteArray errorBody(int status, const QString &message);

} // namespace kv
