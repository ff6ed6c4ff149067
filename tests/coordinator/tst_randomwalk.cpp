// SPDX-License-Identifier: MIT
// Random events against the model server: answers deferred, late, lost and failed; restarts, sleep, clients
// that die, clocks that jump. The harness checks after every event what must always hold; at the end
// everything that was asked must have been answered. A failure prints its seed: KV_WALK_SEED runs that one
// alone.
#include "coordinatortest.h"
#include "journal.h"

#include <array>
#include <cmath>
#include <random>

using namespace kv;
using namespace kv::test;

namespace {

constexpr int c_sessions = 6;
constexpr int c_steps = 1000;
constexpr int c_seeds = 200;
constexpr quint32 c_journalled = 24; // walks whose journals are replayed

class Walk final {
public:
    explicit Walk(quint32 seed)
        : m_random(seed)
        , m_slots(std::array { 1, 1, 2, 4 }.at(seed % 4))
        , m_harness(policy(seed), m_slots)
    {
        for (const OpKind kind : { OpKind::Look, OpKind::Identity, OpKind::Save, OpKind::Restore,
                 OpKind::Erase, OpKind::CheckFile, OpKind::DeleteFile, OpKind::Probe }) {
            m_harness.hold(kind);
        }
        m_harness.holdStore = true;
        m_harness.tracing = qEnvironmentVariableIsSet("KV_WALK_SEED");
    }

    void run()
    {
        for (m_step = 0; m_step < c_steps && m_harness.violations().isEmpty(); ++m_step) {
            step();
        }
        if (m_harness.violations().isEmpty()) {
            comeToRest();
        }
    }

    [[nodiscard]] QStringList violations() const
    {
        return m_harness.violations().isEmpty() ? m_faults : m_harness.violations();
    }
    [[nodiscard]] quint64 digest() const { return m_harness.digest(); }
    [[nodiscard]] int steps() const { return m_step; }
    [[nodiscard]] CoordinatorHarness &harness() { return m_harness; }

private:
    [[nodiscard]] Policy policy(quint32 seed) const
    {
        Policy policy = m_slots == 1 && seed % 8 < 4 ? CoordinatorHarness::defaultPolicy()
                                                     : CoordinatorHarness::managedPolicy();
        policy.auxiliarySlot = seed % 7 == 0;
        policy.sharedFiles = seed % 3 == 0;
        policy.strict = seed % 11 == 0;
        policy.onTurnEnd = seed % 5 == 0;
        policy.verify = seed % 6 == 0 ? RestoreVerify::Strict : RestoreVerify::Basic;
        policy.subagents = seed % 9 == 0 ? SubagentCheckpoint::Always : SubagentCheckpoint::WhileAlive;
        policy.idleMs = 3000;
        policy.leaseIdleMs = 6000;
        policy.leaseHoldMs = 3000;
        policy.requestTimeoutMs = 4000;
        policy.cooldownMs = 5000;
        policy.maxDirtyMs = 20000;
        return policy;
    }

    int dice(int sides) { return static_cast<int>(m_random() % static_cast<unsigned>(sides)); }
    QString session() { return QChar(u'A' + static_cast<char16_t>(dice(c_sessions))); }
    /// Counts of different owners differ by more than the slack within which a stranger goes unnoticed.
    qint64 tokensOf(int family)
    {
        const int exponent = family + (c_sessions + 1) * dice(8);
        return static_cast<qint64>(1000 * std::pow(1.05, exponent));
    }
    qint64 tokensOf(const QString &name)
    {
        return tokensOf(name.size() == 1 ? name.front().unicode() - u'A' : c_sessions);
    }

    void step()
    {
        const int roll = dice(1000);
        if (roll < 150) {
            beginOne();
        } else if (roll < 290) {
            endOne();
        } else if (roll < 310) {
            cancelOne();
        } else if (roll < 320) {
            const ConnectionId gone = m_harness.connection
                = static_cast<ConnectionId>(m_connection - dice(3));
            m_harness.clientGone(gone);
            ++m_connection;
        } else if (roll < 345) {
            m_harness.hint(session(), static_cast<HintType>(dice(7)));
        } else if (roll < 370) {
            m_harness.manual(static_cast<ManualRequest::Kind>(dice(7)), session(), dice(m_slots));
        } else if (roll < 720) {
            answerOne();
        } else if (roll < 800) {
            m_harness.answerStore(dice(25) != 0);
        } else if (roll < 940) {
            m_harness.advance(1 + dice(dice(4) == 0 ? 9000 : 700));
        } else {
            disturb(dice(60));
        }
    }

    void beginOne()
    {
        m_harness.connection = static_cast<ConnectionId>(m_connection - dice(3));
        const QString parent = session();
        m_harness.begin(session(), [&](BeginRequest &event) {
            const int roll = dice(100);
            event.purpose = roll < 15 ? u"title"_qs : roll < 22 ? u"compaction"_qs : QString();
            event.origin = roll > 90 ? u"subagent"_qs : QString();
            event.parent = roll > 85 ? parent : QString();
            event.running = roll > 98;
            event.timeoutMs = roll % 10 == 3 ? 500 + dice(4000) : -1;
        });
    }

    void endOne()
    {
        const std::vector<RequestId> live = m_harness.liveBegins();
        if (live.empty()) {
            return;
        }
        const RequestId request = live.at(static_cast<std::size_t>(dice(static_cast<int>(live.size()))));
        const Grant grant = m_harness.grantOf(request);
        const BeginRequest begun = m_harness.begun(request);
        const bool revoked = !m_harness.coordinator->leases().contains(grant.lease);
        const auto id
            = grant.slot.id >= 0 ? static_cast<std::size_t>(grant.slot.id) : m_harness.server.contents.size();
        const bool other = begun.purpose == u"title"_qs || begun.session.isEmpty();
        const QString content = other ? u"(aux)"_qs : begun.session;
        const qint64 tokens = tokensOf(content);
        const int roll = dice(10);
        if (!m_harness.server.alive || revoked || roll == 0 || id >= m_harness.server.contents.size()) {
            m_harness.end(request, EndOutcome::Error); // it never reached the server
            return;
        }
        ModelSlot &slot = m_harness.server.contents[id];
        if (roll == 1) {
            const bool grown = slot.content == content && slot.tokens > tokens;
            m_harness.server.infer(grant.slot.id, content, grown ? slot.tokens : tokens);
            slot.processing = dice(2) == 0;
            m_harness.end(request, EndOutcome::Aborted);
            return;
        }
        m_harness.server.infer(grant.slot.id, content, tokens);
        slot.processing = false;
        m_harness.end(request, EndOutcome::Ok, tokens, dice(2) == 0 ? std::optional<bool>() : dice(2) == 0);
    }

    void cancelOne()
    {
        const std::vector<RequestId> waiting = m_harness.waitingBegins();
        if (!waiting.empty()) {
            m_harness.end(waiting.at(static_cast<std::size_t>(dice(static_cast<int>(waiting.size())))),
                EndOutcome::Aborted);
        }
    }

    void answerOne()
    {
        const std::vector<Op> ops = m_harness.pendingOps();
        if (ops.empty()) {
            return;
        }
        const Op op = ops.at(static_cast<std::size_t>(dice(static_cast<int>(ops.size()))));
        const bool action = op.kind == OpKind::Save || op.kind == OpKind::Restore || op.kind == OpKind::Erase;
        const auto id = static_cast<std::size_t>(std::max(0, op.slot.id));
        if (action && id < m_harness.server.contents.size() && m_harness.server.contents[id].processing) {
            return; // deferred by the server
        }
        constexpr std::array failures { OpFailure::ServerError, OpFailure::Refused,
            OpFailure::ConnectionRefused, OpFailure::Loading, OpFailure::Unauthorized,
            OpFailure::ConnectionLost };
        const int roll = dice(100);
        if (roll < 4 && op.kind != OpKind::DeleteFile) {
            m_harness.failOp(op.id, failures.at(static_cast<std::size_t>(dice(failures.size()))), false);
        } else if (roll < 6 && op.kind != OpKind::DeleteFile) {
            m_harness.failOp(op.id, OpFailure::ConnectionLost, true);
        } else {
            m_harness.answerOp(op.id);
        }
    }

    void disturb(int roll)
    {
        ModelServer &server = m_harness.server;
        ModelSlot &slot = server.contents.at(static_cast<std::size_t>(dice(m_slots)));
        if (roll < 4) {
            m_harness.restart();
        } else if (roll < 8) {
            server.sleep();
        } else if (roll < 10) {
            server.setModel(u"model-%1.gguf"_qs.arg(1 + dice(2)));
            m_harness.restart();
        } else if (roll < 14) {
            server.alive = false;
            server.contents.assign(server.contents.size(), {});
        } else if (roll < 24) {
            if (!server.alive) {
                m_harness.restart();
            }
        } else if (roll < 36) {
            slot.processing = false;
        } else if (roll < 38) {
            slot.processing = server.alive && slot.idTask.has_value(); // a stranger
        } else if (roll < 41) {
            slot.tokens = 0; // cleared by the server
            slot.content.clear();
        } else if (roll < 42) {
            m_harness.send(Paused { dice(2) == 0 ? 2000 : -1 });
        } else if (roll < 48) {
            m_harness.send(Resumed {});
        } else if (roll < 50) {
            m_harness.setWall(1'500'000'000'000 + dice(1'000'000));
        } else if (roll < 51 && !server.files.empty()) {
            server.files.erase(server.files.begin());
        } else {
            m_harness.observe();
        }
    }

    /// Everybody ends, every operation is answered, time passes: nobody may be left waiting.
    void comeToRest()
    {
        ModelServer &server = m_harness.server;
        if (!server.alive) {
            m_harness.restart();
        }
        m_harness.send(Resumed {});
        m_harness.holdStore = false;
        for (int round = 0; round < 40; ++round) {
            for (ModelSlot &slot : server.contents) {
                slot.processing = false;
            }
            for (const RequestId request : m_harness.liveBegins()) {
                m_harness.end(request, EndOutcome::Error);
            }
            for (const OpKind kind : { OpKind::Look, OpKind::Identity, OpKind::Save, OpKind::Restore,
                     OpKind::Erase, OpKind::CheckFile, OpKind::DeleteFile, OpKind::Probe }) {
                m_harness.unhold(kind);
            }
            m_harness.advance(3000);
        }
        if (!m_harness.unanswered().empty()) {
            m_faults << u"%1 requests were never answered, the first is %2"_qs
                            .arg(m_harness.unanswered().size())
                            .arg(m_harness.describe(m_harness.unanswered().front()));
        }
        m_harness.restart();
        m_harness.advance(120000);
        m_harness.observe();
        const RequestId last = m_harness.begin(u"Z");
        if (m_harness.outcomeOf(last) != u"cold"_qs) {
            m_faults << u"after all that a new session is granted %1"_qs.arg(m_harness.outcomeOf(last));
        }
        m_harness.server.infer(std::max(0, m_harness.grantOf(last).slot.id), u"Z"_qs, 5000);
        m_harness.end(last, EndOutcome::Ok, 5000);
        const RequestId save = m_harness.manual(ManualRequest::Kind::Save, u"Z");
        if (!m_harness.manualAnswer(save)) {
            m_faults << u"after all that a save is answered %1"_qs.arg(m_harness.errorOf(save));
        }
    }

    std::mt19937 m_random;
    int m_slots;
    CoordinatorHarness m_harness;
    int m_connection = 10;
    int m_step = 0;
    QStringList m_faults;
};

} // namespace

class TstRandomWalk final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingBreaksARuleAndEverybodyIsAnswered();
    void theSameEventsGiveTheSameEffects();
    void theJournalReplayedGivesTheSameEffects();
    void aRedactedJournalDecidesAsTheCoordinatorDid();
    void afterAnyEventTheStateReadBackGoesOnAlike();
};

void TstRandomWalk::nothingBreaksARuleAndEverybodyIsAnswered()
{
    const int only = qEnvironmentVariableIntValue("KV_WALK_SEED");
    const int seeds = only > 0 ? 1 : std::max(c_seeds, qEnvironmentVariableIntValue("KV_WALK_SEEDS"));
    qint64 steps = 0;
    QStringList failed;
    for (int i = 0; i < seeds; ++i) {
        const auto seed = static_cast<quint32>(only > 0 ? only : i + 1);
        Walk walk(seed);
        walk.run();
        steps += walk.steps();
        if (!walk.violations().isEmpty()) {
            failed << u"seed %1, step %2: %3"_qs.arg(seed)
                          .arg(walk.steps())
                          .arg(walk.violations().join(u"; "_qs));
        }
    }
    QVERIFY2(failed.isEmpty(),
        qPrintable(u"%1 of %2 walks failed\n%3"_qs.arg(failed.size())
                       .arg(seeds)
                       .arg(failed.mid(0, 12).join(u'\n'))));
    QVERIFY(only > 0 || steps == qint64 { seeds } * c_steps);
}

void TstRandomWalk::theSameEventsGiveTheSameEffects()
{
    for (quint32 seed = 1; seed <= 20; ++seed) {
        Walk one(seed);
        one.run();
        Walk two(seed);
        two.run();
        QCOMPARE(one.digest(), two.digest());
    }
}

namespace {

/// A journal of a walk, and what came of each event.
struct Recording {
    QByteArray journal;
    std::vector<QByteArray> effects;

    Recording(quint32 seed, JournalEncoder::Texts texts)
    {
        Walk walk(seed);
        CoordinatorHarness &harness = walk.harness();
        JournalEncoder encoder(u"1"_qs, u"test"_qs, texts);
        journal = encoder.header() + encoder.start(*harness.coordinator, harness.now());
        harness.witness = [&](const Event &event, Instant now, const Effects &gave) {
            journal += encoder.event(event, now, gave);
            effects.push_back(bytesOf(gave));
        };
        walk.run();
    }
};

/// Runs a journal; `check` is given every event's number, the event and what came of it.
template <typename Check> QString replay(const QByteArray &journal, const Check &check)
{
    Result<JournalReader> reader = JournalReader::open(journal);
    if (!reader) {
        return reader.error().message;
    }
    std::unique_ptr<Coordinator> coordinator;
    std::size_t number = 0;
    while (std::optional<JournalEntry> entry = reader.value().next()) {
        if (auto *start = std::get_if<JournalStart>(&*entry)) {
            coordinator = std::move(start->coordinator);
            continue;
        }
        const auto &event = std::get<JournalEvent>(*entry);
        if (!check(number, event, coordinator->handle(event.event, event.at))) {
            return u"event %1 gives something else"_qs.arg(number);
        }
        ++number;
    }
    return reader.value().problem();
}

} // namespace

void TstRandomWalk::theJournalReplayedGivesTheSameEffects()
{
    for (quint32 seed = 1; seed <= c_journalled; ++seed) {
        const Recording recording(seed, JournalEncoder::Texts::Exact);
        std::size_t events = 0;
        const QString problem = replay(
            recording.journal, [&](std::size_t number, const JournalEvent &event, const Effects &effects) {
                ++events;
                return bytesOf(effects) == recording.effects.at(number) && digestOf(effects) == event.digest;
            });
        QVERIFY2(problem.isEmpty(), qPrintable(u"seed %1: %2"_qs.arg(seed).arg(problem)));
        QCOMPARE(events, recording.effects.size());
    }
}

void TstRandomWalk::aRedactedJournalDecidesAsTheCoordinatorDid()
{
    for (quint32 seed = 1; seed <= c_journalled; ++seed) {
        const Recording recording(seed, JournalEncoder::Texts::Redacted);
        std::size_t events = 0;
        const QString problem
            = replay(recording.journal, [&](std::size_t, const JournalEvent &event, const Effects &effects) {
                  ++events;
                  return digestOf(effects) == event.digest;
              });
        QVERIFY2(problem.isEmpty(), qPrintable(u"seed %1: %2"_qs.arg(seed).arg(problem)));
        QCOMPARE(events, recording.effects.size());
    }
}

void TstRandomWalk::afterAnyEventTheStateReadBackGoesOnAlike()
{
    for (quint32 seed = 1; seed <= c_journalled; ++seed) {
        Walk walk(seed);
        CoordinatorHarness &harness = walk.harness();
        std::vector<std::unique_ptr<Coordinator>> twins;
        std::size_t events = 0;
        QStringList faults;
        harness.witness = [&](const Event &event, Instant now, const Effects &gave) {
            for (const auto &twin : twins) {
                if (bytesOf(twin->handle(event, now)) != bytesOf(gave)) {
                    faults << u"seed %1, event %2"_qs.arg(seed).arg(events);
                }
            }
            ++events;
            // One from every hundredth event on to the end, and a new one after every single event.
            const bool stays = events % 100 == 0;
            if (!stays && !twins.empty()) {
                twins.pop_back();
            }
            JournalEncoder encoder(u"1"_qs, u"test"_qs, JournalEncoder::Texts::Exact);
            Result<JournalReader> reader
                = JournalReader::open(encoder.header() + encoder.start(*harness.coordinator, now));
            std::optional<JournalEntry> entry = reader ? reader.value().next() : std::nullopt;
            if (!entry) {
                faults << u"seed %1, event %2: not read"_qs.arg(seed).arg(events);
                return;
            }
            twins.push_back(std::move(std::get<JournalStart>(*entry).coordinator));
        };
        walk.run();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 5).join(u"; "_qs)));
        QVERIFY(events > 100);
    }
}

QTEST_GUILESS_MAIN(TstRandomWalk)
#include "tst_randomwalk.moc"
