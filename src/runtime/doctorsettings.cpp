// SPDX-License-Identifier: MIT
// What the doctor says of how a server was started: by its command line where that can be read, else by what
// was seen, else that it is not known.
#include "doctorchecks.h"

#include <QHostAddress>

namespace kv {

namespace {

DoctorFinding checkIdleClearing(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("idle clearing");
    const std::optional<ServerCommandLine> &line = found.commandLine;
    const QString remedy
        = QStringLiteral("Start llama-server %1.")
              .arg(wayToKeepIdleSlots(line ? line->kvUnified : QString(), line ? line->streams : QString()));
    if (found.totalSlots == 1) {
        return passed(name, QStringLiteral("One slot: no other one's request can empty it."));
    }
    if (subject.clearsIdleSlots) {
        return warned(name,
            QStringLiteral(
                "This server empties a slot as soon as another one gets a request (seen), so sessions "
                "are saved before each change and restored after it."),
            remedy);
    }
    if (line) {
        return line->clearsIdleSlots() ? warned(name,
                   QStringLiteral(
                       "As it was started, the server empties an idle slot as soon as another one gets a "
                       "request (--cache-idle-slots is the default %1).")
                       .arg(line->kvUnified == QStringView(u"on") ? QStringLiteral("with --kv-unified")
                                                                  : QStringLiteral("without --parallel")),
                   remedy)
                                       : passed(name, QStringLiteral("Idle slots keep what they hold."));
    }
    return found.totalSlots == 0
        ? passed(name, QStringLiteral("Not known from here."))
        : warned(name,
            QStringLiteral(
                "Not known from here: whether an idle slot is emptied by another one's request. It "
                "shows while two sessions work, and until then they are saved before each change."),
            remedy);
}

DoctorFinding checkUnified(const ServerFindings &found)
{
    const QString name = QStringLiteral("unified kv");
    if (found.totalSlots == 1) {
        return passed(name, QStringLiteral("One slot has all of the memory."));
    }
    if (!found.commandLine) {
        return passed(
            name, QStringLiteral("Not known from here. The server's log says it (kv_unified) as it starts."));
    }
    if (found.commandLine->unified() && found.totalSlots > 1) {
        return warned(name,
            QStringLiteral(
                "The server's %1 slots share one pool of memory (unified KV): a long prompt in one can "
                "push out what another holds, and a restore beside it may find no room.")
                .arg(found.totalSlots),
            QStringLiteral("Start llama-server with --parallel %1 and without --kv-unified.")
                .arg(found.totalSlots));
    }
    return passed(name, QStringLiteral("Each slot has memory of its own."));
}

DoctorFinding checkPromptCache(const ServerFindings &found)
{
    const QString name = QStringLiteral("prompt cache");
    if (!found.commandLine) {
        return passed(name,
            QStringLiteral("Not known from here: whether the server keeps prompts in memory (--cache-ram, by "
                           "default up to 8192 MiB). Nothing has to be done."));
    }
    const qint64 most = found.commandLine->cacheRamMiB;
    if (most == 0) {
        return passed(name, QStringLiteral("The server keeps no prompts in memory (--cache-ram 0)."));
    }
    return passed(name,
        QStringLiteral(
            "The server keeps %1 of prompts in memory (--cache-ram), until it ends: snapshots on disk "
            "help beyond that, and after a restart.")
            .arg(most < 0 ? QStringLiteral("any amount") : QStringLiteral("up to %1 MiB").arg(most)));
}

DoctorFinding checkSleep(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("sleep");
    if (found.sleeping) {
        return warned(name,
            QStringLiteral(
                "The server sleeps: the state of its slots is gone, and its slots cannot be looked at "
                "without waking it."),
            QStringLiteral("Nothing has to be done; the next request wakes it. To keep it awake, start "
                           "llama-server without --sleep-idle-seconds."));
    }
    if (!found.commandLine) {
        return passed(name,
            QStringLiteral("Awake. Whether it will sleep (--sleep-idle-seconds) is not known from here."));
    }
    const qint64 after = found.commandLine->sleepIdleMs;
    if (after <= 0) {
        return passed(name, QStringLiteral("Awake, and it never sleeps."));
    }
    if (subject.idleCheckpointMs <= 0) {
        return warned(name,
            QStringLiteral(
                "The server sleeps after %1 s without a request and forgets its slots; idle sessions "
                "are not saved before that (checkpoint.idleMs is 0).")
                .arg(after / 1000),
            QStringLiteral("Set checkpoint: { idleMs: 30000 }."));
    }
    return passed(name,
        QStringLiteral("Awake. It sleeps after %1 s without a request; idle sessions are saved before that.")
            .arg(after / 1000));
}

DoctorFinding checkMultimodal(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("multimodal");
    const bool media = found.multimodal.value_or(found.commandLine && found.commandLine->multimodal);
    if (!media) {
        return passed(name,
            found.multimodal || found.commandLine ? QStringLiteral("Text only.")
                                                  : QStringLiteral("Not told by this build."));
    }
    if (subject.savedBefore) {
        return passed(name, QStringLiteral("It takes images or sound, and saving works all the same."));
    }
    return warned(name,
        QStringLiteral(
            "The server takes images or sound. Older builds refuse to save slots then, others those "
            "that hold media."),
        QStringLiteral(
            "“kv-persist doctor --verify” shows whether this build saves; if not, start llama-server "
            "without --mmproj, or use a newer one."));
}

DoctorFinding checkExposure(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("exposure");
    const std::optional<ServerCommandLine> &line = found.router ? found.routerLine : found.commandLine;
    const QString host = line ? line->host : subject.endpoint.base.host();
    const bool open = isOpenToOthers(host);
    const bool withKey = line ? line->apiKey : found.key != ServerFindings::Key::NotAsked;
    const bool debug = found.showsPrompts || (line && line->slotsDebug);
    if (open && !withKey) {
        return warned(name,
            QStringLiteral(
                "The server listens on %1 and asks for no key: whoever reaches it can use it, read "
                "what its slots hold, save and erase them.")
                .arg(host),
            QStringLiteral("Start llama-server with --host 127.0.0.1, or with --api-key-file FILE."));
    }
    if (debug) {
        return warned(name,
            QStringLiteral("GET /slots shows the prompts of all slots to everybody who may ask."),
            QStringLiteral("Start llama-server without LLAMA_SERVER_SLOTS_DEBUG in its environment."));
    }
    if (open) {
        return passed(name, QStringLiteral("It is reached over the network, and asks for a key."));
    }
    return passed(name,
        line ? QStringLiteral("Only this machine reaches it.")
             : QStringLiteral(
                 "It is asked over this machine's own address. Whether it listens on others too is "
                 "not known from here."));
}

} // namespace

QString wayToKeepIdleSlots(const QString &kvUnified, const QString &streams)
{
    const QString byDefault = QStringLiteral("auto");
    const bool numbered = !streams.isEmpty() && streams != byDefault;
    QStringList ways;
    if (!numbered) {
        ways.append(QStringLiteral("with --parallel 1 (or another number)"));
    }
    if (numbered || kvUnified != byDefault) {
        ways.append(QStringLiteral("without --kv-unified"));
    }
    return ways.join(QStringLiteral(" and ")) + QStringLiteral(", or with --no-cache-idle-slots");
}

bool isOpenToOthers(const QString &host)
{
    const bool unixSocket = host.endsWith(QStringLiteral(".sock"));
    return !unixSocket && host != QStringView(u"localhost") && !QHostAddress(host).isLoopback();
}

DoctorFindings checkSettings(const DoctorSubject &subject, const ServerFindings &found)
{
    if (isRouterItself(subject, found)) {
        return { checkExposure(subject, found) }; // the rest is each model's own
    }
    return { checkIdleClearing(subject, found), checkUnified(found), checkPromptCache(found),
        checkSleep(subject, found), checkMultimodal(subject, found), checkExposure(subject, found) };
}

} // namespace kv
