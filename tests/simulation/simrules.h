// SPDX-License-Identifier: MIT
#pragma once

#include "effect.h"
#include "simcontent.h"

#include <QString>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace kv::sim {

class World;
struct Call;
struct SentOp;
struct Task;

struct Violation {
    QString rule; ///< "S5"
    QString text;
};
using Violations = std::vector<Violation>;

/// What always holds. Each rule compares what is true in the world with what the coordinator does; S10
/// and S11 are in simcalm.h, as they need a bare server beside.
class Rules final {
public:
    explicit Rules(const World &world)
        : m_world(world)
    {
    }
    [[nodiscard]] const Violations &violations() const { return m_violations; }
    void report(QStringView rule, const QString &text);

    // What happens, told by the world.
    void opStarted(const SentOp &sent);
    void rowEmitted(const Snapshot &row); ///< a pointer move is on its way to the database
    void granted(const Call &call, quint64 order);
    void actionRuns(const SentOp &sent, int slot);
    void requestRuns(const Call *call, const Content &held, qint64 reused);
    void woken(const SentOp *sent); ///< null: by a client's request
    void purged(const QString &session);
    void excused(const QString &session); ///< somebody wanted a snapshot gone, or damaged it
    void newDaemon(); ///< it knows nothing of what happened before
    void afterStep();
    void atRest();
    void replayed(bool same);

private:
    // Each proves one rule; a violation is reported, nothing is thrown.
    void S1_whatIsReusedIsOfTheRunningModel(const Call *call, const Content &held, qint64 reused);
    void S1_whatIsGrantedAsRestoredIsOfTheRunningModel(const Call &call);
    void S2_aSessionsFileHoldsThatSessionsTokens(const Snapshot &row, const Content &content);
    void S3_aNameInUseIsNotHandedOut(const SentOp &sent);
    void S3_aRowDoesNotNameWhatMayStillBeWritten(const Snapshot &row);
    void S4_everyRowNamesWhatItClaims();
    void S5_theBestSnapshotNeverGetsWorse();
    void S6_purgedStaysPurged(const Snapshot &row, const Content &content);
    void S7_noActionLandsAfterALaterGrant(const SentOp &sent, int slot);
    void S7_nobodyIsStranded();
    void S8_oneHolderASlot();
    void S8_nobodyElseMayStillSend(const Call &call);
    void S9_nobodyWaitsForItsOwnSession();
    void S9_everybodyWasAnswered();
    void S12_onlyUsersWakeTheServer(const SentOp *sent);
    void S13_onlyListedSlotsAreNamed(const SentOp &sent);
    void S13_onePostAnOperation(const SentOp &sent);
    void S15_oneSessionBreaksNoRuntime();
    void S17_whatIsGrantedAsItsOwnIsItsOwn(const Call &call);

    struct Best {
        Content content;
        bool any = false;
    };
    [[nodiscard]] qint64 useOf(const Content &held, int session) const;
    [[nodiscard]] Best bestOf(int session, int model) const;
    [[nodiscard]] bool isBeingServed(RequestId request) const;

    const World &m_world;
    Violations m_violations;
    std::map<std::pair<int, int>, Best> m_best; // by session and model
    std::set<int> m_excused; // until the database has nothing more to write
    bool m_strays = false; ///< a request was let by that may have gone to any slot
    std::map<int, quint64> m_purgedAt; // session → step
    std::map<int, quint64> m_grantOrders; // slot → order of the last managed grant
    std::set<OpId> m_opIds;
};

} // namespace kv::sim
