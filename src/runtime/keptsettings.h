// SPDX-License-Identifier: MIT
#pragma once

#include "initialstate.h"

#include <QMap>
#include <QString>

#include <map>
#include <vector>

namespace kv {

// What a server's coordinator has learned and the database keeps as text (SnapshotStore::submitSetting).

/// What restores have proved under a fingerprint.
QString proofSetting(const QString &fingerprintHash);
/// Builds to which a nudge was sent, and whether they refused it.
QString nudgeSetting();
/// Files of purged snapshots that still hold what was purged.
QString purgedSetting();

QString nudgeText(const std::map<QString, bool> &builds);
QString purgedText(const std::vector<NameNumber> &files);
/// Takes over what is in `settings`; text that makes no sense is as if it were not there.
void applySettings(const QMap<QString, QString> &settings, InitialState &initial);

} // namespace kv
