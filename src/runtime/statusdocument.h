// SPDX-License-Identifier: MIT
#pragma once

#include "serverruntime.h"

#include <QJsonObject>

namespace kv {

// The documents of PROTOCOL.md, built from what a runtime shows. Pure functions.

/// One entry of `servers` in kv.status.
QJsonObject serverDocument(const ServerRuntime &runtime);
/// What a user can do about this server; empty: nothing.
QStringList serverAdvice(const ServerRuntime &runtime);

/// A row of kv.list. `hash`: the session's.
QJsonObject rowDocument(const ServerRuntime &runtime, const Snapshot &row, const QString &hash);
/// A manifest of kv.get: the row and everything else on record.
QJsonObject manifestDocument(const ServerRuntime &runtime, const Snapshot &row, const QString &hash);

/// The body of an `event` notification but for `seq` and `at`.
QJsonObject eventDocument(const QString &server, const Notice &notice);

} // namespace kv
