// SPDX-License-Identifier: MIT
// What becomes of snapshots, with a real server. Numbers as in README.md.
#include "e2etest.h"
#include "smalldisk.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>

using namespace kv::test;

namespace {

StageOptions sharedFolder()
{
    StageOptions options;
    options.serverConfig = "    snapshotBinaryManagement: shared-filesystem\n    slotSavePath: '${SLOTS}'\n";
    return options;
}

} // namespace

class TstTrapFilesReal final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void trap01_aSlotEmptiedBetweenTwoTurns();
    void trap04_aFullDisk();
    void trap12_aCutDenseSnapshotIsNeverSent_data();
    void trap12_aCutDenseSnapshotIsNeverSent();
    void trap13_aFlippedBitIsFoundByTheChecksum();
    void trap25_aSaveThatHappensBehindAStranger();
    void trap31_aSlotUsedByAStrangerBetweenTwoTurns();

private:
    /// A has a good snapshot and is in the slot.
    void saveA()
    {
        stage().turn(m_a);
        QVERIFY(stage().client().call(QStringLiteral("kv.flush")).ok());
        m_held = m_a.held();
        QCOMPARE(stage().snapshotFiles().size(), 1);
    }
    /// A comes back from it: nearly all of it reused, and the answer is right.
    void verifyGoodSnapshot()
    {
        const Turn turn = stage().turn(m_a);
        QVERIFY2(turn.outcome() == QStringLiteral("restored"), qPrintable(turn.begin.text()));
        verifyWarm(turn, m_held, stage().warmReference(m_a));
    }
    QByteArray said() { return QJsonDocument(stage().status()).toJson(); }
    QJsonObject manifest(const QString &session)
    {
        return stage()
            .client()
            .call(QStringLiteral("kv.get"), { { QStringLiteral("session"), session } })
            .result[QStringLiteral("manifests")][0]
            .toObject();
    }

    Conversation m_a { QStringLiteral("session-a"), 1 };
    Conversation m_b { QStringLiteral("session-b"), 2 };
    int m_held = 0;
};

void TstTrapFilesReal::trap01_aSlotEmptiedBetweenTwoTurns()
{
    m_a = Conversation(QStringLiteral("session-a"), 1);
    KV_STAGE();
    saveA();
    QNetworkAccessManager network;
    QNetworkRequest request(stage().server().url(QStringLiteral("/slots/0?action=erase")));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    const std::unique_ptr<QNetworkReply> erased(network.post(request, QByteArrayLiteral("{}")));
    QVERIFY(QTest::qWaitFor([&] { return erased->isFinished(); }, 10000));
    QCOMPARE(erased->error(), QNetworkReply::NoError);
    stage().turn(m_b);
    QVERIFY(!stage().proxy().actions().contains(QStringLiteral("save")));
    verifyGoodSnapshot();
}

void TstTrapFilesReal::trap04_aFullDisk()
{
    m_a = Conversation(QStringLiteral("session-a"), 1);
    SmallDisk disk(1);
    if (!disk.isMounted()) {
        QSKIP("a small disk can be mounted by root only");
    }
    StageOptions options;
    options.slotFolder = disk.path();
    KV_STAGE(options);
    saveA();
    disk.fill();
    stage().turn(m_a);
    const int held = m_held; // what the good snapshot holds, not the turn just now
    stage().turn(m_b);
    QCOMPARE(stage().proxy().actions().first(), QStringLiteral("save"));
    QCOMPARE(stage().stat(QStringLiteral("saveFailures")), 1);
    QCOMPARE(manifest(m_a.session())[QStringLiteral("tokens")].toInt(), held);
    verifyGoodSnapshot();
    disk.relieve();
}

void TstTrapFilesReal::trap12_aCutDenseSnapshotIsNeverSent_data()
{
    QTest::addColumn<int>("cut");
    for (const int cut : { 1, 2, 4, 8, 16 }) {
        QTest::addRow("%d bytes", cut) << cut;
    }
    QTest::addRow("half") << -1;
}

void TstTrapFilesReal::trap12_aCutDenseSnapshotIsNeverSent()
{
    QFETCH(int, cut);
    m_a = Conversation(QStringLiteral("session-a"), 1);
    m_b = Conversation(QStringLiteral("session-b"), 2);
    KV_STAGE(sharedFolder());
    saveA();
    const QString name = manifest(m_a.session())[QStringLiteral("snapshotFilename")].toString();
    QFile file(QDir(stage().slotFolder()).filePath(name));
    const qint64 whole = file.size();
    QVERIFY2(whole > 10000, qPrintable(name));
    QVERIFY(file.resize(cut < 0 ? whole / 2 : whole - cut));
    stage().turn(m_b);
    const qint64 pid = stage().server().pid();
    const Turn turn = stage().turn(m_a);
    QCOMPARE(turn.outcome(), QStringLiteral("cold-fallback"));
    QVERIFY2(!stage().proxy().actions().contains(QStringLiteral("restore")),
        qPrintable(stage().proxy().transcript()));
    verifyCold(turn, stage().coldReference(m_a));
    QVERIFY(stage().server().running());
    QCOMPARE(stage().server().pid(), pid);
    QVERIFY2(said().contains(name.toUtf8()), said().constData());
    QCOMPARE(manifest(m_a.session())[QStringLiteral("reason")].toString(), QStringLiteral("FILE_SIZE"));
}

void TstTrapFilesReal::trap13_aFlippedBitIsFoundByTheChecksum()
{
    m_a = Conversation(QStringLiteral("session-a"), 1);
    m_b = Conversation(QStringLiteral("session-b"), 2);
    StageOptions options = sharedFolder();
    options.config = "restore: { verify: strict }\n";
    KV_STAGE(options);
    QVERIFY(stage()
                .client()
                .call(QStringLiteral("kv.subscribe"),
                    { { QStringLiteral("topics"), QJsonArray { QStringLiteral("kv.snapshot.changed") } } })
                .ok());
    saveA();
    QVERIFY(QTest::qWaitFor([this] { return !stage().client().others().isEmpty(); }, 20000)); // it is known
    QFile file(QDir(stage().slotFolder())
                   .filePath(manifest(m_a.session())[QStringLiteral("snapshotFilename")].toString()));
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() / 2));
    char byte = 0;
    QVERIFY(file.peek(&byte, 1) == 1 && file.putChar(static_cast<char>(byte ^ 1)));
    file.close();
    stage().turn(m_b);
    const Turn turn = stage().turn(m_a);
    QCOMPARE(turn.outcome(), QStringLiteral("cold-fallback"));
    QVERIFY(!stage().proxy().actions().contains(QStringLiteral("restore")));
    verifyCold(turn, stage().coldReference(m_a));
    QCOMPARE(manifest(m_a.session())[QStringLiteral("reason")].toString(), QStringLiteral("FILE_CHECKSUM"));
    QVERIFY2(said().contains(QFileInfo(file).fileName().toUtf8()), said().constData());
}

void TstTrapFilesReal::trap25_aSaveThatHappensBehindAStranger()
{
    m_a = Conversation(QStringLiteral("session-a"), 1);
    m_b = Conversation(QStringLiteral("session-b"), 2);
    StageOptions options;
    options.serverConfig = "    requestTimeoutMs: 2000\n";
    KV_STAGE(options);
    saveA();
    stage().turn(m_a); // grown, so there is something to save
    ProxyFault hold;
    hold.match = "action=save";
    hold.kind = ProxyFault::Kind::Hold;
    hold.times = 1;
    stage().proxy().addFault(hold);
    stage().proxy().forget();
    const int waiting
        = stage().client().send(QStringLiteral("request.begin"), Stage::beginParams(m_b.session()));
    QVERIFY(QTest::qWaitFor([this] { return stage().proxy().held() == 1; }, 10000));
    // The slot was idle when it was looked at. Now a stranger's long request is first, and the save waits in
    // the server's own queue.
    Conversation stranger(QStringLiteral("stranger"), 7, 3000);
    bool strangerDone = false;
    QNetworkAccessManager network;
    QNetworkRequest request(stage().server().url(QStringLiteral("/completion")));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    const std::unique_ptr<QNetworkReply> reply(
        network.post(request, completionBody(stranger.prompt(), true, 1500)));
    QObject::connect(reply.get(), &QNetworkReply::finished, this, [&] { strangerDone = true; });
    QTest::qWait(150);
    QVERIFY2(!strangerDone, "the stranger's request is over too soon to be waited for");
    stage().proxy().release();
    const RpcReply begun = stage().client().wait(waiting, 90000);
    QVERIFY2(begun.ok(), qPrintable(begun.text()));
    QVERIFY(QTest::qWaitFor([&] { return strangerDone; }, 90000));
    const Completion answer = complete(stage().server().port(), m_b.prompt());
    QCOMPARE(answer.status, 200); // it does not hang behind the save
    QVERIFY(stage().end(begun, answer).ok());
    m_b.answered(answer);
    // The save was executed, with somebody else's state, and is nobody's snapshot.
    QVERIFY(QTest::qWaitFor(
        [this] {
            const auto &calls = stage().proxy().calls();
            return std::any_of(calls.begin(), calls.end(), [](const auto &call) {
                return call->action() == QStringLiteral("save") && call->status == 200;
            });
        },
        30000));
    QCOMPARE(manifest(m_a.session())[QStringLiteral("tokens")].toInt(), m_held);
    stage().turn(m_b);
    verifyGoodSnapshot();
}

void TstTrapFilesReal::trap31_aSlotUsedByAStrangerBetweenTwoTurns()
{
    m_a = Conversation(QStringLiteral("session-a"), 1);
    m_b = Conversation(QStringLiteral("session-b"), 2);
    KV_STAGE();
    saveA();
    stage().turn(m_a);
    const Conversation stranger(QStringLiteral("stranger"), 7, 900);
    QCOMPARE(complete(stage().server().port(), stranger.prompt()).status, 200);
    stage().turn(m_b);
    QVERIFY(!stage().proxy().actions().contains(QStringLiteral("save")));
    QCOMPARE(manifest(m_a.session())[QStringLiteral("tokens")].toInt(), m_held);
    verifyGoodSnapshot();
}

QTEST_GUILESS_MAIN(TstTrapFilesReal)
#include "tst_trapfilesreal.moc"
