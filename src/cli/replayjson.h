// SPDX-License-Identifier: MIT
#pragma once

#include "replay.h"

#include <QJsonArray>
#include <QJsonObject>

namespace kv {

/// One step of a replay with every field of its event and effects.
QJsonObject replayStepJson(const ReplayStep &step);
QJsonObject replayEventJson(const Event &event);
QJsonObject replaySummaryJson(const ReplaySummary &summary);

} // namespace kv
