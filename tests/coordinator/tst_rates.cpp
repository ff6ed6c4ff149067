// SPDX-License-Identifier: MIT
// Measured rates: of which runtime they are, and what is kept of them.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

namespace {

/// Saves and restores, so that everything is measured.
void measure(CoordinatorHarness &h)
{
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.turn(u"A", 1100);
}

Rates some(double factor)
{
    Rates rates;
    rates.prefillPerSecond = 410.5 * factor;
    rates.generatePerSecond = 38 * factor;
    rates.savePerSecond = 1.9e9 * factor;
    rates.restorePerSecond = 2.4e9 * factor;
    rates.slowestBytesPerSecond = 1e6 * factor;
    rates.bytesPerToken = 27'000 * factor;
    rates.switchMs = 92.5 * factor;
    rates.sleepAfterMs = 60000 * factor;
    return rates;
}

}

class TstRates final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTextIsReadBackAndRubbishIsNotMeasured();
    void whatWasKeptIsInForceOnceThatRuntimeIsSeen();
    void anotherRuntimesRatesAreNotUsed();
    void aRuntimeThatComesBackHasItsOwn();
    void aRuntimeThatIsNotKnownTeachesNothing();
};

void TstRates::theTextIsReadBackAndRubbishIsNotMeasured()
{
    QVERIFY(ratesFromText(ratesToText(some(1))) == some(1));
    QCOMPARE(ratesToText({}), QString());
    QVERIFY(ratesFromText({}) == Rates {});
    QVERIFY(ratesFromText(u"nan -5 inf x"_qs) == Rates {});
    Rates two;
    two.prefillPerSecond = 1;
    two.generatePerSecond = 2;
    QVERIFY(ratesFromText(u"1 2"_qs) == two); // of an older version that knew less
    QVERIFY(ratesFromText(u"1 2 0 0 0 0 0 0 99"_qs) == two); // of a newer one that knew more
}

void TstRates::whatWasKeptIsInForceOnceThatRuntimeIsSeen()
{
    CoordinatorHarness before;
    measure(before);
    const Rates measured = before.coordinator->rates();
    QVERIFY(measured.savePerSecond > 0 && measured.restorePerSecond > 0 && measured.bytesPerToken > 0);
    InitialState initial;
    initial.rates = before.coordinator->keptRates();
    QCOMPARE(initial.rates.size(), 1U);
    initial.rates[u"another"_qs] = ratesToText(some(1));
    Coordinator fresh(CoordinatorHarness::defaultPolicy(), initial);
    QVERIFY(fresh.rates() == Rates {}); // nobody knows yet which runtime it is
    CoordinatorHarness after(CoordinatorHarness::defaultPolicy(), 1, initial);
    QCOMPARE(ratesToText(after.coordinator->rates()), ratesToText(measured));
    QCOMPARE(after.coordinator->keptRates().at(u"another"_qs), ratesToText(some(1)));
}

void TstRates::anotherRuntimesRatesAreNotUsed()
{
    CoordinatorHarness h;
    measure(h);
    h.server.setModel(u"/models/other.gguf"_qs);
    h.restart();
    h.observe();
    QVERIFY(h.coordinator->rates() == Rates {});
    VERIFY_RULES(h);
}

void TstRates::aRuntimeThatComesBackHasItsOwn()
{
    CoordinatorHarness h;
    const QString model = h.server.identity().fingerprint->value(field::modelPath);
    measure(h);
    const Rates first = h.coordinator->rates();
    h.server.setModel(u"/models/other.gguf"_qs);
    h.restart();
    h.observe();
    h.turn(u"C", 1000);
    h.server.setModel(model);
    h.restart();
    h.observe();
    QVERIFY(h.coordinator->rates() == first);
    QCOMPARE(h.coordinator->keptRates().size(), 2U);
    VERIFY_RULES(h);
}

void TstRates::aRuntimeThatIsNotKnownTeachesNothing()
{
    CoordinatorHarness h;
    measure(h);
    const Rates before = h.coordinator->rates();
    h.restart();
    ServerObserved unknown;
    unknown.identity.boot = u"a boot of something"_qs;
    h.watching = false;
    h.send(unknown);
    EndRequest end;
    const RequestId begun = h.begin(u"A");
    QVERIFY(h.granted(begun));
    end.lease = h.grantOf(begun).lease;
    end.connection = h.connection;
    end.timings.promptMs = 1;
    end.timings.promptTokens = 100'000;
    h.tamper = {};
    h.send(unknown);
    h.send(end);
    QCOMPARE(h.coordinator->rates().prefillPerSecond, before.prefillPerSecond);
}

QTEST_GUILESS_MAIN(TstRates)
#include "tst_rates.moc"
