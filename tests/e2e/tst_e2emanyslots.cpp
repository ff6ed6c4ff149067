// SPDX-License-Identifier: MIT
// Several slots, several servers, on the real thing.
#include "e2etest.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QtTest>

#include <csignal>
#include <memory>
#include <set>
#include <vector>

using namespace kv::test;

namespace {

QStringList flags(const QStringList &slotFlags, const QStringList &more = {})
{
    return QStringList { QStringLiteral("-c"), QStringLiteral("16384"), QStringLiteral("-t"),
        QStringLiteral("1") }
    + slotFlags
        + (more.isEmpty() ? QStringList { QStringLiteral("--cache-ram"), QStringLiteral("0") } : more);
}
QStringList slots_(int count) { return { QStringLiteral("-np"), QString::number(count) }; }

StageOptions managed(const QStringList &serverFlags, bool pins = true)
{
    StageOptions options;
    options.serverFlags = serverFlags;
    options.serverConfig = "    mode: managed-slots\n";
    options.pins = pins;
    options.direct = true; // so that its command line is known, as on a user's machine
    return options;
}

int slotOf(const Turn &turn) { return turn.begin.result[QStringLiteral("slot")].toInt(-1); }

std::set<int> ownedSlots(Stage &stage)
{
    std::set<int> owned;
    const QJsonArray all = stage.status()[QStringLiteral("servers")][0][QStringLiteral("slots")].toArray();
    for (const QJsonValue &slot : all) {
        if (!slot[QStringLiteral("owner")].toString().isEmpty()) {
            owned.insert(slot[QStringLiteral("id")].toInt());
        }
    }
    return owned;
}

}

class TstE2eManySlots final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void threeSessionsOnTwoSlots();
    void twoSessionsAtOnceDoNotWaitForEachOther();
    void aServerThatClearsIdleSlotsLosesNothing_data();
    void aServerThatClearsIdleSlotsLosesNothing();
    void anotherNumberOfSlotsAfterARestart();
    void aClientThatNamesNoSlotIsFound_data();
    void aClientThatNamesNoSlotIsFound();
    void randomTrafficIsAlwaysWarm_data();
    void randomTrafficIsAlwaysWarm();
    void aServerThatHangsDelaysNoOther();
    void serversComeAndGoByReload();
};

void TstE2eManySlots::initTestCase()
{
    if (const QString why = RealLlamaServer::whyNot(QStringLiteral("tiny-dense")); !why.isEmpty()) {
        QSKIP(qPrintable(why));
    }
}

void TstE2eManySlots::threeSessionsOnTwoSlots()
{
    Stage stage(managed(flags(slots_(2))));
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    Conversation a(QStringLiteral("a"), 1);
    Conversation b(QStringLiteral("b"), 2);
    Conversation c(QStringLiteral("c"), 3);
    const int slotOfA = slotOf(stage.turn(a));
    const int slotOfB = slotOf(stage.turn(b));
    QVERIFY(slotOfA != slotOfB);
    const Turn third = stage.turn(c);
    QCOMPARE(third.outcome(), QStringLiteral("cold"));
    QCOMPARE(slotOf(third), slotOfA); // used longest ago
    const RpcReply rowOfA = stage.client().call(
        QStringLiteral("kv.get"), { { QStringLiteral("session"), QStringLiteral("a") } });
    QVERIFY2(rowOfA.ok(), qPrintable(rowOfA.text())); // saved first
    const int held = a.held();
    const Turn back = stage.turn(a);
    QCOMPARE(back.outcome(), QStringLiteral("restored"));
    QCOMPARE(slotOf(back), slotOfB); // the other slot
    QVERIFY(back.answer.cachedTokens >= 0.95 * held);
    QCOMPARE(back.answer.tokens, stage.warmReference(a));
}

void TstE2eManySlots::twoSessionsAtOnceDoNotWaitForEachOther()
{
    Stage stage(managed(flags(slots_(2))));
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    Conversation a(QStringLiteral("a"), 4);
    Conversation b(QStringLiteral("b"), 5);
    stage.turn(a);
    const RpcReply working = stage.begin(QStringLiteral("a")); // its lease stays
    const Turn beside = stage.turn(b);
    QCOMPARE(beside.outcome(), QStringLiteral("cold"));
    QCOMPARE(stage.turn(b).outcome(), QStringLiteral("resident"));
    const Completion answer
        = complete(stage.server().port(), a.prompt(), true, c_answerTokens, stage.pinOf(working));
    QVERIFY(answer.cachedTokens >= a.held() - 1);
    QVERIFY(stage.end(working, answer).ok());
}

void TstE2eManySlots::aServerThatClearsIdleSlotsLosesNothing_data()
{
    QTest::addColumn<QStringList>("serverFlags");
    QTest::newRow("the default: four unified slots, idle ones cleared") << QStringList { QStringLiteral("-c"),
        QStringLiteral("16384"), QStringLiteral("-t"), QStringLiteral("1") };
    QTest::newRow("one pool") << flags(
        { QStringLiteral("-np"), QStringLiteral("3"), QStringLiteral("-kvu") });
}

void TstE2eManySlots::aServerThatClearsIdleSlotsLosesNothing()
{
    QFETCH(QStringList, serverFlags);
    Stage stage(managed(serverFlags));
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    std::vector<std::unique_ptr<Conversation>> talks;
    for (quint32 i = 0; i < 5; ++i) {
        talks.push_back(std::make_unique<Conversation>(QStringLiteral("s%1").arg(i), 10 + i, 900));
    }
    for (int round = 0; round < 3; ++round) {
        for (const auto &talk : talks) {
            const int held = talk->held();
            const Turn turn = stage.turn(*talk);
            QVERIFY2(turn.answer.cachedTokens >= held - 1,
                qPrintable(QStringLiteral("round %1: %2 of %3 reused, %4\n%5")
                               .arg(round)
                               .arg(turn.answer.cachedTokens)
                               .arg(held)
                               .arg(turn.begin.text(), stage.log())));
        }
    }
}

void TstE2eManySlots::anotherNumberOfSlotsAfterARestart()
{
    QTemporaryDir folder;
    StageOptions options = managed(flags(slots_(4)));
    options.slotFolder = folder.path();
    Stage stage(options);
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    std::vector<std::unique_ptr<Conversation>> talks;
    for (quint32 i = 0; i < 3; ++i) {
        talks.push_back(std::make_unique<Conversation>(QStringLiteral("s%1").arg(i), 20 + i, 800));
        stage.turn(*talks.back());
    }
    QCOMPARE(ownedSlots(stage).size(), std::size_t { 3 });
    stage.client().call(QStringLiteral("kv.flush"));
    stage.server().kill();
    stage.server().setFlags(flags(slots_(2)));
    QVERIFY(stage.startServer());
    QTRY_VERIFY_WITH_TIMEOUT(ownedSlots(stage).empty(), 20000);
    QVERIFY(stage.waitHealthy());
    for (const auto &talk : talks) {
        const Turn turn = stage.turn(*talk);
        QVERIFY(slotOf(turn) < 2);
        // The number of slots is part of what a state was made under: with another one it is not restored.
        QVERIFY(turn.outcome() == QStringLiteral("restored") || turn.outcome() == QStringLiteral("cold"));
    }
    QCOMPARE(stage.status()[QStringLiteral("servers")][0][QStringLiteral("slots")].toArray().size(), 2);
}

void TstE2eManySlots::aClientThatNamesNoSlotIsFound_data()
{
    QTest::addColumn<QStringList>("serverFlags");
    QTest::newRow("three slots") << flags(slots_(3));
    QTest::newRow("the default: four unified slots, idle ones cleared") << QStringList { QStringLiteral("-c"),
        QStringLiteral("16384"), QStringLiteral("-t"), QStringLiteral("1") };
}

void TstE2eManySlots::aClientThatNamesNoSlotIsFound()
{
    QFETCH(QStringList, serverFlags);
    Stage stage(managed(serverFlags, false));
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    std::vector<std::unique_ptr<Conversation>> talks;
    for (quint32 i = 0; i < 5; ++i) {
        talks.push_back(
            std::make_unique<Conversation>(QStringLiteral("s%1").arg(i), 30 + i, 700 + 60 * int(i)));
    }
    int warm = 0;
    int later = 0;
    for (int round = 0; round < 4; ++round) {
        for (const auto &talk : talks) {
            const int held = talk->held();
            const Turn turn = stage.turn(*talk);
            QVERIFY2(turn.end.ok(), qPrintable(turn.end.text()));
            later += round > 0 ? 1 : 0;
            warm += round > 0 && turn.answer.cachedTokens >= held - 1 ? 1 : 0;
        }
    }
    QVERIFY2(warm == later, qPrintable(QStringLiteral("%1 of %2\n%3").arg(warm).arg(later).arg(stage.log())));
    QString advice;
    const QJsonArray all = stage.status()[QStringLiteral("servers")][0][QStringLiteral("advice")].toArray();
    for (const QJsonValue &one : all) {
        advice += one.toString() + QLatin1Char('\n');
    }
    QVERIFY2(advice.contains(QStringLiteral("--parallel 1")), qPrintable(advice));
    QVERIFY2(advice.contains(QStringLiteral("20 requests, 0 of them")), qPrintable(advice));
}

void TstE2eManySlots::randomTrafficIsAlwaysWarm_data()
{
    QTest::addColumn<int>("slotCount");
    QTest::newRow("two slots") << 2;
    QTest::newRow("four slots") << 4;
}

void TstE2eManySlots::randomTrafficIsAlwaysWarm()
{
    QFETCH(int, slotCount);
    Stage stage(managed(flags(slots_(slotCount))));
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    QRandomGenerator random(20261130);
    std::vector<std::unique_ptr<Conversation>> talks;
    for (quint32 i = 0; i < 6; ++i) {
        talks.push_back(std::make_unique<Conversation>(QStringLiteral("s%1").arg(i), 40 + i, 500));
    }
    for (int step = 0; step < 60; ++step) {
        Conversation &talk = *talks.at(random.bounded(static_cast<quint32>(talks.size())));
        const int held = talk.held();
        const Turn turn = stage.turn(talk);
        QVERIFY2(held == 0 || turn.answer.cachedTokens >= held - 1,
            qPrintable(QStringLiteral("step %1: %2 of %3\n%4")
                           .arg(step)
                           .arg(turn.answer.cachedTokens)
                           .arg(held)
                           .arg(turn.begin.text())));
    }
}

void TstE2eManySlots::aServerThatHangsDelaysNoOther()
{
    QTemporaryDir folder;
    RealLlamaServer other(QStringLiteral("tiny-dense"), folder.path(), flags(slots_(1)));
    QVERIFY2(other.start(), qPrintable(other.log()));
    StageOptions options = managed(flags(slots_(1)), false);
    options.serverConfig
        += "  second:\n    baseURL: " + other.url().toString(QUrl::StripTrailingSlash).toUtf8() + "\n";
    options.providers = "  second: second\n";
    Stage stage(options);
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    Conversation a(QStringLiteral("a"), 50);
    stage.turn(a);
    ::kill(static_cast<pid_t>(stage.server().pid()), SIGSTOP); // it accepts connections, and answers nothing
    const int hanging = stage.client().send(
        QStringLiteral("request.begin"), Stage::beginParams(QStringLiteral("b"))); // a save of A is due first
    Conversation c(QStringLiteral("c"), 51);
    const QJsonObject there { { QStringLiteral("provider"), QStringLiteral("second") } };
    for (int i = 0; i < 5; ++i) {
        const RpcReply begun = stage.begin(c.session(), there);
        QCOMPARE(begun.result[QStringLiteral("outcome")].toString(),
            i == 0 ? QStringLiteral("cold") : QStringLiteral("resident"));
        const Completion answer = complete(other.port(), c.prompt());
        stage.end(begun, answer);
        c.answered(answer);
    }
    QVERIFY(!stage.client().hasAnswer(hanging)); // still waits, while the other server served five requests
    ::kill(static_cast<pid_t>(stage.server().pid()), SIGCONT);
    const RpcReply granted = stage.client().wait(hanging, 60000);
    QVERIFY2(granted.ok(), qPrintable(granted.text()));
}

void TstE2eManySlots::serversComeAndGoByReload()
{
    QTemporaryDir folder;
    RealLlamaServer other(QStringLiteral("tiny-dense-b"), folder.path(), flags(slots_(1)));
    QVERIFY2(other.start(), qPrintable(other.log()));
    Stage stage(managed(flags(slots_(2))));
    QVERIFY2(stage.start(), qPrintable(stage.log()));
    Conversation a(QStringLiteral("a"), 60);
    stage.turn(a);
    const RpcReply working = stage.begin(QStringLiteral("a")); // a lease is held over all that follows
    const QByteArray before = stage.daemon().config();
    QByteArray with = before;
    with.replace("providers:\n",
        "  second:\n    baseURL: " + other.url().toString(QUrl::StripTrailingSlash).toUtf8()
            + "\nproviders:\n  second: second\n");
    stage.daemon().setConfig(with);
    QVERIFY(stage.client().call(QStringLiteral("kv.reload")).ok());
    Conversation b(QStringLiteral("b"), 61);
    const QJsonObject there { { QStringLiteral("provider"), QStringLiteral("second") } };
    const RpcReply begun = stage.begin(b.session(), there);
    QCOMPARE(begun.result[QStringLiteral("server")].toString(), QStringLiteral("second"));
    const Completion answer = complete(other.port(), b.prompt());
    QVERIFY(stage.end(begun, answer).ok());
    stage.daemon().setConfig(before);
    QVERIFY(stage.client().call(QStringLiteral("kv.reload")).ok());
    QCOMPARE(stage.begin(b.session(), there).result[QStringLiteral("managed")].toBool(true), false);
    // The first server noticed nothing.
    const Completion own
        = complete(stage.server().port(), a.prompt(), true, c_answerTokens, stage.pinOf(working));
    const RpcReply ended = stage.end(working, own);
    QVERIFY2(ended.ok(), qPrintable(ended.text()));
    a.answered(own);
    QCOMPARE(stage.turn(a).outcome(), QStringLiteral("resident"));
    // And what was unsaved on the one that went is not lost.
    stage.daemon().setConfig(with);
    QVERIFY(stage.client().call(QStringLiteral("kv.reload")).ok());
    b.answered(answer);
    const RpcReply back = stage.begin(b.session(), there);
    QVERIFY2(back.result[QStringLiteral("outcome")] == QStringLiteral("restored"), qPrintable(back.text()));
}

QTEST_GUILESS_MAIN(TstE2eManySlots)
#include "tst_e2emanyslots.moc"
