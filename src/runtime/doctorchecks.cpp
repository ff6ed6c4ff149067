// SPDX-License-Identifier: MIT
// What the doctor says of a server.
#include "doctorchecks.h"

#include "policymaker.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kv {

namespace {

const MissingPiece *missing(const ServerFindings &found, QStringView name)
{
    const auto at = std::find_if(found.missing.begin(), found.missing.end(),
        [&](const MissingPiece &piece) { return piece.name == name; });
    return at == found.missing.end() ? nullptr : &*at;
}

QString askAgain()
{
    return QStringLiteral("Ask again after the next request; if this stays, run “kv-persist status”.");
}

DoctorFinding checkModel(const DoctorSubject &subject, const ServerFindings &found)
{
    if (isRouterItself(subject, found)) {
        const QString loaded = found.loadedModels.isEmpty()
            ? QStringLiteral("none is loaded")
            : QStringLiteral("loaded: %1").arg(found.loadedModels.join(QStringLiteral(", ")));
        return passed(QStringLiteral("models"),
            QStringLiteral("A router with %1 models: %2 (%3). Those in use are checked each by itself.")
                .arg(found.models.size())
                .arg(found.models.join(QStringLiteral(", ")), loaded));
    }
    if (const MissingPiece *piece = missing(found, u"model")) {
        return failed(QStringLiteral("model"), piece->message,
            QStringLiteral("Let the client ask for one of the models that it names."));
    }
    const QString &named = subject.endpoint.routerModel;
    const QString model = !named.isEmpty() ? named : found.alias.isEmpty() ? found.modelPath : found.alias;
    return passed(QStringLiteral("model"),
        QStringLiteral("%1, build %2.")
            .arg(model, found.build.isEmpty() ? QStringLiteral("unknown") : found.build));
}

DoctorFinding checkFingerprint(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("fingerprint");
    if (subject.fingerprint == nullptr) {
        if (found.sleeping) {
            return passed(name, QStringLiteral("Not read yet, as the server sleeps. The next request does."));
        }
        if (subject.startedAnew) {
            return passed(name,
                QStringLiteral(
                    "The server was started anew; what it runs now is read in a few seconds, or with "
                    "the next request."));
        }
        if (subject.identityTrouble.isEmpty()) {
            return passed(name,
                QStringLiteral(
                    "Not read yet: that is done with the first request, before anything is saved or "
                    "restored."));
        }
        return warned(name,
            QStringLiteral(
                "It is not known yet which model, build and settings the server runs, so nothing is "
                "saved or restored. %1")
                .arg(subject.identityTrouble)
                .trimmed(),
            askAgain());
    }
    static constexpr std::array c_decisive { field::build, field::modelPath, field::fileSample, field::typeK,
        field::typeV, field::flashAttention, field::rope, field::lora, field::draftModel, field::swaFull,
        field::kvUnified, field::streams };
    QStringList known;
    QStringList unknown;
    for (const QStringView one : c_decisive) {
        (subject.fingerprint->value(one).isEmpty() ? unknown : known).append(one.toString());
    }
    const QString list = QStringLiteral(", ");
    if (unknown.isEmpty()) {
        return passed(name, QStringLiteral("All that decides whether a snapshot fits is known."));
    }
    const QString told
        = QStringLiteral("Known: %1. Not known from here: %2.").arg(known.join(list), unknown.join(list));
    if (subject.runtimeKey) {
        return passed(name, told + QStringLiteral(" The configured runtimeKey stands for them."));
    }
    return warned(name,
        told
            + QStringLiteral(
                " A server restarted with another setting of those may be given snapshots that do not fit."),
        QStringLiteral(
            "Give the server a runtimeKey: TEXT in the configuration, and change it with those settings."));
}

DoctorFinding checkSlotsApi(const ServerFindings &found)
{
    const QString name = QStringLiteral("slots");
    if (const MissingPiece *piece = missing(found, u"slots")) {
        return failed(
            name, piece->message, QStringLiteral("Start llama-server without --no-slots (or with --slots)."));
    }
    if (!found.slotsListing) {
        return passed(name,
            found.sleeping ? QStringLiteral("Not looked at, as that would wake the server.")
                           : QStringLiteral("Not looked at."));
    }
    return passed(name, QStringLiteral("The slots API answers."));
}

DoctorFinding checkSlotCount(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("slot count");
    if (found.totalSlots > 0 && !subject.managed && subject.slotId >= found.totalSlots) {
        return failed(name,
            QStringLiteral("slotId is %1, but the server has %2 slots, numbered from 0.")
                .arg(subject.slotId)
                .arg(found.totalSlots),
            QStringLiteral("Set slotId: 0, or start llama-server with --parallel %1.")
                .arg(subject.slotId + 1));
    }
    if (found.totalSlots > 1 && !subject.managed) {
        return warned(name,
            QStringLiteral(
                "The server has %1 slots, but one is managed (mode: single-slot): requests without "
                "id_slot may go to another.")
                .arg(found.totalSlots),
            QStringLiteral("Start llama-server with --parallel 1, or set mode: managed-slots."));
    }
    if (found.totalSlots > 1 && subject.pinless > 0) {
        return warned(name,
            QStringLiteral(
                "The server has %1 slots, and a client names none in its requests (%2 so far): the "
                "server chooses one, and which it was is looked up afterwards.")
                .arg(found.totalSlots)
                .arg(subject.pinless),
            QStringLiteral("Start llama-server with --parallel 1, let the client send id_slot, or let it use "
                           "the proxy."));
    }
    if (found.totalSlots == 0) {
        return passed(name, QStringLiteral("How many slots it has is not told."));
    }
    return passed(name,
        found.slotContext > 0
            ? QStringLiteral("%1 slot(s) of %2 tokens.").arg(found.totalSlots).arg(found.slotContext)
            : QStringLiteral("%1 slot(s).").arg(found.totalSlots));
}

DoctorFinding checkSaving(const DoctorSubject &subject, const ServerFindings &found)
{
    const QString name = QStringLiteral("slot saving");
    const QString remedy
        = QStringLiteral("Start llama-server with --slot-save-path FOLDER, where FOLDER exists.");
    if (const MissingPiece *piece = missing(found, u"slotSavePath")) {
        return failed(name, piece->message, remedy);
    }
    if (!subject.knownTrouble.isEmpty() && found.slotsListing.value_or(true)) {
        return failed(name, subject.knownTrouble, remedy);
    }
    if (subject.savedBefore || found.slotSavePath.value_or(false)) {
        return passed(name, QStringLiteral("The server can save its slots."));
    }
    return warned(name,
        QStringLiteral(
            "Whether the server can save its slots shows with the first save; its command line cannot "
            "be read from here."),
        QStringLiteral(
            "Make sure that it runs with --slot-save-path FOLDER, or run “kv-persist doctor --verify”."));
}

/// What of the configuration leaves the server unmanaged.
std::optional<DoctorFinding> checkConfigured(const DoctorSubject &subject)
{
    const QString name = QStringLiteral("persistence");
    if (!subject.enabled) {
        return failed(name,
            QStringLiteral("Switched off (enabled: false): no request is managed, and nothing is saved or "
                           "restored."),
            QStringLiteral("Set enabled: true in the configuration, then: kv-persist reload"));
    }
    if (!subject.routed) {
        const qsizetype model
            = subject.endpoint.routerModel.size(); // a router's, whose name stands before it
        return failed(name,
            QStringLiteral("No entry of providers: leads to this server, so no request to it is managed."),
            QStringLiteral("Name it in the configuration (providers: { \"*\": %1 }), then: kv-persist reload")
                .arg(model > 0 ? subject.server.chopped(model + 1) : subject.server));
    }
    return std::nullopt;
}

/// `sofar`: what was said of the server before.
DoctorFinding checkPersistence(const DoctorSubject &subject, const DoctorFindings &sofar)
{
    const QString name = QStringLiteral("persistence");
    if (const std::optional<DoctorFinding> configured = checkConfigured(subject)) {
        return *configured;
    }
    if (subject.paused) {
        return warned(name, QStringLiteral("Paused by hand: nothing is saved or restored."),
            QStringLiteral("kv-persist resume"));
    }
    const auto hindrance = std::find_if(sofar.begin(), sofar.end(),
        [](const DoctorFinding &one) { return one.result == DoctorFinding::Result::Failed; });
    if (hindrance != sofar.end()) {
        return failed(name,
            QStringLiteral("Nothing can be saved or restored, for what is said above of “%1”.")
                .arg(hindrance->name),
            hindrance->remedy);
    }
    if (subject.fingerprint == nullptr && !subject.identityTrouble.isEmpty()) {
        return warned(name,
            QStringLiteral("Nothing is saved or restored, for what is said above of “fingerprint”."),
            askAgain());
    }
    if (!subject.resting.isEmpty()) {
        return failed(name,
            QStringLiteral("Saving and restoring rest after repeated failures: %1").arg(subject.resting),
            QStringLiteral("It is tried again by itself; the last failure says what to look at."));
    }
    if (subject.restoresStopped) {
        return failed(name,
            QStringLiteral(
                "The server has ended twice while it read a snapshot, so nothing is restored any more."),
            QStringLiteral("Look at the server's log, then: kv-persist resume"));
    }
    if (!subject.restores) {
        return warned(name,
            QStringLiteral(
                "Sessions are saved, but no request gets its own back (restore: { enabled: false })."),
            QStringLiteral("Set restore: { enabled: true } in the configuration, then: kv-persist reload"));
    }
    if (!subject.lastTrouble.isEmpty()) {
        return warned(name, QStringLiteral("On, but the last operation failed: %1").arg(subject.lastTrouble),
            QStringLiteral("It is tried again by itself; what failed says what to look at."));
    }
    return passed(name, QStringLiteral("On."));
}

DoctorFinding checkCompatibility(const DoctorSubject &subject)
{
    const QString name = QStringLiteral("compatibility");
    switch (subject.compatibility) {
    case Compatibility::Broken:
        return failed(name,
            QStringLiteral(
                "This model does not reuse restored states with this build, so saving and restoring "
                "rest for it."),
            QStringLiteral(
                "Use a newer llama-server. To try again: kv-persist doctor --verify, or kv-persist resume"));
    case Compatibility::Supported:
        return passed(name, QStringLiteral("Proved: restored states are reused."));
    case Compatibility::Experimental:
        return passed(name, QStringLiteral("A restored state was reused; not proved across a restart yet."));
    case Compatibility::Unknown:
        break;
    }
    if (subject.rested && subject.fingerprint == nullptr) {
        return warned(name,
            QStringLiteral(
                "With a model and build that ran here before, restored states were not reused or the "
                "server ended while it read one, so saving and restoring rest for that. Whether it "
                "is what runs now shows with the next request."),
            askAgain());
    }
    if (subject.startedAnew) {
        return passed(name,
            QStringLiteral("Known again when the model and build of the server that was started anew are."));
    }
    return passed(name,
        QStringLiteral(
            "Not proved yet for this model and build; the first restore shows it, or: kv-persist doctor "
            "--verify"));
}

} // namespace

bool isRouterItself(const DoctorSubject &subject, const ServerFindings &found)
{
    return found.router && subject.endpoint.routerModel.isEmpty();
}

bool mayCheckFolder(const DoctorSubject &subject, const ServerFindings &found)
{
    return !found.loading && missing(found, u"server") == nullptr && missing(found, u"apiKey") == nullptr
        && !isRouterItself(subject, found);
}

void forgetProcess(DoctorSubject &subject)
{
    subject.startedAnew = true;
    subject.knownTrouble.clear();
    subject.identityTrouble.clear();
    subject.savedBefore = false;
    subject.clearsIdleSlots = false;
    subject.fingerprint = nullptr;
    subject.compatibility = Compatibility::Unknown;
    subject.restoresStopped = false;
    subject.resting.clear();
    subject.lastTrouble.clear();
    subject.folderFinding = {};
    if (!subject.shared) {
        subject.slotFolder.clear(); // it was on that one's command line
    }
}

DoctorFindings checkServer(const DoctorSubject &subject, const ServerFindings &found)
{
    DoctorFindings out;
    const QString where = shownEndpoint(subject.endpoint.base);
    const QString reachable = QStringLiteral("reachable");
    if (found.loading) {
        // It is there, and nothing else can be asked yet.
        return { warned(reachable,
            QStringLiteral("%1 answers, but its model is still being loaded.").arg(where),
            QStringLiteral("Wait until the model is loaded, then ask again.")) };
    }
    if (const MissingPiece *piece = missing(found, u"server")) {
        return { failed(reachable, piece->message,
            found.heard
                ? QStringLiteral("Set baseURL to the address of a llama-server, with http:// or https:// "
                                 "as that one was started.")
                : QStringLiteral("Start llama-server, or set baseURL to where it listens.")) };
    }
    out.push_back(passed(reachable, QStringLiteral("%1 answers.").arg(where)));
    const QString key = QStringLiteral("api key");
    if (const MissingPiece *piece = missing(found, u"apiKey")) {
        out.push_back(failed(key, piece->message,
            QStringLiteral(
                "Set apiKeyFile: FILE to a file with the key that llama-server was started with.")));
        return out;
    }
    out.push_back(passed(key,
        found.key == ServerFindings::Key::Accepted ? QStringLiteral("The configured key is taken.")
                                                   : QStringLiteral("None is asked for.")));
    out.push_back(checkModel(subject, found));
    if (isRouterItself(subject, found)) {
        out.push_back(checkSaving(subject, found));
        const DoctorFindings settings = checkSettings(subject, found);
        out.insert(out.end(), settings.begin(), settings.end());
        if (!subject.server.isEmpty()) {
            out.push_back(checkPersistence(subject, out));
        }
        return out;
    }
    if (!subject.server.isEmpty()) {
        out.push_back(checkFingerprint(subject, found));
    }
    out.push_back(checkSlotsApi(found));
    out.push_back(checkSlotCount(subject, found));
    out.push_back(checkSaving(subject, found));
    const DoctorFindings settings = checkSettings(subject, found);
    out.insert(out.end(), settings.begin(), settings.end());
    if (!subject.server.isEmpty()) {
        out.push_back(checkPersistence(subject, out));
        out.push_back(checkCompatibility(subject));
    }
    return out;
}

} // namespace kv
