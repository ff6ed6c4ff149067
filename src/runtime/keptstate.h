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

/// Names of the settings under which a coordinator's texts for a fingerprint are kept.
QString proofSetting(const QString &fingerprintHash);
QString ratesSetting(const QString &fingerprintHash);

/// Builds to which a nudge was sent, and whether they refused it.
QString nudgeSetting();
QString nudgeText(const std::map<QString, bool> &builds);
/// Files of purged snapshots that still hold what was purged.
QString purgedSetting();
QString purgedText(const std::vector<NameNumber> &files);

} // namespace kv
