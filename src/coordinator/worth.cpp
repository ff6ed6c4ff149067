// SPDX-License-Identifier: MIT
#include "worth.h"

namespace kv {

namespace {
constexpr double c_largeBytes = 64.0 * 1024 * 1024;
/// The share of the day's budget from which on only what cannot be made up for later is saved.
constexpr double c_budgetShare = 0.9;

bool isBackground(SaveReason reason)
{
    return reason == SaveReason::Idle || reason == SaveReason::TurnEnd || reason == SaveReason::StepEnd
        || reason == SaveReason::Base;
}

} // namespace

QString toString(Worth worth)
{
    switch (worth) {
    case Worth::Yes:
        break;
    case Worth::Small:
        return QStringLiteral("small");
    case Worth::LittleNew:
        return QStringLiteral("little-new");
    case Worth::BudgetSpent:
        return QStringLiteral("budget");
    }
    return QStringLiteral("yes");
}

Worth judgeWorth(const WorthInput &input)
{
    if (input.reason == SaveReason::Manual) {
        return Worth::Yes;
    }
    const double bytes = static_cast<double>(input.tokens) * input.bytesPerToken;
    if (input.minTokens >= 0) {
        if (input.tokens < input.minTokens) {
            return Worth::Small;
        }
    } else if (bytes > 0 && input.prefillPerSecond > 0 && input.restorePerSecond > 0
        && bytes / input.restorePerSecond > static_cast<double>(input.tokens) / input.prefillPerSecond) {
        return Worth::Small;
    }
    if (!isBackground(input.reason)) {
        return Worth::Yes;
    }
    if (input.maxBytesPerDay > 0
        && static_cast<double>(input.bytesWrittenToday) + bytes
            > c_budgetShare * static_cast<double>(input.maxBytesPerDay)) {
        return Worth::BudgetSpent;
    }
    if (bytes > c_largeBytes && input.prefillPerSecond > 0 && input.savePerSecond > 0) {
        const double fresh
            = static_cast<double>(input.tokens - input.snapshotTokens) / input.prefillPerSecond;
        if (fresh <= 2 * bytes / input.savePerSecond) {
            return Worth::LittleNew;
        }
    }
    return Worth::Yes;
}

} // namespace kv
