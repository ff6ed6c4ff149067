// SPDX-License-Identifier: MIT
#pragma once

#include "overviewprogress.h"

namespace kv {

// Servers and slots in words, translated.

/// "Ready", "Paused until 14:30", "Cannot save as it was started", …
QString serverStateText(const ServerView &server);
/// "saved", "not saved yet", "answering", …
QString slotStateText(const SlotView &slot);
/// What runs: "Answering", "Saving", …; empty: nothing does.
QString runningText(const SlotView &slot);
/// "48.7K of 131.1K tokens", "48.7K tokens"; empty: not known.
QString contextText(const SlotView &slot);
/// What is done to a file, and how far it is: "Checking its file: 41.2% of 2.2 GiB".
QString progressText(const OverviewProgress::Work &work);
/// 0 to 1; nullopt: not known.
std::optional<double> contextShare(const SlotView &slot);
/// "prefill 310 tok/s, generating 42 tok/s", as far as measured.
QString ratesText(const RatesView &rates);
/// The owner's name, or that there is none.
QString slotOwnerText(const SlotView &slot);
/// Whether the slot holds a session that needs no processing.
bool isWarm(const SlotView &slot);
/// "until 14:30"; empty: until resumed.
QString untilText(std::optional<qint64> untilMs);

/// What in a sentence of advice is worth copying: the first flag of llama-server with its value
/// (`--slot-save-path FOLDER`), else a command in quotation marks (`kv-persist resume`); empty: nothing.
QString copyableIn(const QString &advice);

} // namespace kv
