// SPDX-License-Identifier: MIT
// A router keeps only so many models loaded: when a request for another one may go on.
#include "modelgate.h"

#include <QTest>

using namespace kv;

namespace {

/// A router's models as the gate is shown them, and what the gate said, in words: "pass 1", "clear a".
struct Router {
    ModelGate gate;
    ModelGate::Models models;
    qint64 nowMs = 1000;

    explicit Router(int limit)
    {
        gate.setLimit(limit);
        gate.setPatience(30000);
    }
    void loaded(const QString &name, quint64 usedSeq) { models[name] = { true, false, -1, usedSeq }; }
    QString ask(RequestId request, const QString &model)
    {
        gate.ask(request, model, nowMs);
        return said();
    }
    QString said()
    {
        QStringList words;
        for (const ModelGate::Step &step : gate.steps(models, nowMs)) {
            if (const auto *pass = std::get_if<ModelGate::Pass>(&step)) {
                words << QStringLiteral("pass %1").arg(pass->request);
            } else {
                words << QStringLiteral("clear %1").arg(std::get<ModelGate::Clear>(step).model);
            }
        }
        return words.join(QStringLiteral(", "));
    }
};

}

class TstModelGate final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLoadedModelIsNotHeldUp();
    void whereThereIsRoomNobodyWaits();
    void aRestingModelIsSavedBeforeAnotherIsLoaded();
    void aBusyModelIsWaitedFor();
    void aTurnIsNotBrokenUpUntilPatienceEnds();
    void whoWaitedLongIsNotOvertakenForEver();
    void requestsForTheModelThatLeavesWait();
    void theSecondRequestForTheSameModelGoesWithTheFirst();
    void theLeastRecentlyUsedOfThoseThatRestGoes();
    void aCancelledRequestLetsTheNextOneGo();
    void aModelThatIsNotOursCountsToo();
    void withNoLimitKnownNobodyWaitsButAllAreSaved();
};

void TstModelGate::aLoadedModelIsNotHeldUp()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.models[QStringLiteral("a")].busy = true;
    QCOMPARE(router.ask(1, QStringLiteral("a")), QStringLiteral("pass 1"));
    QVERIFY(!router.gate.isWaiting());
}

void TstModelGate::whereThereIsRoomNobodyWaits()
{
    Router router(2);
    router.loaded(QStringLiteral("a"), 1);
    router.models[QStringLiteral("a")].busy = true;
    QCOMPARE(router.ask(1, QStringLiteral("b")), QStringLiteral("pass 1"));
    QCOMPARE(router.gate.leaving(), QString());
}

void TstModelGate::aRestingModelIsSavedBeforeAnotherIsLoaded()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    QCOMPARE(router.ask(1, QStringLiteral("b")), QStringLiteral("clear a"));
    QCOMPARE(router.said(), QString());
    router.gate.cleared(QStringLiteral("a"));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    QCOMPARE(router.gate.leaving(), QStringLiteral("a"));
    router.models[QStringLiteral("a")].loaded = false;
    router.loaded(QStringLiteral("b"), 2);
    router.gate.over(1);
    QCOMPARE(router.gate.leaving(), QString());
}

void TstModelGate::aBusyModelIsWaitedFor()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.models[QStringLiteral("a")].busy = true;
    QCOMPARE(router.ask(1, QStringLiteral("b")), QString());
    QCOMPARE(router.ask(2, QStringLiteral("a")), QStringLiteral("pass 2")); // no switch without need
    router.models[QStringLiteral("a")].busy = false;
    QCOMPARE(router.said(), QStringLiteral("clear a"));
}

void TstModelGate::aTurnIsNotBrokenUpUntilPatienceEnds()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.models[QStringLiteral("a")].heldUntilMs = router.nowMs + 100'000;
    QCOMPARE(router.ask(1, QStringLiteral("b")), QString());
    router.nowMs += 29'000;
    QCOMPARE(router.said(), QString());
    router.nowMs += 1000;
    QCOMPARE(router.said(), QStringLiteral("clear a"));
}

void TstModelGate::whoWaitedLongIsNotOvertakenForEver()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.models[QStringLiteral("a")].busy = true;
    QCOMPARE(router.ask(1, QStringLiteral("b")), QString());
    router.nowMs += 30'000;
    QCOMPARE(router.said(), QString());
    QCOMPARE(router.ask(2, QStringLiteral("a")), QString()); // waits its turn now
    router.models[QStringLiteral("a")].busy = false;
    QCOMPARE(router.said(), QStringLiteral("clear a"));
    router.gate.cleared(QStringLiteral("a"));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    router.models[QStringLiteral("a")].loaded = false;
    router.loaded(QStringLiteral("b"), 2);
    router.gate.over(1);
    QCOMPARE(router.said(), QStringLiteral("clear b"));
    router.gate.cleared(QStringLiteral("b"));
    QCOMPARE(router.said(), QStringLiteral("pass 2"));
}

void TstModelGate::requestsForTheModelThatLeavesWait()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    QCOMPARE(router.ask(1, QStringLiteral("b")), QStringLiteral("clear a"));
    QCOMPARE(router.ask(2, QStringLiteral("a")), QString()); // else what was saved would be outdated
    router.gate.cleared(QStringLiteral("a"));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    QCOMPARE(router.said(), QString());
}

void TstModelGate::theSecondRequestForTheSameModelGoesWithTheFirst()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.ask(1, QStringLiteral("b"));
    QCOMPARE(router.ask(2, QStringLiteral("b")), QString());
    router.gate.cleared(QStringLiteral("a"));
    QCOMPARE(router.said(), QStringLiteral("pass 1, pass 2"));
    QCOMPARE(router.ask(3, QStringLiteral("b")), QStringLiteral("pass 3")); // while it is being loaded
}

void TstModelGate::theLeastRecentlyUsedOfThoseThatRestGoes()
{
    Router router(3);
    router.loaded(QStringLiteral("a"), 5);
    router.loaded(QStringLiteral("b"), 2);
    router.loaded(QStringLiteral("c"), 1);
    router.models[QStringLiteral("c")].busy = true;
    QCOMPARE(router.ask(1, QStringLiteral("d")), QStringLiteral("clear a, clear b"));
    router.gate.cleared(QStringLiteral("a"));
    QCOMPARE(router.said(), QString());
    QCOMPARE(router.ask(2, QStringLiteral("a")), QStringLiteral("pass 2"));
    QCOMPARE(router.ask(3, QStringLiteral("b")), QString());
    router.gate.cleared(QStringLiteral("b"));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    QCOMPARE(router.gate.leaving(), QStringLiteral("b"));
}

void TstModelGate::aCancelledRequestLetsTheNextOneGo()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.ask(1, QStringLiteral("b"));
    router.gate.over(1);
    QVERIFY(!router.gate.isWaiting());
    QCOMPARE(router.ask(2, QStringLiteral("a")), QStringLiteral("pass 2"));
    QCOMPARE(router.ask(3, QStringLiteral("c")), QStringLiteral("clear a"));
    QVERIFY(router.gate.waitsHere(3));
}

void TstModelGate::aModelThatIsNotOursCountsToo()
{
    Router router(2);
    router.loaded(QStringLiteral("a"), 7);
    router.loaded(QStringLiteral("another's"), 0);
    QCOMPARE(router.ask(1, QStringLiteral("b")), QStringLiteral("clear a, clear another's"));
    QCOMPARE(router.gate.leaving(), QStringLiteral("another's"));
}

void TstModelGate::withNoLimitKnownNobodyWaitsButAllAreSaved()
{
    Router router(0);
    router.loaded(QStringLiteral("a"), 1);
    router.loaded(QStringLiteral("b"), 2);
    router.models[QStringLiteral("b")].busy = true;
    QCOMPARE(router.ask(1, QStringLiteral("c")), QStringLiteral("clear a"));
    router.gate.cleared(QStringLiteral("a"));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    QCOMPARE(router.gate.leaving(), QString());
}

QTEST_GUILESS_MAIN(TstModelGate)
#include "tst_modelgate.moc"
