// SPDX-License-Identifier: MIT
// The proof of `doctor --verify`: how it leaves the slot, whatever ended it.
#include "logging.h"
#include "sessionhash.h"
#include "verifyrun.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace kv {

namespace {
constexpr int c_cleanUpMs = 30'000; ///< then the user is not kept waiting for it
constexpr int c_idleLooks = 60;
constexpr int c_idleLookMs = 250;
}

bool VerifyRun::holdsLease() const { return m_lease != 0 && m_runtime && m_house.holds(m_lease); }

void VerifyRun::cleanUp()
{
    m_stopping = true;
    m_poll.stop();
    m_patience.start(c_cleanUpMs);
    if (m_begin != 0) {
        m_house.cancel(std::exchange(m_begin, 0));
    }
    m_onPrompt = {};
    m_prompts.abort();
    if (m_op != 0) {
        // Never aborted: a save, restore or erase may still be done, and must not meet the next owner.
        m_onReply = [this](const BackendReply &) { waitUntilIdle(0); };
        return;
    }
    waitUntilIdle(0);
}

void VerifyRun::tidy()
{
    m_tidies = true;
    m_gaveBack = false;
    const bool needed = m_settings.removeFrom.isEmpty() || !m_owner.isEmpty(); // else the file is removed
    if (!needed || !m_runtime || m_runtime->coordinator().isSleeping()) {
        letGo(EndOutcome::Aborted); // not worth waking a server
        return;
    }
    m_boot.clear(); // whichever process it is by now
    askForSlot();
}

void VerifyRun::onTidyBegun(const std::variant<BeginAnswer, BeginFailure> &outcome)
{
    const auto *answer = std::get_if<BeginAnswer>(&outcome);
    if (answer == nullptr || !m_runtime) {
        letGo(EndOutcome::Aborted);
        return;
    }
    m_lease = answer->grant.lease;
    m_slot = answer->grant.slot;
    if (m_lease == 0 || answer->grant.outcome != Outcome::Auxiliary) {
        letGo(EndOutcome::Aborted);
        return;
    }
    noteDisplaced(); // whoever took the slot meanwhile gets it back
    waitUntilIdle(0);
}

void VerifyRun::waitUntilIdle(int looks)
{
    if (m_gaveBack) {
        tidy();
        return;
    }
    if (!holdsLease()) {
        letGo(EndOutcome::Aborted);
        return;
    }
    act(OpKind::Look, [this, looks](const BackendReply &reply) {
        const auto slot = std::find_if(reply.slotList.begin(), reply.slotList.end(),
            [&](const SlotObservation &one) { return one.id == m_slot.id; });
        const bool same = m_boot.isEmpty() || reply.facts.boot == m_boot;
        const bool told = reply.failure == OpFailure::None && same && slot != reply.slotList.end();
        if (told && !slot->processing) {
            emptySlot();
        } else if (told && looks < c_idleLooks) {
            QTimer::singleShot(c_idleLookMs, this, [this, looks] { waitUntilIdle(looks + 1); });
        } else {
            letGo(EndOutcome::Aborted);
        }
    });
}

void VerifyRun::emptySlot()
{
    if (!holdsLease()) {
        letGo(EndOutcome::Aborted);
        return;
    }
    act(OpKind::Erase, [this](const BackendReply &erased) {
        if (erased.failure != OpFailure::None || !holdsLease()) {
            letGo(EndOutcome::Aborted);
        } else if (!m_fileWritten || !m_settings.removeFrom.isEmpty()) {
            letGo(EndOutcome::Ok);
        } else {
            // The server's own file: what is saved of an empty slot takes the place of what it held.
            act(OpKind::Save, [this](const BackendReply &saved) {
                m_fileWritten = saved.failure != OpFailure::None;
                letGo(EndOutcome::Ok);
            });
        }
    });
}

void VerifyRun::letGo(EndOutcome outcome)
{
    if (m_lease != 0) {
        EndRequest end;
        end.connection = m_settings.connection;
        end.lease = std::exchange(m_lease, 0);
        end.outcome = outcome;
        end.more = false;
        m_house.end(end);
    }
    outcome == EndOutcome::Ok ? bringBack() : finish();
}

void VerifyRun::bringBack()
{
    if (m_owner.isEmpty() || !m_runtime || m_ended) {
        finish();
        return;
    }
    const Coordinator &coordinator = m_runtime->coordinator();
    const bool has = std::any_of(coordinator.slotTable().begin(), coordinator.slotTable().end(),
        [&](const auto &entry) { return entry.second.ownedBy(m_owner); });
    // Who has waited for the slot comes first, and would only be pushed out again.
    const auto slot = coordinator.slotTable().find(m_slot);
    const bool taken = coordinator.waiting() > 0 || slot == coordinator.slotTable().end() || slot->second.job
        || slot->second.lease != 0 || slot->second.owner;
    if (has || taken || coordinator.index().find(m_owner) == nullptr) {
        finish();
        return;
    }
    m_house.restore(m_owner, [self = QPointer<VerifyRun>(this)](bool restored) {
        if (self) {
            self->say(restored ? passed(QStringLiteral("verify owner"),
                          QStringLiteral("Session %1 is back in a slot.").arg(shortSession(self->m_owner)))
                               : warned(QStringLiteral("verify owner"),
                                   QStringLiteral("Session %1 is not back in a slot yet.")
                                       .arg(shortSession(self->m_owner)),
                                   QStringLiteral("Nothing has to be done: its next request restores it.")));
            self->finish();
        }
    });
}

void VerifyRun::finish()
{
    if (m_ended) {
        return;
    }
    m_ended = true;
    m_patience.stop();
    if (m_fileWritten && m_settings.removeFrom.isEmpty()) {
        qCWarning(lcRuntime).noquote() << "The proof's file" << m_settings.fileName
                                       << "could not be emptied; it holds words drawn at random.";
    } else if (m_fileWritten) {
        m_pool->start([file = m_settings.removeFrom + QLatin1Char('/') + m_settings.fileName] {
            if (!QFile::remove(file) && QFile::exists(file)) {
                qCWarning(lcRuntime).noquote() << "The proof's file could not be removed:" << file;
            }
        });
    }
    m_house.bye();
    sayFinished();
    Q_EMIT ended();
}

void VerifyRun::sayFinished()
{
    if (!m_told && !m_cancelled) {
        m_told = true;
        Q_EMIT finished();
    }
}

} // namespace kv
