// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

namespace kv {

/// One of `corpus`, changed in 1 to 4 places. The same on every platform for the same corpus and seed. Never
/// longer than a longest file of the corpus and a few KiB.
QByteArray mutated(const QList<QByteArray> &corpus, quint64 seed);

} // namespace kv
