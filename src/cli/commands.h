// SPDX-License-Identifier: MIT
#pragma once

#include "commandcontext.h"

namespace kv {

// One function a command; clioptions.cpp says what each takes.

int runStatus(CommandContext &context);
int runSlots(CommandContext &context);
int runList(CommandContext &context);
int runShow(CommandContext &context);
int runMetrics(CommandContext &context);
int runHistory(CommandContext &context);

int runSave(CommandContext &context);
int runRestore(CommandContext &context);
int runInvalidate(CommandContext &context);
int runPurge(CommandContext &context);
int runPin(CommandContext &context);
int runUnpin(CommandContext &context);
int runFlush(CommandContext &context);
int runGc(CommandContext &context);

int runPause(CommandContext &context);
int runResume(CommandContext &context);
int runReload(CommandContext &context);
int runConfigGet(CommandContext &context);
int runConfigValidate(CommandContext &context);
int runConfigSet(CommandContext &context);
int runConfigPath(CommandContext &context);
int runConfigDefault(CommandContext &context);

int runDoctor(CommandContext &context);
int runWatch(CommandContext &context);
int runReport(CommandContext &context);

int runReplay(CommandContext &context); ///< without a daemon
int runIdentify(CommandContext &context); ///< likewise

} // namespace kv
