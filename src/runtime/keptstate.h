// SPDX-License-Identifier: MIT
#pragma once

#include "initialstate.h"
#include "loadedstore.h"

#include <QString>

#include <map>
#include <vector>

namespace kv {

/// What a coordinator begins with, from what the database held of its server. `cleanStop`: no operation of a
/// former runtime may still write to a file that no row names.
InitialState makeInitialState(const LoadedServer &kept, bool cleanStop);

/// Name of the setting under which a coordinator's text for a fingerprint is kept.
QString proofSetting(const QString &fingerprintHash);

/// Builds to which a nudge was sent, and whether they refused it.
QString nudgeSetting();
QString nudgeText(const std::map<QString, bool> &builds);
/// Files of purged snapshots that still hold what was purged.
QString purgedSetting();
QString purgedText(const std::vector<NameNumber> &files);

} // namespace kv
