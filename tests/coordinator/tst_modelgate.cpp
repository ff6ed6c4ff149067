// SPDX-License-Identifier: MIT
// A router keeps only so many models loaded: when a request for another one may go on.
#include "modelgate.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <deque>
#include <map>

using namespace kv;

namespace {

/// A router's models as the gate is shown them, and what the gate said, in words: "pass 1", "clear a".
struct Router {
    ModelGate gate;
    ModelGate::Models models;
    std::map<QString, ModelGate::Clear> clears; ///< the last of each model
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
                const auto &clear = std::get<ModelGate::Clear>(step);
                clears[clear.model] = clear;
                words << QStringLiteral("clear %1").arg(clear.model);
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
    void randomTraffic_data();
    void randomTraffic();
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
    router.gate.cleared(router.clears.at(QStringLiteral("a")));
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
    router.gate.cleared(router.clears.at(QStringLiteral("a")));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    router.models[QStringLiteral("a")].loaded = false;
    router.loaded(QStringLiteral("b"), 2);
    router.gate.over(1);
    QCOMPARE(router.said(), QStringLiteral("clear b"));
    router.gate.cleared(router.clears.at(QStringLiteral("b")));
    QCOMPARE(router.said(), QStringLiteral("pass 2"));
}

void TstModelGate::requestsForTheModelThatLeavesWait()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    QCOMPARE(router.ask(1, QStringLiteral("b")), QStringLiteral("clear a"));
    QCOMPARE(router.ask(2, QStringLiteral("a")), QString()); // else what was saved would be outdated
    router.gate.cleared(router.clears.at(QStringLiteral("a")));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    QCOMPARE(router.said(), QString());
}

void TstModelGate::theSecondRequestForTheSameModelGoesWithTheFirst()
{
    Router router(1);
    router.loaded(QStringLiteral("a"), 1);
    router.ask(1, QStringLiteral("b"));
    QCOMPARE(router.ask(2, QStringLiteral("b")), QString());
    router.gate.cleared(router.clears.at(QStringLiteral("a")));
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
    router.gate.cleared(router.clears.at(QStringLiteral("a")));
    QCOMPARE(router.said(), QString());
    QCOMPARE(router.ask(2, QStringLiteral("a")), QStringLiteral("pass 2"));
    QCOMPARE(router.ask(3, QStringLiteral("b")), QString());
    router.gate.cleared(router.clears.at(QStringLiteral("b")));
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
    router.gate.cleared(router.clears.at(QStringLiteral("a")));
    QCOMPARE(router.said(), QStringLiteral("pass 1"));
    QCOMPARE(router.gate.leaving(), QString());
}

namespace {

/// A router that loads and unloads as the real one does, requests at random, and what must hold.
class Walk final {
public:
    Walk(int limit, int models, quint32 seed)
        : m_limit(limit)
        , m_random(seed)
    {
        m_gate.setLimit(limit);
        m_gate.setPatience(3000);
        for (int i = 0; i < models; ++i) {
            m_models[QStringLiteral("m%1").arg(i)] = {};
        }
    }

    QString run(int steps)
    {
        for (int step = 0; step < steps && m_fault.isEmpty(); ++step) {
            m_nowMs += m_random.bounded(400);
            switch (m_random.bounded(6)) {
            case 0:
            case 1:
                ask();
                break;
            case 2:
                finish();
                break;
            case 3:
                save();
                break;
            case 4:
                load();
                break;
            default:
                if (m_random.bounded(10) == 0 && !m_waiting.empty()) { // cancelled
                    m_gate.over(m_waiting.begin()->first);
                    m_waiting.erase(m_waiting.begin());
                }
                break;
            }
            obey();
        }
        for (int round = 0; round < 2000 && m_fault.isEmpty() && !m_waiting.empty(); ++round) {
            m_nowMs += 400;
            finish();
            save();
            load();
            obey();
        }
        return !m_fault.isEmpty() || m_waiting.empty()
            ? m_fault
            : QStringLiteral("%1 requests wait for ever").arg(m_waiting.size());
    }
    [[nodiscard]] int switches() const { return m_switches; }

private:
    struct Asked {
        QString model;
        qint64 sinceMs = 0;
    };

    void ask()
    {
        auto at = m_models.begin();
        std::advance(at, m_random.bounded(static_cast<quint32>(m_models.size())));
        const RequestId request = ++m_last;
        m_waiting[request] = { at->first, m_nowMs };
        m_gate.ask(request, at->first, m_nowMs);
    }
    void obey()
    {
        for (const ModelGate::Step &step : m_gate.steps(m_models, m_nowMs)) {
            if (const auto *clear = std::get_if<ModelGate::Clear>(&step)) {
                if (m_models[clear->model].busy) {
                    m_fault = QStringLiteral("%1 works and is to be saved").arg(clear->model);
                }
                m_toSave.push_back(*clear);
                continue;
            }
            const RequestId request = std::get<ModelGate::Pass>(step).request;
            const QString model = m_waiting.at(request).model;
            m_waiting.erase(request);
            if (model == m_gate.leaving()) {
                m_fault = QStringLiteral("%1 is to go, and gets a request").arg(model);
            }
            const bool unsaved = std::any_of(m_toSave.begin(), m_toSave.end(),
                [&](const ModelGate::Clear &clear) { return clear.request == request; });
            if (!m_models[model].loaded && unsaved) {
                m_fault = QStringLiteral("%1 is loaded before others are saved").arg(model);
            }
            m_running[request] = model;
            m_models[model].busy = true;
        }
    }
    void save()
    {
        if (!m_toSave.empty()) {
            m_gate.cleared(m_toSave.front());
            m_toSave.pop_front();
        }
    }
    /// The model of a request that has gone on is loaded; an idle one is unloaded when there is no room.
    void load()
    {
        for (const auto &[request, model] : m_running) {
            ModelGate::Model &loading = m_models[model];
            if (loading.loaded) {
                m_gate.over(request);
                continue;
            }
            QString idle;
            int loaded = 0;
            for (const auto &[name, one] : m_models) {
                loaded += one.loaded ? 1 : 0;
                const bool older = idle.isEmpty() || one.usedSeq < m_models[idle].usedSeq;
                idle = one.loaded && !one.busy && older ? name : idle;
            }
            if (loaded >= m_limit && idle.isEmpty()) {
                m_fault = QStringLiteral("%1 waits inside the router").arg(model);
                return;
            }
            if (loaded >= m_limit) {
                m_models[idle].loaded = false;
                ++m_switches;
            }
            loading.loaded = true;
            loading.usedSeq = ++m_uses;
            m_gate.over(request);
        }
    }
    void finish()
    {
        const auto done = std::find_if(m_running.begin(), m_running.end(),
            [&](const auto &entry) { return m_models[entry.second].loaded; });
        if (done == m_running.end()) {
            return;
        }
        const QString model = done->second;
        m_gate.over(done->first);
        m_running.erase(done);
        m_models[model].busy = std::any_of(
            m_running.begin(), m_running.end(), [&](const auto &entry) { return entry.second == model; });
        m_models[model].usedSeq = ++m_uses;
        m_models[model].heldUntilMs = m_random.bounded(3) == 0 ? m_nowMs + 1000 : -1;
    }

    ModelGate m_gate;
    int m_limit;
    QRandomGenerator m_random;
    ModelGate::Models m_models;
    std::map<RequestId, Asked> m_waiting;
    std::map<RequestId, QString> m_running; ///< gone on, not ended
    std::deque<ModelGate::Clear> m_toSave;
    RequestId m_last = 0;
    quint64 m_uses = 0;
    qint64 m_nowMs = 0;
    int m_switches = 0;
    QString m_fault;
};

}

void TstModelGate::randomTraffic_data()
{
    QTest::addColumn<int>("limit");
    QTest::addColumn<int>("models");
    QTest::newRow("two models, one place") << 1 << 2;
    QTest::newRow("five models, two places") << 2 << 5;
    QTest::newRow("four models, three places") << 3 << 4;
}

void TstModelGate::randomTraffic()
{
    QFETCH(int, limit);
    QFETCH(int, models);
    int switches = 0;
    for (quint32 seed = 1; seed <= 200; ++seed) {
        Walk walk(limit, models, seed);
        const QString fault = walk.run(400);
        QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(fault)));
        switches += walk.switches();
    }
    QVERIFY(switches > 100); // else nothing was tried
}

QTEST_GUILESS_MAIN(TstModelGate)
#include "tst_modelgate.moc"
