// SPDX-License-Identifier: MIT
#include "keptstate.h"

#include "counters.h"

namespace kv {

namespace {

std::map<QString, QString> byFingerprint(const QMap<QString, QString> &settings, const QString &beginning)
{
    std::map<QString, QString> out;
    for (auto at = settings.lowerBound(beginning); at != settings.end() && at.key().startsWith(beginning);
         ++at) {
        out.emplace(at.key().mid(beginning.size()), at.value());
    }
    return out;
}

} // namespace

QString proofSetting(const QString &fingerprintHash) { return QStringLiteral("proof.") + fingerprintHash; }

QString ratesSetting(const QString &fingerprintHash) { return QStringLiteral("rates.") + fingerprintHash; }

InitialState makeInitialState(const LoadedServer &kept, bool cleanStop)
{
    InitialState initial;
    initial.snapshots = kept.snapshots;
    initial.highWater = kept.highWater;
    initial.lastBoot = kept.lastBoot;
    initial.proofs = byFingerprint(kept.settings, proofSetting({}));
    initial.rates = byFingerprint(kept.settings, ratesSetting({}));
    initial.day = kept.totals.value(QStringView(total::day).toString());
    initial.bytesToday = kept.totals.value(QStringView(total::bytesWrittenToday).toString());
    initial.cleanStop = cleanStop;
    return initial;
}

} // namespace kv
