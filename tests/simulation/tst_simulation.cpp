// SPDX-License-Identifier: MIT
// The coordinator in a world that is as bad as the real one. Environment:
//   KV_SIM_STEPS  how many steps in all (1 000 000, far fewer under a sanitizer)
//   KV_SIM_SEED   runs the trace of that seed alone and, if it fails, prints it shrunk, step by step
//   KV_SIM_FIRST  the first seed (1)
#include "simshrink.h"

#include <QElapsedTimer>
#include <QTest>

using namespace kv;
using namespace kv::sim;

namespace {

constexpr int c_traceSteps = 500;
constexpr quint32 c_clockSeeds = 100;
constexpr quint32 c_sabotageSeeds = 400;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr qint64 c_steps = 50'000;
#else
constexpr qint64 c_steps = 1'000'000;
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
    std::map<QString, QStringList> byRule;
    for (qint64 i = 0; i < traces; ++i) {
        const Setup setup = setupOf(static_cast<quint32>(first + i));
        const Trace trace = traceOf(setup, c_traceSteps);
        if (const std::optional<Violation> violation = firstViolation(setup, trace)) {
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
    QVERIFY2(failed.isEmpty(),
        qPrintable(QStringLiteral("%1 of %2 traces broke a rule\n%3")
                       .arg(failed.size())
                       .arg(traces)
                       .arg(failed.mid(0, 12).join(u'\n'))));
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
        }
        if (rule == QStringLiteral("S12")) {
            setup.manners.sleepIdleMs = 6000;
        }
        const Trace trace = traceOf(setup, c_traceSteps);
        const auto violation = firstViolation(setup, trace, static_cast<Sabotage>(sabotage));
        if (violation && violation->rule == rule) {
            return;
        }
    }
    QFAIL("nothing was noticed");
}

QTEST_GUILESS_MAIN(TstSimulation)
#include "tst_simulation.moc"
