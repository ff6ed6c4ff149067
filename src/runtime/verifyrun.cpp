// SPDX-License-Identifier: MIT
// The proof of `doctor --verify`: how it gets a slot, and what it says in the end.
#include "verifyrun.h"

#include "sessionhash.h"

#include <algorithm>
#include <utility>

namespace kv {

namespace {
QString again() { return QStringLiteral("Run “kv-persist doctor --verify” again later."); }
}

VerifyRun::VerifyRun(Settings settings, House house, ServerRuntime *runtime,
    std::unique_ptr<KvBackend> backend, QThreadPool *pool, QObject *parent)
    : QObject(parent)
    , m_settings(std::move(settings))
    , m_house(std::move(house))
    , m_runtime(runtime)
    , m_backend(std::move(backend))
    , m_prompts(m_settings.endpoint)
    , m_pool(pool)
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &VerifyRun::onOverdue);
    m_poll.setSingleShot(true);
    connect(m_backend.get(), &KvBackend::finished, this, &VerifyRun::onReply);
    connect(&m_prompts, &PromptCall::answered, this, &VerifyRun::onPrompt);
    connect(runtime, &ServerRuntime::noticed, this, &VerifyRun::noteOwners);
}

VerifyRun::~VerifyRun() = default;

void VerifyRun::start() { QTimer::singleShot(0, this, &VerifyRun::begin); }

void VerifyRun::say(const DoctorFinding &finding)
{
    if (!m_cancelled && !m_told) {
        Q_EMIT found(finding);
    }
}

QString VerifyRun::whyNot() const
{
    if (!m_runtime) {
        return QStringLiteral("the server was taken out of the configuration");
    }
    const Coordinator &coordinator = m_runtime->coordinator();
    if (m_runtime->isRouter()) {
        return QStringLiteral(
            "this is a router: a model of it that is in use can be verified, by its name in "
            "“kv-persist status”");
    }
    if (m_runtime->facts().router && !m_runtime->facts().modelLoaded) {
        return QStringLiteral("the router has not loaded this model; its next request does");
    }
    if (!coordinator.policy().enabled) {
        return QStringLiteral("persistence is switched off");
    }
    if (coordinator.isPaused()) {
        return QStringLiteral("persistence is paused");
    }
    if (coordinator.isSleeping()) {
        return QStringLiteral("the server sleeps; its next request wakes it");
    }
    if (coordinator.breaker().isOpen()) {
        return QStringLiteral("slots are left alone for a while after repeated failures");
    }
    return {};
}

QString VerifyRun::whatHelps() const
{
    if (m_runtime && !m_runtime->coordinator().policy().enabled) {
        return QStringLiteral("Set enabled: true in the configuration, then: kv-persist reload");
    }
    if (m_runtime && m_runtime->coordinator().isPaused()) {
        return QStringLiteral("kv-persist resume");
    }
    return again();
}

void VerifyRun::begin()
{
    if (m_stopping) {
        return;
    }
    if (const QString why = whyNot(); !why.isEmpty()) {
        stop(why, whatHelps());
        return;
    }
    makeTexts();
    noteOwners();
    m_patience.start(m_settings.stepMs);
    m_house.flush([self = QPointer<VerifyRun>(this)] {
        if (self && !self->m_stopping) {
            self->onFlushed();
        }
    });
}

void VerifyRun::noteOwners()
{
    if (!m_runtime || m_lease != 0) {
        return;
    }
    for (const auto &[key, slot] : m_runtime->coordinator().slotTable()) {
        if (slot.owner) {
            m_owners[key] = slot.owner->session;
        }
    }
}

void VerifyRun::onFlushed()
{
    if (!m_runtime) {
        stop(whyNot(), again());
        return;
    }
    const auto &slotTable = m_runtime->coordinator().slotTable();
    const auto unsaved = std::find_if(slotTable.begin(), slotTable.end(),
        [](const auto &entry) { return entry.second.isDirty() && entry.second.lease == 0; });
    if (unsaved != slotTable.end()) {
        stop(QStringLiteral("session %1 in slot %2 could not be saved, so nothing was touched")
                 .arg(shortSession(unsaved->second.owner->session))
                 .arg(unsaved->first.id),
            QStringLiteral("“kv-persist status” says why; or let that session end first."), true);
        return;
    }
    say(passed(QStringLiteral("verify save first"), QStringLiteral("No session has anything unsaved.")));
    askForSlot();
}

void VerifyRun::askForSlot()
{
    BeginRequest request;
    request.connection = m_settings.connection;
    request.model = m_settings.endpoint.routerModel;
    request.purpose = QStringLiteral("verify");
    request.label = QStringLiteral("doctor --verify");
    request.pins = true;
    request.strict = true;
    if (m_tidies) {
        request.timeoutMs = m_settings.stepMs; // nobody waits for it
    }
    if (!m_stopping) {
        m_patience.start(m_settings.stepMs);
    }
    const auto answered = std::make_shared<bool>(false); // perhaps before begin() has returned
    const RequestId id = m_house.begin(request,
        [self = QPointer<VerifyRun>(this), answered](const std::variant<BeginAnswer, BeginFailure> &outcome) {
            *answered = true;
            if (self) {
                self->m_begin = 0;
                self->onBegun(outcome);
            }
        });
    m_begin = *answered ? 0 : id;
}

QString VerifyRun::whyNotHere() const
{
    const Coordinator &coordinator = m_runtime->coordinator();
    if (!coordinator.identity().known()) {
        return QStringLiteral("it is not known yet which model and build the server runs");
    }
    const auto &slotTable = coordinator.slotTable();
    const bool unsaved = std::any_of(slotTable.begin(), slotTable.end(), [&](const auto &entry) {
        return entry.first != m_slot && entry.second.isDirty() && entry.second.lease == 0;
    });
    if (unsaved) {
        return QStringLiteral("a session in another slot has something unsaved by now");
    }
    if (m_restarted && m_identity.known()) {
        const Identity &now = coordinator.identity();
        if (now.fingerprint->hash() != m_identity.fingerprint->hash()) {
            return QStringLiteral("the server came back with another model, build or settings");
        }
        if (now.boot == m_identity.boot) {
            return QStringLiteral("the server was not restarted");
        }
    }
    return {};
}

void VerifyRun::noteDisplaced()
{
    const auto &slotTable = m_runtime->coordinator().slotTable();
    const auto slot = slotTable.find(m_slot);
    const auto owner = m_owners.find(m_slot);
    if (slot != slotTable.end() && owner != m_owners.end() && owner->second == slot->second.lastOwner) {
        m_owner = owner->second;
    }
}

void VerifyRun::onBegun(const std::variant<BeginAnswer, BeginFailure> &outcome)
{
    if (m_tidies) {
        onTidyBegun(outcome);
        return;
    }
    m_patience.stop();
    const auto *answer = std::get_if<BeginAnswer>(&outcome);
    if (answer == nullptr) {
        const Error &error = std::get<BeginFailure>(outcome).error;
        if (!m_stopping) {
            stop(error.code == ErrorCode::Cancelled ? QStringLiteral("no slot came free in the time given")
                                                    : error.message,
                whatHelps(), error.code == ErrorCode::SaveFailed);
        }
        return;
    }
    m_lease = answer->grant.lease;
    m_slot = answer->grant.slot;
    if (m_stopping) {
        letGo(EndOutcome::Ok);
        return;
    }
    if (m_lease == 0 || answer->grant.outcome != Outcome::Auxiliary || !m_runtime) {
        stop(QStringLiteral("no slot was given (%1)").arg(answer->grant.reason), whatHelps());
        return;
    }
    m_gaveBack = false;
    m_boot.clear(); // it may be another process by now
    if (m_owner.isEmpty()) {
        noteDisplaced();
    }
    if (const QString why = whyNotHere(); !why.isEmpty()) {
        stop(why, again());
        return;
    }
    m_identity = m_runtime->coordinator().identity();
    m_tasks.clear();
    say(passed(QStringLiteral("verify slot"),
        QStringLiteral("Slot %1 is used for the proof%2.")
            .arg(m_slot.id)
            .arg(m_owner.isEmpty() ? QString()
                                   : QStringLiteral("; session %1, saved before, is brought back afterwards")
                                         .arg(shortSession(m_owner)))));
    if (m_restarted) {
        restoreThen(&VerifyRun::same);
    } else {
        cold();
    }
}

void VerifyRun::stop(const QString &why, const QString &remedy, bool worse)
{
    if (m_stopping) {
        return;
    }
    const QString message = QStringLiteral("Not proved: %1.").arg(why.endsWith(u'.') ? why.chopped(1) : why);
    say(worse ? failed(QStringLiteral("verify"), message, remedy)
              : warned(QStringLiteral("verify"), message, remedy));
    cleanUp();
}

void VerifyRun::conclude(const ProofJudgement &judgement)
{
    const QString name = QStringLiteral("verify");
    if (judgement.verdict == ProofVerdict::NotProved) {
        stop(judgement.why, judgement.remedy);
        return;
    }
    const bool works = judgement.verdict == ProofVerdict::Supported;
    // What it was tried on is what is judged: the coordinator looks once more.
    m_house.tell(Verified { m_identity.boot, m_identity.fingerprint->hash(), works, m_restarted });
    const Compatibility now = m_runtime ? m_runtime->coordinator().compatibility() : Compatibility::Unknown;
    if (now != (works ? Compatibility::Supported : Compatibility::Broken)) {
        stop(QStringLiteral("the server became another one meanwhile"), again());
        return;
    }
    if (works) {
        say(passed(name,
            QStringLiteral("supported: %1%2. Recorded for this model and build.")
                .arg(judgement.why,
                    m_restarted ? QStringLiteral(", after a restart of the server") : QString())));
    } else {
        say(failed(name,
            QStringLiteral("broken: %1. Recorded for this model and build: saving and restoring rest for it.")
                .arg(judgement.why),
            judgement.remedy));
    }
    cleanUp();
}

void VerifyRun::onOverdue()
{
    if (m_stopping) {
        sayFinished(); // what is awaited goes on without the user
    } else if (m_begin != 0) {
        m_house.cancel(m_begin); // answered as cancelled
    } else {
        stop(QStringLiteral("a step took longer than %1 s").arg(m_settings.stepMs / 1000), again());
    }
}

void VerifyRun::cancel()
{
    m_cancelled = true;
    if (!m_stopping) {
        cleanUp();
    }
}

} // namespace kv
