// SPDX-License-Identifier: MIT
#include "simrules.h"

#include "simworld.h"

#include <algorithm>

namespace kv::sim {

namespace {
constexpr int c_mostOfARule = 3;

/// The session whose tokens a row's file holds.
const QString &computerOf(const Snapshot &row) { return row.base ? row.source : row.session; }
}

void Rules::report(QStringView rule, const QString &text)
{
    m_world.say(QStringLiteral("VIOLATION of %1: %2").arg(rule, text));
    const auto ofRule = [&](const Violation &other) { return other.rule == rule; };
    if (std::count_if(m_violations.begin(), m_violations.end(), ofRule) < c_mostOfARule) {
        m_violations.push_back({ rule.toString(), text });
    }
}

void Rules::opStarted(const SentOp &sent)
{
    S3_aNameInUseIsNotHandedOut(sent);
    S13_onlyListedSlotsAreNamed(sent);
    S13_onePostAnOperation(sent);
}

void Rules::rowEmitted(const Snapshot &row)
{
    S3_aRowDoesNotNameWhatMayStillBeWritten(row);
    const SnapshotIndex::Rows *rows = m_world.coordinator().index().find(row.session);
    const auto ofOther
        = [&](const Snapshot &old) { return old.fingerprint->hash() != row.fingerprint->hash(); };
    if (!row.base && rows != nullptr && std::count_if(rows->begin(), rows->end(), ofOther) > 1) {
        excused(row.session); // the last two identities are kept
    }
}

void Rules::granted(const Call &call, quint64 order)
{
    if (!call.managed()) {
        // It names no slot, or one that the server has not: it goes to any.
        const int slots = m_world.setup().manners.slots;
        m_strays = m_strays || slots > 1 || call.grant->slot.id >= slots;
        return;
    }
    S1_whatIsGrantedAsRestoredIsOfTheRunningModel(call);
    if (m_world.setup().manners.slots > 1 && !call.begun.pins) {
        m_strays = true; // its slot is a guess
        return;
    }
    S8_nobodyElseMayStillSend(call);
    S17_whatIsGrantedAsItsOwnIsItsOwn(call);
    m_grantOrders[call.grant->slot.id] = order;
}

void Rules::actionRuns(const SentOp &sent, int slot) { S7_noActionLandsAfterALaterGrant(sent, slot); }

void Rules::requestRuns(const Call *call, const Content &held, qint64 reused)
{
    S1_whatIsReusedIsOfTheRunningModel(call, held, reused);
}

void Rules::woken(const SentOp *sent) { S12_onlyUsersWakeTheServer(sent); }

void Rules::purged(const QString &session)
{
    m_purgedAt[sessionOfName(session)] = m_world.step();
    excused(session);
}

void Rules::excused(const QString &session) { m_excused.insert(sessionOfName(session)); }

void Rules::newDaemon()
{
    m_opIds.clear();
    m_grantOrders.clear();
    for (const Snapshot &row : m_world.database().rows()) {
        // Its removal had been asked for, and was not durable when the daemon died.
        m_purgedAt.erase(sessionOfName(computerOf(row)));
    }
}

void Rules::afterStep()
{
    S4_everyRowNamesWhatItClaims();
    S5_theBestSnapshotNeverGetsWorse();
    S7_nobodyIsStranded();
    S8_oneHolderASlot();
    S9_nobodyWaitsForItsOwnSession();
    S15_oneSessionBreaksNoRuntime();
}

void Rules::atRest() { S9_everybodyWasAnswered(); }

void Rules::replayed(bool same)
{
    if (!same) {
        report(u"S16", QStringLiteral("the recorded events gave other effects when they were handled again"));
    }
}

// S1: what a managed request reuses was computed by the weights that run.
void Rules::S1_whatIsReusedIsOfTheRunningModel(const Call *call, const Content &held, qint64 reused)
{
    if (call != nullptr && call->managed() && reused > 0 && held.model != m_world.server().model()) {
        report(u"S1",
            QStringLiteral("call %1 reuses %2 tokens of model %3 under model %4")
                .arg(call->id)
                .arg(reused)
                .arg(held.model)
                .arg(m_world.server().model()));
    }
}

// S1: a grant says "restored" only of a state of the model that the server runs, if it is still that process.
void Rules::S1_whatIsGrantedAsRestoredIsOfTheRunningModel(const Call &call)
{
    const Server &server = m_world.server();
    const bool sameProcess = server.alive() && !server.sleeping()
        && m_world.coordinator().identity().boot == server.identity().boot;
    if (call.grant->outcome != Outcome::Restored || !sameProcess) {
        return;
    }
    const Content &held = server.slotTable().at(static_cast<std::size_t>(call.grant->slot.id)).content;
    if (!held.empty() && held.model != server.model()) {
        report(u"S1",
            QStringLiteral("a state of model %1 was granted as restored under model %2")
                .arg(held.model)
                .arg(server.model()));
    }
}

// S2: a file that is on record for a session holds tokens of that session only.
void Rules::S2_aSessionsFileHoldsThatSessionsTokens(const Snapshot &row, const Content &content)
{
    if (m_world.streams().owner(content.stream) != sessionOfName(computerOf(row))) {
        report(u"S2",
            QStringLiteral("file %1 of %2 holds tokens of %3")
                .arg(row.name)
                .arg(row.session)
                .arg(m_world.streams().owner(content.stream)));
    }
}

// S3: a name is not handed out while a row, a write on its way or an operation not over may mean its file.
void Rules::S3_aNameInUseIsNotHandedOut(const SentOp &sent)
{
    if (sent.op.kind != OpKind::Save && sent.op.kind != OpKind::DeleteFile) {
        return;
    }
    const NameNumber name = sent.op.name;
    const auto named = [&](const Snapshot &row) { return row.name == name; };
    const auto &rows = m_world.database().rows();
    const auto &queue = m_world.database().queue();
    const auto &ops = m_world.ops();
    QString user;
    if (std::any_of(rows.begin(), rows.end(), named)) {
        user = QStringLiteral("a row");
    } else if (std::any_of(queue.begin(), queue.end(), [&](const StoreCommand &command) {
                   return command.kind == StoreCommand::Kind::PutSnapshot && named(command.snapshot);
               })) {
        user = QStringLiteral("a row on its way");
    } else if (std::any_of(ops.begin(), ops.end(), [&](const auto &entry) {
                   const SentOp &other = entry.second;
                   const bool over = other.done && (other.answered || other.incarnation != sent.incarnation);
                   return other.task != sent.task && other.op.name == name && !over;
               })) {
        user = QStringLiteral("an operation that is not over");
    }
    if (!user.isEmpty()) {
        report(u"S3",
            QStringLiteral("%1 of file %2, which %3 means").arg(toString(sent.op.kind)).arg(name).arg(user));
    }
}

// S3: a row is pointed at a file only when nobody may still write to it.
void Rules::S3_aRowDoesNotNameWhatMayStillBeWritten(const Snapshot &row)
{
    for (const auto &[task, other] : m_world.ops()) {
        const bool writes = other.op.kind == OpKind::Save || other.op.kind == OpKind::DeleteFile;
        if (writes && other.op.name == row.name && !other.done) {
            report(u"S3",
                QStringLiteral("a row of %1 names file %2, which a %3 may still change")
                    .arg(row.session)
                    .arg(row.name)
                    .arg(toString(other.op.kind)));
        }
    }
}

// S4: after a crash, a lost or a failed commit, every row still names a file that is what the row says.
void Rules::S4_everyRowNamesWhatItClaims()
{
    const auto &files = m_world.server().files;
    for (const Snapshot &row : m_world.database().rows()) {
        const auto found = files.find(row.name);
        if (found == files.end()) {
            report(u"S4",
                QStringLiteral("the row of %1 names file %2, which is not there")
                    .arg(row.session)
                    .arg(row.name));
            continue;
        }
        const StateFile &file = found->second;
        if (file.fromOutside) {
            continue;
        }
        S2_aSessionsFileHoldsThatSessionsTokens(row, file.content);
        S6_purgedStaysPurged(row, file.content);
        if (file.damage != Damage::None || file.content.tokens != row.tokens || row.tokens <= 0
            || file.bytes != row.bytes || file.content.model != modelOf(*row.fingerprint)) {
            report(u"S4",
                QStringLiteral("the row of %1 (%2 tokens, model %3) names file %4 (%5, model %6)")
                    .arg(row.session)
                    .arg(row.tokens)
                    .arg(modelOf(*row.fingerprint))
                    .arg(row.name)
                    .arg(file.content.tokens)
                    .arg(file.content.model));
        }
    }
}

/// Tokens that a file's content spares the session, whichever prompt it goes on with: an aborted request may
/// have left the former one.
qint64 Rules::useOf(const Content &held, int session) const
{
    const World::Conversation &now = m_world.conversation(session);
    const Streams &streams = m_world.streams();
    return std::max(streams.common(held.stream, held.tokens, now.stream, now.tokens),
        streams.common(held.stream, held.tokens, now.abortedStream, now.abortedTokens));
}

Rules::Best Rules::bestOf(int session, int model) const
{
    Best best;
    qint64 most = -1;
    for (const Snapshot &row : m_world.database().rows()) {
        if (row.session != nameOfSession(session) || row.state == SnapshotState::Invalid
            || modelOf(*row.fingerprint) != model) {
            continue;
        }
        const auto file = m_world.server().files.find(row.name);
        if (file == m_world.server().files.end() || !file->second.good()) {
            continue;
        }
        const Content &held = file->second.content;
        const qint64 use = useOf(held, session);
        if (use > most) {
            most = use;
            best = { held, true };
        }
    }
    return best;
}

// S5: what the best restorable snapshot of (session, identity) spares the conversation as it is now never
// becomes less, unless somebody wanted it gone.
void Rules::S5_theBestSnapshotNeverGetsWorse()
{
    for (int session = 0; session < m_world.setup().sessions; ++session) {
        const auto use
            = [&](const Best &best) { return best.any ? useOf(best.content, session) : qint64 { -1000 }; };
        const auto quarantined = [&](const Snapshot &row) {
            return row.session == nameOfSession(session) && row.state == SnapshotState::Invalid
                && (row.reason == QStringLiteral("SERVER_DIED") || row.reason == QStringLiteral("MANUAL"));
        };
        const auto &rows = m_world.database().rows();
        const auto damaged = [&](const Snapshot &row) {
            const auto file = m_world.server().files.find(row.name);
            return row.session == nameOfSession(session) && file != m_world.server().files.end()
                && file->second.fromOutside;
        };
        const bool wanted = m_excused.contains(session) || std::any_of(rows.begin(), rows.end(), quarantined)
            || std::any_of(rows.begin(), rows.end(), damaged);
        const auto kept = std::count_if(rows.begin(), rows.end(),
            [&](const Snapshot &row) { return row.session == nameOfSession(session); });
        const bool full = kept >= qint64 { SnapshotIndex::c_identitiesKept };
        for (int model = 0; model < c_models; ++model) {
            const Best best = bestOf(session, model);
            const bool crowdedOut = !best.any && full;
            Best &before = m_best[{ session, model }];
            const qint64 slack = std::max<qint64>(8, use(before) / 100); // a few tokens are nothing
            if (!wanted && !crowdedOut && use(best) < use(before) - slack) {
                report(u"S5",
                    QStringLiteral("the best snapshot of %1 under model %2 spared %3 tokens, now %4")
                        .arg(nameOfSession(session))
                        .arg(model)
                        .arg(use(before))
                        .arg(use(best)));
            }
            before = best;
        }
    }
    if (!m_world.database().idle()) {
        return;
    }
    std::erase_if(m_excused, [&](int session) {
        const SnapshotIndex::Rows *known = m_world.coordinator().index().find(nameOfSession(session));
        const auto &rows = m_world.database().rows();
        const auto inMemory = [&](const Snapshot &row) {
            return known != nullptr && std::any_of(known->begin(), known->end(), [&](const Snapshot &other) {
                return other.name == row.name && other.state == row.state;
            });
        };
        return std::all_of(rows.begin(), rows.end(),
            [&](const Snapshot &row) { return row.session != nameOfSession(session) || inMemory(row); });
    });
}

// S6: what was computed before a purge is not on record after it.
void Rules::S6_purgedStaysPurged(const Snapshot &row, const Content &content)
{
    const auto purge = m_purgedAt.find(sessionOfName(computerOf(row)));
    if (purge == m_purgedAt.end() || content.born >= purge->second) {
        return;
    }
    const SnapshotIndex::Rows *known = m_world.coordinator().index().find(row.session);
    const bool inMemory = known != nullptr
        && std::any_of(
            known->begin(), known->end(), [&](const Snapshot &other) { return other.name == row.name; });
    // A removal that failed is tried again; what counts until then is that nobody uses the row.
    if (inMemory || m_world.atRest()) {
        report(u"S6",
            QStringLiteral("%1 was purged in step %2, but file %3 of step %4 is on record")
                .arg(row.session)
                .arg(purge->second)
                .arg(row.name)
                .arg(content.born));
    }
}

// S7: no action lands on a slot after a grant that was made later than the action was sent.
void Rules::S7_noActionLandsAfterALaterGrant(const SentOp &sent, int slot)
{
    const auto grant = m_grantOrders.find(slot);
    const bool ours = sent.incarnation == m_world.incarnation() && sent.boot == m_world.server().boot();
    if (ours && grant != m_grantOrders.end() && grant->second > sent.order) {
        report(u"S7",
            QStringLiteral("a %1 sent before the last grant of slot %2 lands after it")
                .arg(toString(sent.op.kind))
                .arg(slot));
    }
}

// S7: no request of ours waits in a server that has nothing to do.
void Rules::S7_nobodyIsStranded()
{
    const Server &server = m_world.server();
    if (server.deferred().empty() || m_world.setup().strangers || m_world.incarnation() > 0 || m_strays) {
        // A stranger may come between a look and what follows it, and so may one that was let by or is a dead
        // daemon's: then only a nudge helps.
        return;
    }
    const auto &slots = server.slotTable();
    if (std::any_of(slots.begin(), slots.end(), [](const Server::Slot &slot) { return slot.running; })) {
        return;
    }
    for (const Task &task : server.deferred()) {
        if (task.kind == Task::Kind::Infer && !task.abandoned) {
            report(u"S7", QStringLiteral("request %1 waits in a server that rests").arg(task.id));
        }
    }
}

// S8: a slot has at most one managed holder, and counts the foreign ones; a session owns one slot.
void Rules::S8_oneHolderASlot()
{
    std::set<QString> owners;
    for (const auto &[key, slot] : m_world.coordinator().slotTable()) {
        int managed = 0;
        int foreign = 0;
        for (const auto &[id, lease] : m_world.coordinator().leases()) {
            if (lease.slot == key) {
                (lease.foreign ? foreign : managed) += 1;
            }
        }
        if (managed > 1 || (managed == 1) != (slot.lease != 0) || foreign != slot.foreign) {
            report(u"S8",
                QStringLiteral("slot %1 has %2 holders and %3 foreign ones; it shows lease %4 and %5")
                    .arg(key.id)
                    .arg(managed)
                    .arg(foreign)
                    .arg(slot.lease)
                    .arg(slot.foreign));
        }
        if (slot.owner && !owners.insert(slot.owner->session).second) {
            report(u"S8", QStringLiteral("%1 owns two slots").arg(slot.owner->session));
        }
    }
}

// S8: who is granted a slot as its owner is the only one who may still send to it.
void Rules::S8_nobodyElseMayStillSend(const Call &call)
{
    for (const auto &[id, other] : m_world.calls()) {
        if (id == call.id || !other.live() || !other.coordinated || !other.managed() || !other.begun.pins
            || other.grant->slot != call.grant->slot) {
            continue;
        }
        const bool runs
            = other.phase == Call::Phase::InServer && !other.failed && m_world.server().holds(other.task);
        if (runs || m_world.coordinator().leases().contains(other.grant->lease)) {
            report(u"S8",
                QStringLiteral("call %1 was granted slot %2, which call %3 still uses")
                    .arg(call.id)
                    .arg(call.grant->slot.id)
                    .arg(id));
        }
    }
}

bool Rules::isBeingServed(RequestId request) const
{
    const auto &slots = m_world.coordinator().slotTable();
    return std::any_of(slots.begin(), slots.end(), [&](const auto &entry) {
        return entry.second.job && entry.second.job->waiter && entry.second.job->waiter->request == request;
    });
}

// S9: a begin never waits for a lease of its own session: its client may be waiting for this one first.
void Rules::S9_nobodyWaitsForItsOwnSession()
{
    if (m_world.coordinator().slotTable().empty()) {
        return; // the slots are being asked for, which has its own time
    }
    for (const auto &[id, call] : m_world.calls()) {
        if (call.phase != Call::Phase::Waiting || call.kind == Call::Kind::Title
            || isBeingServed(call.begun.request)) {
            continue;
        }
        for (const auto &[leaseId, lease] : m_world.coordinator().leases()) {
            if (lease.session == call.begun.session && !lease.auxiliary) {
                report(u"S9",
                    QStringLiteral("call %1 waits for lease %2 of its own session %3")
                        .arg(id)
                        .arg(leaseId)
                        .arg(lease.session));
            }
        }
    }
}

// S9: when every lease has ended, every begin has been answered, and everything asked by hand.
void Rules::S9_everybodyWasAnswered()
{
    for (const auto &[id, call] : m_world.calls()) {
        if (call.phase == Call::Phase::Waiting) {
            report(u"S9", QStringLiteral("call %1 of %2 was never answered").arg(id).arg(call.begun.session));
        }
    }
    if (m_world.manualsOpen() > 0) {
        report(u"S9", QStringLiteral("%1 manual requests were never answered").arg(m_world.manualsOpen()));
    }
}

// S12: a sleeping server is woken for a user only.
void Rules::S12_onlyUsersWakeTheServer(const SentOp *sent)
{
    if (sent != nullptr && !sent->userWaited) {
        report(u"S12", QStringLiteral("a %1 for nobody woke the server").arg(toString(sent->op.kind)));
    }
}

// S13: only slots that the server lists are named in actions: an id that does not exist is accepted.
void Rules::S13_onlyListedSlotsAreNamed(const SentOp &sent)
{
    const int id = sent.op.slot.id;
    if (changesSlot(sent.op.kind) && (id < 0 || id >= m_world.setup().manners.slots)) {
        report(u"S13", QStringLiteral("%1 names slot %2").arg(toString(sent.op.kind)).arg(id));
    }
}

// S13: an operation is sent once.
void Rules::S13_onePostAnOperation(const SentOp &sent)
{
    if (!m_opIds.insert(sent.op.id).second) {
        report(u"S13", QStringLiteral("operation %1 was sent twice").arg(sent.op.id));
    }
}

// S15: one session alone never makes a runtime broken.
void Rules::S15_oneSessionBreaksNoRuntime()
{
    if (m_world.setup().sessions == 1 && m_world.coordinator().compatibility() == Compatibility::Broken) {
        report(u"S15", QStringLiteral("one session made the runtime broken"));
    }
}

// S17: what a session is granted as restored or resident was computed by it: never a base, never a parent's
// state.
void Rules::S17_whatIsGrantedAsItsOwnIsItsOwn(const Call &call)
{
    const Server &server = m_world.server();
    const bool sameProcess = server.alive() && !server.sleeping()
        && m_world.coordinator().identity().boot == server.identity().boot;
    const bool own = call.grant->outcome == Outcome::Restored || call.grant->outcome == Outcome::Resident;
    if (!own || !sameProcess || m_world.setup().strangers || m_strays) {
        return;
    }
    const Content &held = server.slotTable().at(static_cast<std::size_t>(call.grant->slot.id)).content;
    const int owner = m_world.streams().owner(held.stream);
    if (!held.empty() && owner != sessionOfName(call.begun.session)) {
        report(u"S17",
            QStringLiteral("%1 was granted the state of %2 as its own").arg(call.begun.session).arg(owner));
    }
}

} // namespace kv::sim
