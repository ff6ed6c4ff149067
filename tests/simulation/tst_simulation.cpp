// SPDX-License-Identifier: MIT
// The coordinator in a world that is as bad as the real one. Environment:
//   KV_SIM_STEPS  how many steps in all (1 000 000, far fewer under a sanitizer)
//   KV_SIM_SEED   runs the trace of that seed alone and, if it fails, prints it shrunk, step by step
//   KV_SIM_FIRST  the first seed (1)
#include "simcalm.h"
#include "simshrink.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <set>

using namespace kv;
using namespace kv::sim;

namespace {

constexpr int c_traceSteps = 500;
constexpr quint32 c_sabotageSeeds = 400;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 c_steps = 50'000;
constexpr quint32 c_calmSeeds = 30;
constexpr quint32 c_clockSeeds = 10;
#else
constexpr qint64 c_steps = 1'000'000;
constexpr quint32 c_calmSeeds = 300;
constexpr quint32 c_clockSeeds = 100;
#endif

qint64 number(const char *name, qint64 otherwise)
{
    bool ok = false;
    const qint64 value = qEnvironmentVariable(name).toLongLong(&ok);
    return ok ? value : otherwise;
}

/// The shrunk trace, with what happens in it.
void explain(const Setup &setup, const Trace &trace, const Violation &violation, Sabotage sabotage)
{
    const Trace small = shrunk(setup, trace, violation.rule, sabotage);
    qInfo().noquote() << describe(setup);
    qInfo().noquote() << QStringLiteral("%1: shrunk from %2 to %3 steps; KV_SIM_SEED=%4 runs it again")
                             .arg(violation.rule)
                             .arg(trace.size())
                             .arg(small.size())
                             .arg(setup.seed);
    World world(setup, sabotage);
    world.narrate();
    for (const Step &step : small) {
        world.apply(step);
        if (!world.violations().empty()) {
            return;
        }
    }
    world.comeToRest();
}

} // namespace

class TstSimulation final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noRuleIsBroken();
    void S14_aClockJumpChangesNothing();
    void S10_noMorePrefillThanABareServer();
    void S11_waitsBytesAndOwnerChangesAreBounded();
    void S10_andS11_canFail();
    void everyRuleCanFail_data();
    void everyRuleCanFail();
};

void TstSimulation::noRuleIsBroken()
{
    const qint64 only = number("KV_SIM_SEED", 0);
    const qint64 first = only > 0 ? only : number("KV_SIM_FIRST", 1);
    const qint64 traces = only > 0 ? 1 : number("KV_SIM_STEPS", c_steps) / c_traceSteps;
    QElapsedTimer clock;
    clock.start();
    QStringList failed;
    Tally tally;
    std::map<QString, QStringList> byRule;
    for (qint64 i = 0; i < traces; ++i) {
        const Setup setup = setupOf(static_cast<quint32>(first + i));
        const Trace trace = traceOf(setup, c_traceSteps);
        if (const std::optional<Violation> violation = firstViolation(setup, trace, Sabotage::None, &tally)) {
            failed << QStringLiteral("seed %1, %2: %3").arg(setup.seed).arg(violation->rule, violation->text);
            QStringList &seeds = byRule[violation->rule];
            if (seeds.isEmpty()) {
                explain(setup, trace, *violation, Sabotage::None);
            }
            seeds << QString::number(setup.seed);
        }
    }
    for (const auto &[rule, seeds] : byRule) {
        qInfo().noquote() << QStringLiteral("%1: %2 traces, seeds %3")
                                 .arg(rule)
                                 .arg(seeds.size())
                                 .arg(seeds.mid(0, 12).join(u' '));
    }
    qInfo().noquote() << QStringLiteral("seeds %1 to %2: %3 steps in %4 s")
                             .arg(first)
                             .arg(first + traces - 1)
                             .arg(traces * c_traceSteps)
                             .arg(static_cast<double>(clock.elapsed()) / 1000);
    qInfo().noquote() << tally.text();
    QVERIFY2(failed.isEmpty(),
        qPrintable(QStringLiteral("%1 of %2 traces broke a rule\n%3")
                       .arg(failed.size())
                       .arg(traces)
                       .arg(failed.mid(0, 12).join(u'\n'))));
    QVERIFY(only > 0 || tally.complete());
}

namespace {

quint64 digestOf(const Setup &setup, const Trace &trace, bool jumps, Sabotage sabotage)
{
    World world(setup, sabotage);
    if (!jumps) {
        world.keepWallClock();
    }
    for (const Step &step : trace) {
        world.apply(step);
    }
    return world.digest();
}

/// Whether that rule is broken at all, be it first or later.
bool breaks(const QString &rule, const Setup &setup, const Trace &trace, Sabotage sabotage)
{
    World world(setup, sabotage);
    for (const Step &step : trace) {
        world.apply(step);
    }
    world.comeToRest();
    return std::any_of(world.violations().begin(), world.violations().end(),
        [&](const Violation &violation) { return violation.rule == rule; });
}

} // namespace

// S14: the same trace with and without jumps of the wall clock gives the same effects.
void TstSimulation::S14_aClockJumpChangesNothing()
{
    int differ = 0;
    for (quint32 seed = 1; seed <= c_clockSeeds; ++seed) {
        Setup setup = setupOf(seed);
        setup.weather = Weather::Storm;
        const Trace trace = traceOf(setup, c_traceSteps);
        const quint64 still = digestOf(setup, trace, false, Sabotage::None);
        QVERIFY2(digestOf(setup, trace, true, Sabotage::None) == still,
            qPrintable(QStringLiteral("S14: seed %1").arg(seed)));
        QCOMPARE(digestOf(setup, trace, false, Sabotage::None), still); // the same events, the same effects
        differ += digestOf(setup, trace, true, Sabotage::WallIsMono) != still ? 1 : 0;
    }
    QVERIFY(differ > 0); // it can fail: deadlines by the wall clock would be seen
}

// S10: when nothing goes wrong, no more prompt tokens are processed than by a bare server with its host
// cache.
void TstSimulation::S10_noMorePrefillThanABareServer()
{
    qint64 ours = 0;
    qint64 theirs = 0;
    qint64 basing = 0;
    qint64 erasing = 0;
    int worseErasing = 0;
    QStringList worse;
    for (quint32 seed = 1; seed <= c_calmSeeds; ++seed) {
        Script script = scriptOf(seed);
        const CalmResult bare = Calm(script, false).run();
        const CalmResult managed = Calm(script, true).run();
        QCOMPARE(bare.unserved + managed.unserved, 0);
        ours += managed.prefilled;
        theirs += bare.prefilled;
        if (managed.prefilled > bare.prefilled) {
            worse << QStringLiteral("seed %1: %2 instead of %3")
                         .arg(seed)
                         .arg(managed.prefilled)
                         .arg(bare.prefilled);
        }
        script.coldStart = ColdStart::Base;
        const qint64 based = Calm(script, true).run().prefilled;
        basing += based;
        if (based > bare.prefilled) {
            worse << QStringLiteral("seed %1 with bases: %2 instead of %3")
                         .arg(seed)
                         .arg(based)
                         .arg(bare.prefilled);
        }
        script.coldStart = ColdStart::Erase;
        const qint64 erased = Calm(script, true).run().prefilled;
        erasing += erased;
        worseErasing += erased > bare.prefilled ? 1 : 0;
    }
    qInfo().noquote() << QStringLiteral(
        "prompt tokens processed: bare %1, managed %2, with bases %3, with coldStart erase %4 "
        "(more than bare in %5 of %6 scripts)")
                             .arg(theirs)
                             .arg(ours)
                             .arg(basing)
                             .arg(erasing)
                             .arg(worseErasing)
                             .arg(c_calmSeeds);
    QVERIFY2(worse.isEmpty(),
        qPrintable(QStringLiteral("%1 scripts: %2").arg(worse.size()).arg(worse.mid(0, 8).join(u"; "))));
}

namespace {

/// What is beyond its bound; empty: nothing.
QString excessOf(const CalmResult &result)
{
    if (result.worstWaitMs > 0) {
        return QStringLiteral("a wait");
    }
    if (result.ownerChanges > result.turns) {
        return QStringLiteral("owner changes");
    }
    const qint64 bytes
        = Calm::c_bytesPerNewToken * result.newTokens + result.bytesAtSwitches + result.bytesOfSmall;
    return result.bytesWritten > bytes ? QStringLiteral("bytes written") : QString();
}

} // namespace

// S11: waits, bytes and changes of owner.
void TstSimulation::S11_waitsBytesAndOwnerChangesAreBounded()
{
    for (quint32 seed = 1; seed <= c_calmSeeds; ++seed) {
        for (const ColdStart way : { ColdStart::Keep, ColdStart::Base }) {
            Script script = scriptOf(seed);
            script.coldStart = way;
            const QString excess = excessOf(Calm(script, true).run());
            QVERIFY2(excess.isEmpty(), qPrintable(QStringLiteral("S11: seed %1: %2").arg(seed).arg(excess)));
        }
    }
}

void TstSimulation::S10_andS11_canFail()
{
    qint64 more = 0;
    std::set<QString> excesses;
    for (quint32 seed = 1; seed <= c_calmSeeds; ++seed) {
        Script script = scriptOf(seed);
        const qint64 bare = Calm(script, false).run().prefilled;
        script.restoresNothing = true;
        script.coldStart = ColdStart::Erase;
        more += Calm(script, true).run().prefilled > bare ? 1 : 0;
        for (bool Script::*sabotage : { &Script::neverSaysMore, &Script::forgetsTitles }) {
            Script wrong = scriptOf(seed);
            wrong.*sabotage = true;
            excesses.insert(excessOf(Calm(wrong, true).run()));
        }
    }
    Script chat; // a long prompt, then a little at a time: saved again in each pause
    chat.sessions.push_back({ { 0, { 9000 }, 0, false } });
    chat.sessions.front().insert(chat.sessions.front().end(), 20, { 60000, { 60 }, 0, false });
    QCOMPARE(excessOf(Calm(chat, true).run()), QString());
    chat.tellsNoTimes = true;
    excesses.insert(excessOf(Calm(chat, true).run()));
    QVERIFY(more > 0);
    for (const char *what : { "a wait", "owner changes", "bytes written" }) {
        QVERIFY2(excesses.contains(QString::fromLatin1(what)), what);
    }
}

void TstSimulation::everyRuleCanFail_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<int>("sabotage");
    const auto row = [](const char *rule, Sabotage sabotage) {
        QTest::newRow(rule) << QString::fromLatin1(rule) << static_cast<int>(sabotage);
    };
    row("S1", Sabotage::ModelNotTold);
    row("S2", Sabotage::TitleAsTurn);
    row("S3", Sabotage::NameTwice);
    row("S4", Sabotage::CommitLost);
    row("S5", Sabotage::RowLostOnFailure);
    row("S6", Sabotage::PurgeForgotten);
    row("S7", Sabotage::EarlyAnswers);
    row("S8", Sabotage::EarlyEnds);
    row("S9", Sabotage::GrantLost);
    row("S12", Sabotage::WakesAtWill);
    row("S13", Sabotage::WrongSlot);
    row("S15", Sabotage::TwoFaces);
    row("S16", Sabotage::EventForgotten);
    row("S17", Sabotage::BaseAsOwn);
}

// A rule that cannot fail proves nothing: each is broken by a world that is wrong in one thing.
void TstSimulation::everyRuleCanFail()
{
    QFETCH(QString, rule);
    QFETCH(int, sabotage);
    for (quint32 seed = 1; seed <= c_sabotageSeeds; ++seed) {
        Setup setup = setupOf(seed);
        setup.weather = Weather::Storm;
        if (rule == QStringLiteral("S15")) {
            setup.sessions = 1;
            setup.reusesNothing = true;
            setup.weather = Weather::Calm;
        }
        if (rule == QStringLiteral("S12")) {
            setup.manners.sleepIdleMs = 6000;
        }
        const Trace trace = traceOf(setup, c_traceSteps);
        if (breaks(rule, setup, trace, static_cast<Sabotage>(sabotage))) {
            return;
        }
    }
    QFAIL("nothing was noticed");
}

QTEST_GUILESS_MAIN(TstSimulation)
#include "tst_simulation.moc"
