// SPDX-License-Identifier: MIT
#include "statusdocument.h"

#include "bytesize.h"
#include "doctorchecks.h"
#include "eventname.h"
#include "humantime.h"
#include "policymaker.h"
#include "sessionhash.h"
#include "slotfolder.h"

#include <QCryptographicHash>
#include <QJsonArray>

#include <algorithm>
#include <array>

namespace kv {

namespace {

void put(QJsonObject &to, const char *key, const QString &text)
{
    if (!text.isEmpty()) {
        to.insert(QLatin1String(key), text);
    }
}

void put(QJsonObject &to, const char *key, qint64 number)
{
    if (number >= 0) {
        to.insert(QLatin1String(key), number);
    }
}

QString runningKind(const Slot &slot)
{
    if (!slot.job) {
        return QStringLiteral("inference");
    }
    switch (slot.job->phase) {
    case Job::Phase::Look:
    case Job::Phase::Nudge:
        return QStringLiteral("inspect");
    case Job::Phase::Save:
    case Job::Phase::Empty:
    case Job::Phase::SaveIdentity:
        return QStringLiteral("save");
    case Job::Phase::CheckFile:
    case Job::Phase::Restore:
    case Job::Phase::RestoreIdentity:
        return QStringLiteral("restore");
    case Job::Phase::EraseBeforeRetry:
    case Job::Phase::EraseAfterFailure:
    case Job::Phase::Erase:
        return QStringLiteral("erase");
    }
    return {};
}

QJsonObject slotDocument(const ServerRuntime &runtime, const Slot &slot)
{
    const Coordinator &coordinator = runtime.coordinator();
    QJsonObject out { { QStringLiteral("id"), slot.key.id },
        { QStringLiteral("state"), toString(stateOf(slot)) } };
    put(out, "model", runtime.server().routerModel);
    if (slot.owner) {
        out.insert(QStringLiteral("owner"), shortSession(slot.owner->session));
        put(out, "label", slot.owner->label);
        put(out, "prefix", runtime.prefixNote(slot.owner->session));
    }
    put(out, "tokens", slot.tokens.value_or(-1));
    if (slot.contextTokens > 0) {
        put(out, "context", slot.contextTokens);
    }
    if (slot.lastUsedWallMs > 0) {
        put(out, "lastUsedAt", isoUtc(slot.lastUsedWallMs));
    }
    if (slot.job || slot.lease != 0 || slot.foreign > 0) {
        qint64 since = runtime.jobSinceWallMs(slot.key);
        if (!slot.job) {
            since = slot.lastUsedWallMs;
            const auto lease = coordinator.leases().find(slot.lease);
            if (lease != coordinator.leases().end()) {
                since = runtime.now().wallMs - (runtime.now().monoMs - lease->second.grantedMs);
            }
        }
        out.insert(QStringLiteral("running"),
            QJsonObject {
                { QStringLiteral("kind"), runningKind(slot) }, { QStringLiteral("since"), isoUtc(since) } });
    }
    return out;
}

QJsonObject ratesDocument(const Rates &rates)
{
    QJsonObject out;
    const auto rate = [&](const char *key, double value) {
        if (value > 0) {
            out.insert(QLatin1String(key), value);
        }
    };
    rate("prefillPerSecond", rates.prefillPerSecond);
    rate("generatePerSecond", rates.generatePerSecond);
    rate("savePerSecond", rates.savePerSecond);
    rate("restorePerSecond", rates.restorePerSecond);
    rate("bytesPerToken", rates.bytesPerToken);
    rate("switchMs", rates.switchMs);
    return out;
}

QString modelHash(const Fingerprint &fingerprint)
{
    constexpr std::array<QStringView, 9> modelFields { field::modelPath, field::nParams, field::modelSize,
        field::nVocab, field::nEmbd, field::nCtxTrain, field::fileSize, field::fileMtime, field::fileSample };
    FieldList fields;
    for (const QStringView name : modelFields) {
        fields.emplace_back(name.toString(), fingerprint.value(name));
    }
    return Fingerprint(fields, {}, 0).hash();
}

/// Empty: it does not tell.
QString told(const ServerFacts &facts, QStringView name)
{
    const auto found = std::find_if(
        facts.compared.begin(), facts.compared.end(), [&](const auto &field) { return field.first == name; });
    return found == facts.compared.end() ? QString() : found->second;
}

} // namespace

QStringList serverAdvice(const ServerRuntime &runtime)
{
    const Coordinator &coordinator = runtime.coordinator();
    QStringList advice;
    if (!coordinator.unsupportedReason().isEmpty()) {
        advice.append(coordinator.unsupportedReason());
    }
    if (runtime.state() == QStringLiteral("unreachable") && !coordinator.trouble().isEmpty()) {
        advice.append(coordinator.trouble());
    } else if (!coordinator.trouble().isEmpty() && coordinator.unsupportedReason().isEmpty()) {
        advice.append(QStringLiteral("Last trouble: %1").arg(coordinator.trouble()));
    }
    if (!coordinator.identity().boot.isEmpty() && !coordinator.identity().known()
        && !runtime.identityTrouble().isEmpty()) {
        advice.append(runtime.identityTrouble());
    }
    if (coordinator.compatibility() == Compatibility::Broken) {
        advice.append(QStringLiteral(
            "This model does not reuse restored states with this build, so saving and restoring "
            "rest for it. A newer llama-server may help; “kv-persist resume” tries again."));
    }
    if (coordinator.restoresStopped()) {
        advice.append(QStringLiteral(
            "The server has ended twice while it read a snapshot, so nothing is restored any more with this "
            "model and build. Look at the server's log; “kv-persist resume” tries again."));
    }
    if (coordinator.clearsIdleSlots()) {
        advice.append(QStringLiteral(
            "This server empties a slot as soon as another one gets a request, so sessions are saved before "
            "each change and restored after it. Start it %1: they stay warm without that then.")
                          .arg(wayToKeepIdleSlots(told(runtime.facts(), field::kvUnified),
                              told(runtime.facts(), field::streams))));
    }
    if (coordinator.isBudgetSpent()) {
        advice.append(
            QStringLiteral("Most of checkpoint.maxBytesPerDay has been written today: until tomorrow only "
                           "switches, flushes and shutdowns save."));
    }
    if (coordinator.diskRoom().isShort()) {
        advice.append(QStringLiteral(
            "The disk of the slot files has %1 free: too little to save a session of about %2 and still keep "
            "retention.minFreeBytes (%3) free. Sessions are not saved until there is room: free some, lower "
            "that limit, or let snapshots go (“kv-persist gc”).")
                          .arg(formatBytes(coordinator.diskRoom().freeBytes()),
                              formatBytes(coordinator.roomWanted()),
                              formatBytes(coordinator.policy().minFreeBytes)));
    }
    if (const SlotFolderFinding found = findSlotFolder(runtime); !found.message.isEmpty()) {
        advice.append(found.message + QLatin1Char(' ') + found.remedy);
    }
    if (coordinator.strangers() >= 3) {
        advice.append(
            QStringLiteral("Another program uses slots of this server (%1 times seen): their sessions push "
                           "each other out. Let it use kv-persist too, or give it a server of its own.")
                .arg(coordinator.strangers()));
    }
    if (coordinator.policy().mode == SlotMode::SingleSlot && runtime.facts().totalSlots > 1) {
        advice.append(QStringLiteral(
            "The server has %1 slots (the default without --parallel), but only slot %2 is managed: requests "
            "without id_slot may go to any of them and are not kept. Start it with --parallel 1; or, if your "
            "client sends id_slot, set mode: managed-slots.")
                          .arg(runtime.facts().totalSlots)
                          .arg(coordinator.policy().slotId));
    }
    if (coordinator.policy().mode == SlotMode::ManagedSlots && coordinator.pinless() > 0) {
        advice.append(QStringLiteral(
            "A client names no slot (id_slot), so the server chooses one for each of its requests, and "
            "kv-persist looks for it afterwards (%1 requests, %2 of them not found again). To make it "
            "certain, "
            "start the server with --parallel 1, let the client send id_slot, or use the proxy.")
                          .arg(coordinator.pinless())
                          .arg(coordinator.unbooked()));
    }
    if (const std::size_t files = coordinator.purgedFiles().size(); files > 0) {
        advice.append(QStringLiteral("%1 files of purged snapshots still hold what was purged. They are "
                                     "emptied as soon as a slot is free, or overwritten by the next save.")
                          .arg(files));
    }
    return advice;
}

QJsonObject serverDocument(const ServerRuntime &runtime)
{
    const Coordinator &coordinator = runtime.coordinator();
    QJsonObject backend { { QStringLiteral("kind"), QStringLiteral("llama.cpp") },
        { QStringLiteral("state"), runtime.state() },
        { QStringLiteral("endpoint"), shownEndpoint(runtime.server().baseUrl) },
        { QStringLiteral("since"), isoUtc(runtime.stateSinceWallMs()) } };
    put(backend, "build", runtime.facts().build);
    const QString model = runtime.facts().alias.isEmpty() ? runtime.facts().modelPath : runtime.facts().alias;
    put(backend, "model",
        runtime.isRouter()    ? QStringLiteral("a router: each of its models stands beside it")
            : model.isEmpty() ? runtime.server().routerModel
                              : model);
    put(backend, "message", runtime.stateMessage());
    QJsonArray slotList;
    if (!runtime.isRouter()) {
        for (const auto &[key, slot] : coordinator.slotTable()) {
            slotList.append(slotDocument(runtime, slot));
        }
    }
    const bool managed = coordinator.policy().mode == SlotMode::ManagedSlots;
    QJsonObject out { { QStringLiteral("name"), runtime.server().name },
        { QStringLiteral("backend"), backend },
        { QStringLiteral("mode"), managed ? QStringLiteral("managed-slots") : QStringLiteral("single-slot") },
        { QStringLiteral("files"),
            coordinator.policy().sharedFiles ? QStringLiteral("shared-filesystem")
                                             : QStringLiteral("server-owned") },
        { QStringLiteral("paused"), coordinator.isPaused() },
        { QStringLiteral("waiting"), static_cast<qint64>(coordinator.waiting()) },
        { QStringLiteral("slots"), slotList },
        { QStringLiteral("rates"), ratesDocument(coordinator.rates()) },
        { QStringLiteral("compatibility"), toString(coordinator.compatibility()) },
        { QStringLiteral("advice"), QJsonArray::fromStringList(serverAdvice(runtime)) } };
    if (runtime.isRouter()) {
        out.insert(QStringLiteral("router"), true);
    } else {
        put(out, "routerModel", runtime.server().routerModel);
    }
    out.insert(QStringLiteral("bytesWrittenToday"), coordinator.bytesWrittenToday(runtime.now().wallMs));
    if (coordinator.policy().maxBytesPerDay > 0) {
        out.insert(QStringLiteral("maxBytesPerDay"), coordinator.policy().maxBytesPerDay);
    }
    put(out, "freeBytes", coordinator.diskRoom().freeBytes());
    return out;
}

QJsonObject rowDocument(const ServerRuntime &runtime, const Snapshot &row, const QString &hash)
{
    const Coordinator &coordinator = runtime.coordinator();
    const SnapshotIndex::Judgement judgement = SnapshotIndex::judge(
        row, coordinator.identity().known() ? coordinator.identity().fingerprint.get() : nullptr);
    QJsonObject out { { QStringLiteral("session"), hash.left(c_sessionDigits) },
        { QStringLiteral("hash"), hash }, { QStringLiteral("provider"), row.provider },
        { QStringLiteral("model"), row.model }, { QStringLiteral("server"), row.serverInstanceKey },
        { QStringLiteral("state"), toString(judgement.state) }, { QStringLiteral("tokens"), row.tokens },
        { QStringLiteral("bytes"), row.bytes }, { QStringLiteral("createdAt"), isoUtc(row.createdWallMs) },
        { QStringLiteral("updatedAt"), isoUtc(row.updatedWallMs) },
        { QStringLiteral("verdict"), toString(row.verdict) }, { QStringLiteral("pinned"), row.pinned },
        { QStringLiteral("subagent"), row.subagent },
        { QStringLiteral("kind"), row.base ? QStringLiteral("base") : QStringLiteral("session") } };
    put(out, "label", row.label);
    if (row.base) {
        out.insert(QStringLiteral("source"), shortSession(row.source));
        put(out, "prefixTokens", row.prefixTokens);
    }
    put(out, "reason",
        judgement.detail.isEmpty() ? judgement.reason
                                   : QStringLiteral("%1: %2").arg(judgement.reason, judgement.detail));
    if (row.lastRestoreWallMs > 0) {
        put(out, "lastRestoreAt", isoUtc(row.lastRestoreWallMs));
    }
    for (const auto &[key, slot] : coordinator.slotTable()) {
        if (slot.ownedBy(row.session)) {
            out.insert(QStringLiteral("slot"), key.id);
        }
    }
    return out;
}

QJsonObject manifestDocument(const ServerRuntime &runtime, const Snapshot &row, const QString &hash)
{
    QJsonObject out = rowDocument(runtime, row, hash);
    out.insert(QStringLiteral("schemaVersion"), c_manifestSchema);
    put(out, "sessionSeq", row.sessionSeq);
    out.insert(QStringLiteral("backend"), QStringLiteral("llama.cpp"));
    out.insert(QStringLiteral("serverInstanceKey"), row.serverInstanceKey);
    put(out, "serverEndpointHash", row.endpointHash);
    out.insert(QStringLiteral("modelFingerprint"), modelHash(*row.fingerprint));
    out.insert(QStringLiteral("runtimeFingerprint"), row.fingerprint->hash());
    QJsonObject fields;
    for (const FieldList *list : { &row.fingerprint->compared(), &row.fingerprint->shown() }) {
        for (const auto &[name, value] : *list) {
            fields.insert(name, value);
        }
    }
    out.insert(QStringLiteral("runtime"), fields);
    out.insert(QStringLiteral("slotId"), row.slotId);
    out.insert(QStringLiteral("snapshotFilename"), runtime.fileName(row.name));
    out.insert(QStringLiteral("persistenceCompatibility"), toString(row.compatibility));
    return out;
}

QJsonObject eventDocument(const QString &server, const Notice &notice)
{
    QJsonObject out { { QStringLiteral("name"), notice.name }, { QStringLiteral("server"), server } };
    if (notice.slot.id >= 0) {
        out.insert(QStringLiteral("slot"), notice.slot.id);
    }
    if (!notice.session.isEmpty()) {
        out.insert(QStringLiteral("session"), shortSession(notice.session));
    }
    put(out, "label", notice.label);
    put(out, "provider", notice.provider);
    put(out, "model", notice.model);
    if (notice.name == eventname::slotState) {
        // The state itself is what happened; why is not always told.
        put(out, "reason",
            notice.reason.isEmpty() ? notice.outcome
                                    : QStringLiteral("%1: %2").arg(notice.outcome, notice.reason));
    } else {
        put(out, "outcome", notice.outcome);
        put(out, "reason", notice.reason);
    }
    put(out, "code", notice.code);
    put(out, "tokens", notice.tokens);
    put(out, "bytes", notice.bytes);
    put(out, "what", notice.what);
    put(out, "permille", qint64 { notice.permille });
    if (notice.ms >= 0) {
        out.insert(QStringLiteral("ms"), notice.ms);
    }
    return out;
}

} // namespace kv
