// SPDX-License-Identifier: MIT
// The harness as the shell: carries effects out and holds the coordinator to the rules that always apply.
#include "coordinatorharness.h"

#include <QDebug>

#include <algorithm>

namespace kv::test {

namespace {
constexpr int c_settleRounds = 2000;
constexpr std::size_t c_noticesKept = 4000;

}

void CoordinatorHarness::violation(const QString &text)
{
    trace(u"VIOLATION: "_qs + text);
    if (m_violations.size() < 20) {
        m_violations << text;
    }
}

void CoordinatorHarness::trace(const QString &text) const
{
    if (tracing) {
        qInfo().noquote() << m_now.monoMs << text;
    }
}

void CoordinatorHarness::digestText(const QString &text)
{
    trace(u"    "_qs + text);
    for (const QChar c : text) {
        m_digest = (m_digest ^ c.unicode()) * 1099511628211ULL;
    }
}

void CoordinatorHarness::send(const Event &event)
{
    handle(event);
    settle();
}

void CoordinatorHarness::handle(const Event &event)
{
    trace(u"event %1"_qs.arg(event.index()));
    m_wasOpen = coordinator->breaker().isOpen();
    const Effects effects = coordinator->handle(event, m_now);
    if (witness) {
        witness(event, m_now, effects);
    }
    for (const Effect &effect : effects) {
        take(effect);
    }
    checkAlways();
}

void CoordinatorHarness::settle()
{
    if (m_settling) {
        return;
    }
    m_settling = true;
    for (int round = 0;; ++round) {
        if (round > c_settleRounds) {
            violation(u"settle(): operations without end"_qs);
            break;
        }
        if (!holdStore && !m_stores.empty()) {
            const bool fails = failStores > 0;
            failStores -= fails ? 1 : 0;
            answerStore(!fails);
            continue;
        }
        const auto ready = std::find_if(m_pending.begin(), m_pending.end(),
            [this](const PendingOp &pending) { return !m_held.contains(pending.op.kind); });
        if (ready == m_pending.end()) {
            break;
        }
        execute(static_cast<std::size_t>(ready - m_pending.begin()));
    }
    m_settling = false;
}

void CoordinatorHarness::execute(std::size_t index)
{
    const PendingOp pending = m_pending[index];
    std::deque<OpFailure> &scripted = m_failures[pending.op.kind];
    OpReply reply;
    if (!scripted.empty()) {
        reply.id = pending.op.id;
        reply.kind = pending.op.kind;
        reply.failure = scripted.front();
        reply.message = u"failed: %1"_qs.arg(toString(reply.failure));
        scripted.pop_front();
    } else if (changesSlot(pending.op.kind) && pending.boot != server.identity().boot) {
        reply.id = pending.op.id; // the process it was sent to is gone
        reply.kind = pending.op.kind;
        reply.failure = OpFailure::ConnectionLost;
        reply.message = u"the connection broke"_qs;
    } else {
        const auto onRecord = [&](const Snapshot &row) { return row.name == pending.op.name; };
        if (pending.op.kind == OpKind::Save && std::any_of(m_rows.begin(), m_rows.end(), onRecord)) {
            violation(u"a save overwrites file %1, which is on record"_qs.arg(pending.op.name));
        }
        reply = server.execute(pending.op);
    }
    if (tamper) {
        tamper(pending.op, reply);
    }
    if (pending.op.kind == OpKind::Look && reply.slotsListed) {
        for (const SlotObservation &seen : reply.slotList) {
            m_seenIdle[seen.id] = !seen.processing;
        }
    }
    deliver(index, reply);
}

void CoordinatorHarness::deliver(std::size_t index, const OpReply &reply)
{
    const Op op = m_pending[index].op;
    trace(u"answer of %1 %2 on slot %3: %4 listed %5 tokens %6"_qs.arg(op.id)
              .arg(toString(op.kind))
              .arg(op.slot.id)
              .arg(toString(reply.failure))
              .arg(reply.slotsListed)
              .arg(reply.tokens));
    m_pending.erase(m_pending.begin() + static_cast<std::ptrdiff_t>(index));
    handle(OpFinished { reply });
}

void CoordinatorHarness::take(const Effect &effect)
{
    if (const auto *start = std::get_if<StartOp>(&effect)) {
        takeOp(start->op);
    } else if (const auto *grant = std::get_if<Grant>(&effect)) {
        takeGrant(*grant);
    } else if (const auto *refuse = std::get_if<Refuse>(&effect)) {
        m_refusals[refuse->request] = *refuse;
        answerOnce(refuse->request);
    } else if (const auto *answer = std::get_if<Answer>(&effect)) {
        m_answers.insert_or_assign(answer->request, *answer);
        answerOnce(answer->request);
    } else if (const auto *store = std::get_if<Store>(&effect)) {
        ++m_storeCount;
        m_stores.push_back(store->command);
        digestText(u"store %1"_qs.arg(static_cast<int>(store->command.kind)));
    } else if (const auto *wake = std::get_if<WakeAt>(&effect)) {
        m_wakeMs = wake->monoMs;
        digestText(u"wake %1"_qs.arg(wake->monoMs));
        if (m_wakeMs >= 0 && m_wakeMs <= m_now.monoMs) {
            violation(u"a wake-up that is not in the future"_qs);
        }
    } else if (const auto *emitted = std::get_if<Emit>(&effect)) {
        if (m_notices.size() < c_noticesKept) {
            m_notices.push_back(emitted->notice);
        }
        digestText(emitted->notice.name + emitted->notice.reason);
    } else {
        m_shutdownDone = true;
    }
}

void CoordinatorHarness::takeOp(const Op &op)
{
    m_ops << toString(op.kind);
    digestText(u"op %1 %2 %3 on slot %4"_qs.arg(op.id).arg(toString(op.kind)).arg(op.name).arg(op.slot.id));
    if (m_wasOpen && coordinator->breaker().state() == BreakerState::Open && op.kind != OpKind::DeleteFile
        && op.kind != OpKind::Identity) {
        violation(u"%1 started while the breaker is open"_qs.arg(toString(op.kind)));
    }
    if (changesSlot(op.kind)) {
        if (!m_seenIdle[op.slot.id]) {
            violation(
                u"%1 sent to slot %2, which was not seen idle"_qs.arg(toString(op.kind)).arg(op.slot.id));
        }
        for (const auto &[lease, grant] : m_live) {
            if (heldBy(lease, grant) == op.slot) {
                violation(u"%1 sent to slot %2 under lease %3"_qs.arg(toString(op.kind))
                              .arg(op.slot.id)
                              .arg(lease));
            }
        }
    }
    if (op.kind == OpKind::Save) {
        const auto named = [&](const Snapshot &row) { return row.name == op.name; };
        const bool inUse = std::any_of(m_rows.begin(), m_rows.end(), named)
            || std::any_of(m_pending.begin(), m_pending.end(),
                [&](const PendingOp &pending) { return pending.op.name == op.name; })
            || std::any_of(m_stores.begin(), m_stores.end(), [&](const StoreCommand &command) {
                   return command.kind == StoreCommand::Kind::PutSnapshot && command.snapshot.name == op.name;
               });
        if (inUse) {
            violation(u"name %1 was handed out while it is in use"_qs.arg(op.name));
        }
    }
    m_pending.push_back({ op, server.identity().boot });
}

SlotKey CoordinatorHarness::heldBy(LeaseId lease, const Grant &grant) const
{
    const auto found = coordinator->leases().find(lease);
    if (found == coordinator->leases().end()) {
        return { {}, -1 };
    }
    return found->second.goesAnywhere ? found->second.slot
                                      : grant.slot; // the former is a guess that may change
}

void CoordinatorHarness::takeGrant(const Grant &grant)
{
    digestText(u"grant %1 %2 %3"_qs.arg(grant.request).arg(toString(grant.outcome)).arg(grant.slot.id));
    m_grants[grant.request] = grant;
    answerOnce(grant.request);
    if (grant.outcome != Outcome::Bypass) {
        for (const auto &[lease, other] : m_live) {
            if (heldBy(lease, other) == grant.slot) {
                violation(u"slot %1 was granted while lease %2 holds it"_qs.arg(grant.slot.id).arg(lease));
            }
        }
        const auto changing = [&](const PendingOp &pending) {
            return changesSlot(pending.op.kind) && pending.op.slot == grant.slot
                && pending.boot == server.identity().boot && coordinator->identity().boot == pending.boot;
        };
        if (std::any_of(m_pending.begin(), m_pending.end(), changing)) {
            violation(u"slot %1 was granted while an operation on it is unanswered"_qs.arg(grant.slot.id));
        }
        if (grant.outcome == Outcome::Restored && !server.sleeping
            && coordinator->identity().boot == server.identity().boot) {
            const ModelSlot &held = server.contents.at(static_cast<std::size_t>(grant.slot.id));
            if (!held.content.isEmpty() && held.runtime != coordinator->identity().fingerprint->hash()) {
                violation(u"state of another runtime was granted as restored"_qs);
            }
        }
    }
    m_live[grant.lease] = grant;
    if (grant.slot.id >= 0) {
        m_seenIdle[grant.slot.id] = false;
    }
}

void CoordinatorHarness::answerOnce(RequestId request)
{
    digestText(u"answer %1"_qs.arg(request));
    if (++m_answerCounts[request] > 1) {
        violation(u"request %1 was answered twice"_qs.arg(request));
    }
    if (!m_asked.contains(request)) {
        violation(u"request %1 was answered but has gone, or never was"_qs.arg(request));
    }
}

void CoordinatorHarness::applyStore(const StoreCommand &command)
{
    const auto same = [&](const Snapshot &row) {
        return row.session == command.snapshot.session
            && row.fingerprint->hash() == command.snapshot.fingerprint->hash();
    };
    switch (command.kind) {
    case StoreCommand::Kind::PutSnapshot:
        std::erase_if(m_rows, same);
        m_rows.push_back(command.snapshot);
        checkRow(command.snapshot);
        return;
    case StoreCommand::Kind::RemoveSnapshot:
        std::erase_if(m_rows, same);
        return;
    case StoreCommand::Kind::RaiseHighWater:
    case StoreCommand::Kind::Touch:
        return;
    }
}

void CoordinatorHarness::checkRow(const Snapshot &row)
{
    const auto file = server.files.find(row.name);
    if (file == server.files.end()) {
        return; // files may be deleted from outside at any time
    }
    if (file->second.content != (row.base ? row.source : row.session)) {
        violation(
            u"the row of %1 names a file with tokens of \"%2\""_qs.arg(row.session, file->second.content));
    }
    if (file->second.tokens != row.tokens || row.tokens <= 0) {
        violation(u"a row of %1 tokens names a file with %2"_qs.arg(row.tokens).arg(file->second.tokens));
    }
    if (file->second.runtime != row.fingerprint->hash()) {
        violation(u"a row names a file computed under another runtime"_qs);
    }
}

void CoordinatorHarness::checkAlways()
{
    std::set<QString> owners;
    for (const auto &[key, slot] : coordinator->slotTable()) {
        int managed = 0;
        int foreign = 0;
        for (const auto &[id, lease] : coordinator->leases()) {
            if (lease.slot == key) {
                (lease.foreign ? foreign : managed) += 1;
            }
        }
        if (managed > 1 || (managed == 1) != (slot.lease != 0)) {
            violation(u"slot %1 has %2 holders and lease %3"_qs.arg(key.id).arg(managed).arg(slot.lease));
        }
        if (foreign != slot.foreign) {
            violation(
                u"slot %1 counts %2 foreign leases of %3"_qs.arg(key.id).arg(slot.foreign).arg(foreign));
        }
        if (slot.owner && !owners.insert(slot.owner->session).second) {
            violation(u"%1 owns two slots"_qs.arg(slot.owner->session));
        }
    }
}

} // namespace kv::test
