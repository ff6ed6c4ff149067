// SPDX-License-Identifier: MIT
// The fake llama-server is as bad as the real one: each test is one measured fact.
#include "backendtesting.h"
#include "fakellamaserver.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

struct Got {
    bool answered = false;
    int status = 0;
    QJsonObject object;
    QJsonArray array;
};

/// A plain client: one reply kept for each call, also when it never comes.
class Client final {
public:
    explicit Client(QUrl base)
        : m_base(std::move(base))
    {
        m_manager.setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    }
    QNetworkReply *get(const QString &path) { return m_manager.get(request(path)); }
    QNetworkReply *post(const QString &path, const QJsonObject &body)
    {
        return m_manager.post(request(path), QJsonDocument(body).toJson());
    }
    static Got wait(QNetworkReply *reply, int ms = 5000)
    {
        Got got;
        if (!reply->isFinished()) {
            QEventLoop loop;
            QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
            QTimer::singleShot(ms, &loop, &QEventLoop::quit);
            loop.exec();
        }
        got.answered = reply->isFinished();
        got.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        const auto document = QJsonDocument::fromJson(reply->readAll());
        got.object = document.object();
        got.array = document.array();
        return got;
    }
    Got action(const QString &name, int slot = 0, const QString &file = QStringLiteral("a.bin"))
    {
        return wait(actionReply(name, slot, file));
    }
    QNetworkReply *actionReply(
        const QString &name, int slot = 0, const QString &file = QStringLiteral("a.bin"))
    {
        return post(QStringLiteral("/slots/%1?action=%2").arg(slot).arg(name),
            { { QStringLiteral("filename"), file } });
    }
    QNetworkReply *completionReply(const QString &prompt, int slot = -1, int predict = 4)
    {
        QJsonObject body { { QStringLiteral("prompt"), prompt }, { QStringLiteral("n_predict"), predict } };
        if (slot >= 0) {
            body.insert(QStringLiteral("id_slot"), slot);
        }
        return post(QStringLiteral("/completion"), body);
    }
    Got completion(const QString &prompt, int slot = -1, int predict = 4)
    {
        return wait(completionReply(prompt, slot, predict));
    }

private:
    [[nodiscard]] QNetworkRequest request(const QString &path) const
    {
        QNetworkRequest out(m_base.resolved(QUrl(path)));
        out.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        return out;
    }
    QUrl m_base;
    QNetworkAccessManager m_manager;
};

QString text(qsizetype length, char16_t letter = u'a') { return QString(length, QChar(letter)); }
qint64 cached(const Got &got)
{
    return got.object[QStringLiteral("timings")][QStringLiteral("cache_n")].toInteger(-1);
}
const QString c_save = QStringLiteral("save");
const QString c_restore = QStringLiteral("restore");
const QString c_erase = QStringLiteral("erase");
const QString c_saved = QStringLiteral("n_saved");

} // namespace

class TestFakeLlama final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFreshSlotTellsNoTokensAndAUsedOneDoes();
    void saveRestoreAndEraseAnswerAsMeasured();
    void reuseIsTheCommonPrefixAndNeverTheWholePrompt();
    void savingAnEmptySlotSucceedsAndClobbersTheFile();
    void slotIdsWrap();
    void everyFailedRestoreIsTheSame400AndEmptiesTheSlot_data();
    void everyFailedRestoreIsTheSame400AndEmptiesTheSlot();
    void anotherModelOfTheSameShapeRestores();
    void aFileAFewBytesShortKillsTheServer();
    void aCutAppendixRestoresWithFewerBytesAndIsWorthless();
    void anActionOnABusySlotWaitsAndEachReleaseWakesOne();
    void anUnpinnedRequestBehindAnActionHangs();
    void aPinnedRequestOvertakesAnAction();
    void theNudgeWakesOneAndLeavesTheSlotAsItWas();
    void aWaitingActionIsDroppedOnlyWhenTheServerIsQuiet();
    void anotherSlotsTaskClearsIdleSlots();
    void aUnifiedPoolIsShared();
    void listingSlotsWakesASleeperAndPropertiesDoNot();
    void aRestartHasANewMarkerAndFreshSlots();
    void startOptionsDecideWhatIsServed();
    void loadingIs503AndTheKeyIsAsked();
    void aFullDiskLeavesACutFile();
    void filesAreReallyWrittenWithTheMagic();
    void aRestoreIntoAFreshSlotTellsNoTokens();
    void erasedContentIsStillInTheHostCacheForUnpinnedRequests();
    void routerListsLoadsAndEvicts();
    void aCancelledPromptIsFinishedToTheEndOfItsBatch();
    void chatCompletionsTellUsage();
};

void TestFakeLlama::aFreshSlotTellsNoTokensAndAUsedOneDoes()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    auto slot = Client::wait(client.get(QStringLiteral("/slots"))).array.at(0).toObject();
    QCOMPARE(slot[QStringLiteral("id")].toInt(-1), 0);
    QVERIFY(!slot.contains(QStringLiteral("n_prompt_tokens")));
    QVERIFY(!slot.contains(QStringLiteral("id_task")));
    QCOMPARE(client.completion(text(100), 0, 10).status, 200);
    slot = Client::wait(client.get(QStringLiteral("/slots"))).array.at(0).toObject();
    QCOMPARE(slot[QStringLiteral("n_prompt_tokens")].toInt(), 109); // prompt + completion − 1
    const int task = slot[QStringLiteral("id_task")].toInt(-1);
    QCOMPARE(client.action(c_save).status, 200);
    slot = Client::wait(client.get(QStringLiteral("/slots"))).array.at(0).toObject();
    QCOMPARE(slot[QStringLiteral("id_task")].toInt(), task); // inference only changes it
}

void TestFakeLlama::saveRestoreAndEraseAnswerAsMeasured()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0, 1);
    const auto saved = client.action(c_save).object;
    QCOMPARE(saved[c_saved].toInt(), 100);
    QCOMPARE(saved[QStringLiteral("n_written")].toInt(), 436);
    QCOMPARE(saved[QStringLiteral("filename")].toString(), QStringLiteral("a.bin"));
    QCOMPARE(client.action(c_erase).object[QStringLiteral("n_erased")].toInt(), 100);
    QCOMPARE(client.action(c_erase).object[QStringLiteral("n_erased")].toInt(-1), 0);
    const auto restored = client.action(c_restore).object;
    QCOMPARE(restored[QStringLiteral("n_restored")].toInt(), 100);
    QCOMPARE(restored[QStringLiteral("n_read")].toInt(), 436);
    QCOMPARE(client.action(c_save, 0, QStringLiteral("../x")).status, 400);
    QCOMPARE(client.action(c_save, 0, QString()).status, 400);
    QCOMPARE(client.action(QStringLiteral("burn")).status, 400);
}

void TestFakeLlama::reuseIsTheCommonPrefixAndNeverTheWholePrompt()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    QCOMPARE(cached(client.completion(text(100), 0)), 0);
    QCOMPARE(cached(client.completion(text(100), 0)), 99);
    QCOMPARE(cached(client.completion(text(60) + text(60, u'b'), 0)), 60);
}

void TestFakeLlama::savingAnEmptySlotSucceedsAndClobbersTheFile()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    client.action(c_save);
    client.action(c_erase);
    const auto saved = client.action(c_save);
    QCOMPARE(saved.status, 200);
    QCOMPARE(saved.object[c_saved].toInt(-1), 0);
    QCOMPARE(saved.object[QStringLiteral("n_written")].toInt(), 36);
    const auto restored = client.action(c_restore); // succeeds too, measured
    QCOMPARE(restored.status, 200);
    QCOMPARE(restored.object[QStringLiteral("n_restored")].toInt(-1), 0);
    QCOMPARE(restored.object[QStringLiteral("n_read")].toInt(), 36);
}

void TestFakeLlama::slotIdsWrap()
{
    FakeOptions options;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0, 1);
    const auto saved = client.action(c_save, 9);
    QCOMPARE(saved.status, 200);
    QCOMPARE(saved.object[QStringLiteral("id_slot")].toInt(), 9);
    QCOMPARE(saved.object[c_saved].toInt(), 100);
    options.wrapsIds = false;
    QVERIFY(server.restartWith(options));
    QCOMPARE(client.action(c_save, 9).status, 400);
}

void TestFakeLlama::everyFailedRestoreIsTheSame400AndEmptiesTheSlot_data()
{
    QTest::addColumn<QString>("how");
    for (const char *how :
        { "missing", "cut", "random", "empty", "too big", "other shape", "other version" }) {
        QTest::newRow(how) << QString::fromLatin1(how);
    }
}

void TestFakeLlama::everyFailedRestoreIsTheSame400AndEmptiesTheSlot()
{
    QFETCH(const QString, how);
    FakeOptions options;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    const QString file = QStringLiteral("a.bin");
    client.completion(text(100), 0);
    client.action(c_save);
    if (how == QStringLiteral("missing")) {
        QVERIFY(server.files().remove(file));
    } else if (how == QStringLiteral("cut")) {
        QVERIFY(server.files().truncateBy(file, 16));
    } else if (how == QStringLiteral("random")) {
        server.files().write(file, QByteArray(500, 'r'));
    } else if (how == QStringLiteral("empty")) {
        server.files().write(file, {});
    } else {
        options.slotContext = how == QStringLiteral("too big") ? 50 : options.slotContext;
        options.shape = how == QStringLiteral("other shape") ? QStringLiteral("b") : options.shape;
        options.stateVersion = how == QStringLiteral("other version") ? 3 : options.stateVersion;
        QVERIFY(server.restartWith(options));
    }
    client.completion(text(20), 0, 1);
    const auto got = client.action(c_restore);
    QCOMPARE(got.status, 400);
    QVERIFY(got.object[QStringLiteral("error")][QStringLiteral("message")].toString().startsWith(
        QStringLiteral("Unable to restore slot")));
    QVERIFY(server.engine().slot(0).content.isEmpty());
}

void TestFakeLlama::anotherModelOfTheSameShapeRestores()
{
    FakeOptions options;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    client.action(c_save);
    options.weights = QStringLiteral("others");
    QVERIFY(server.restartWith(options));
    QCOMPARE(client.action(c_restore).status, 200);
    QCOMPARE(cached(client.completion(text(100), 0)), 99); // wrong state, silently
}

void TestFakeLlama::aFileAFewBytesShortKillsTheServer()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    client.action(c_save);
    QVERIFY(server.files().truncateBy(QStringLiteral("a.bin"), 5));
    bool died = false;
    connect(&server, &FakeLlamaServer::died, this, [&died] { died = true; });
    QCOMPARE(client.action(c_restore).status, 0);
    QVERIFY(died);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/health"))).status, 0);
    QVERIFY(server.start());
    QCOMPARE(Client::wait(client.get(QStringLiteral("/health"))).status, 200);
}

void TestFakeLlama::aCutAppendixRestoresWithFewerBytesAndIsWorthless()
{
    FakeOptions options;
    options.appendixBytes = 64;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0, 1);
    QCOMPARE(client.action(c_save).object[QStringLiteral("n_written")].toInt(), 500);
    QVERIFY(server.files().truncateBy(QStringLiteral("a.bin"), 32));
    const auto restored = client.action(c_restore);
    QCOMPARE(restored.status, 200);
    QCOMPARE(restored.object[QStringLiteral("n_restored")].toInt(), 100);
    QCOMPARE(restored.object[QStringLiteral("n_read")].toInt(), 468);
    QCOMPARE(cached(client.completion(text(100), 0)), 0);
}

// Three saves behind one inference: the first at its end, the second after the next session's inference with
// that session's state, the third one inference later still; an action between wakes nobody.
void TestFakeLlama::anActionOnABusySlotWaitsAndEachReleaseWakesOne()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    FakeEngine &engine = server.engine();
    engine.setManualInference(true);
    auto *inference = client.completionReply(text(100), 0, 1);
    QTRY_VERIFY(engine.anyProcessing());
    QList<QNetworkReply *> saves;
    for (std::size_t i = 0; i < 3; ++i) {
        saves.append(client.actionReply(c_save, 0, QStringLiteral("s%1.bin").arg(i)));
        QTRY_COMPARE(engine.deferred(), i + 1);
    }
    engine.endInference(0);
    QCOMPARE(Client::wait(inference).status, 200);
    QCOMPARE(Client::wait(saves.at(0)).object[c_saved].toInt(), 100);
    QCOMPARE(engine.deferred(), std::size_t(2));
    QCOMPARE(client.action(c_save, 0, QStringLiteral("later.bin")).status, 200); // runs at once, wakes nobody
    QCOMPARE(engine.deferred(), std::size_t(2));
    auto *other = client.completionReply(text(50, u'b'), 0, 1);
    QTRY_VERIFY(engine.anyProcessing());
    engine.endInference(0);
    QCOMPARE(Client::wait(other).status, 200);
    QCOMPARE(Client::wait(saves.at(1)).object[c_saved].toInt(), 50); // the other session's state
    QCOMPARE(engine.deferred(), std::size_t(1));
    QVERIFY(!saves.at(2)->isFinished());
}

void TestFakeLlama::anUnpinnedRequestBehindAnActionHangs()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    FakeEngine &engine = server.engine();
    engine.setManualInference(true);
    client.completionReply(text(100), 0, 1);
    QTRY_VERIFY(engine.anyProcessing());
    auto *save = client.actionReply(c_save);
    QTRY_COMPARE(engine.deferred(), std::size_t(1));
    auto *stranded = client.completionReply(text(30, u'c'));
    QTRY_COMPARE(engine.deferred(), std::size_t(2));
    engine.endInference(0);
    QCOMPARE(Client::wait(save).status, 200);
    QVERIFY(!engine.anyProcessing()); // idle, and yet
    QVERIFY(!Client::wait(stranded, 50).answered);
    QCOMPARE(engine.deferred(), std::size_t(1));
}

void TestFakeLlama::aPinnedRequestOvertakesAnAction()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    FakeEngine &engine = server.engine();
    engine.setManualInference(true);
    client.completionReply(text(100), 0, 1);
    QTRY_VERIFY(engine.anyProcessing());
    auto *erase = client.actionReply(c_erase);
    QTRY_COMPARE(engine.deferred(), std::size_t(1));
    auto *pinned = client.completionReply(text(70, u'd'), 0, 1);
    QTRY_COMPARE(engine.deferred(), std::size_t(2));
    engine.endInference(0);
    QVERIFY(engine.anyProcessing()); // the pinned one runs first
    engine.endInference(0);
    QCOMPARE(Client::wait(pinned).status, 200);
    QCOMPARE(Client::wait(erase).object[QStringLiteral("n_erased")].toInt(), 70); // and is erased over
    QVERIFY(engine.slot(0).content.isEmpty());
}

void TestFakeLlama::theNudgeWakesOneAndLeavesTheSlotAsItWas()
{
    FakeOptions options;
    options.slotContext = 200;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    FakeEngine &engine = server.engine();
    engine.setManualInference(true);
    client.completionReply(text(100), 0, 1);
    QTRY_VERIFY(engine.anyProcessing());
    client.actionReply(c_save);
    QTRY_COMPARE(engine.deferred(), std::size_t(1));
    auto *second = client.actionReply(c_save, 0, QStringLiteral("b.bin"));
    QTRY_COMPARE(engine.deferred(), std::size_t(2));
    engine.endInference(0);
    QTRY_COMPARE(engine.deferred(), std::size_t(1));
    QJsonArray tokens;
    for (int i = 0; i < 201; ++i) {
        tokens.append(1);
    }
    const auto nudge = Client::wait(client.post(QStringLiteral("/completion"),
        { { QStringLiteral("prompt"), tokens }, { QStringLiteral("id_slot"), 0 } }));
    QCOMPARE(nudge.status, 400);
    QCOMPARE(Client::wait(second).object[c_saved].toInt(), 100);
    QCOMPARE(engine.deferred(), std::size_t(0));
    QCOMPARE(engine.slot(0).content, QByteArray(100, 'a'));
}

void TestFakeLlama::aWaitingActionIsDroppedOnlyWhenTheServerIsQuiet()
{
    FakeOptions options;
    options.slotCount = 2;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    FakeEngine &engine = server.engine();
    engine.setManualInference(true);
    client.completionReply(text(100), 0, 1);
    QTRY_VERIFY(engine.slot(0).processing);
    client.completionReply(text(100, u'z'), 1, 1);
    QTRY_VERIFY(engine.slot(1).processing);
    auto *save = client.actionReply(c_save);
    QTRY_COMPARE(engine.deferred(), std::size_t(1));
    bool gone = false;
    connect(save, &QNetworkReply::finished, this, [&gone] { gone = true; });
    save->abort();
    QTRY_VERIFY(gone);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/health"))).status, 200); // the abort has arrived by now
    QCOMPARE(engine.deferred(), std::size_t(1)); // slots are busy: it will still happen
    engine.endInference(1);
    QTRY_COMPARE(engine.deferred(), std::size_t(1)); // its own slot is busy still
    engine.endInference(0);
    QTRY_VERIFY(server.files().read(QStringLiteral("a.bin")).has_value());
}

void TestFakeLlama::anotherSlotsTaskClearsIdleSlots()
{
    FakeOptions options;
    options.slotCount = 2;
    options.idleClearing = true;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    client.completion(text(100, u'b'), 1);
    QCOMPARE(client.action(c_save, 0).object[c_saved].toInt(-1), 0);
    const auto list = Client::wait(client.get(QStringLiteral("/slots"))).array;
    QCOMPARE(list.at(0)[QStringLiteral("n_prompt_tokens")].toInt(-1), 0);
    options.idleClearing = false;
    QVERIFY(server.restartWith(options));
    client.completion(text(100), 0, 1);
    client.completion(text(100, u'b'), 1, 1);
    QCOMPARE(client.action(c_save, 0).object[c_saved].toInt(-1), 100);
}

void TestFakeLlama::aUnifiedPoolIsShared()
{
    FakeOptions options;
    options.slotCount = 2;
    options.slotContext = 300;
    options.unified = true;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(200), 0, 1);
    client.action(c_save, 0);
    client.completion(text(200, u'b'), 1, 1);
    QVERIFY(server.engine().slot(0).content.isEmpty()); // emptied by the neighbour
    QCOMPARE(client.action(c_restore, 0).status, 400); // no room beside it
    client.action(c_erase, 1);
    QCOMPARE(client.action(c_restore, 0).status, 200);
}

void TestFakeLlama::listingSlotsWakesASleeperAndPropertiesDoNot()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    server.sleepNow();
    const QString sleeping = QStringLiteral("is_sleeping");
    for (const QString &path :
        { QStringLiteral("/health"), QStringLiteral("/v1/models"), QStringLiteral("/props") }) {
        QCOMPARE(Client::wait(client.get(path)).status, 200);
    }
    QVERIFY(Client::wait(client.get(QStringLiteral("/props"))).object[sleeping].toBool());
    for (const QString &path : { QStringLiteral("/slots"), QStringLiteral("/lora-adapters") }) {
        server.sleepNow();
        QCOMPARE(Client::wait(client.get(path)).status, 200);
        QVERIFY(!Client::wait(client.get(QStringLiteral("/props"))).object[sleeping].toBool());
    }
    QVERIFY(!server.engine().slot(0).idTask); // all slot state is lost
}

void TestFakeLlama::aRestartHasANewMarkerAndFreshSlots()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    const QString marker = QStringLiteral("media_marker");
    client.completion(text(100), 0);
    const auto before = Client::wait(client.get(QStringLiteral("/props"))).object[marker].toString();
    QCOMPARE(Client::wait(client.get(QStringLiteral("/props"))).object[marker].toString(), before);
    const quint16 port = server.port();
    QVERIFY(server.restart());
    QCOMPARE(server.port(), port);
    QVERIFY(Client::wait(client.get(QStringLiteral("/props"))).object[marker].toString() != before);
    QVERIFY(server.engine().slot(0).content.isEmpty());
}

void TestFakeLlama::startOptionsDecideWhatIsServed()
{
    FakeOptions options;
    options.slotsEndpoint = false;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    QCOMPARE(Client::wait(client.get(QStringLiteral("/slots"))).status, 501);
    QCOMPARE(client.action(c_save).status, 200); // still works
    options.slotsEndpoint = true;
    options.savePath = false;
    QVERIFY(server.restartWith(options));
    QCOMPARE(client.action(c_save).status, 501);
    QCOMPARE(client.action(c_erase).status, 501);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/metrics"))).status, 501);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/nothing"))).status, 404);
}

void TestFakeLlama::loadingIs503AndTheKeyIsAsked()
{
    FakeOptions options;
    options.apiKey = "sekret";
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    QCOMPARE(Client::wait(client.get(QStringLiteral("/health"))).status, 200);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/props"))).status, 401);
    server.setLoading(true);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/health"))).status, 503);
}

void TestFakeLlama::aFullDiskLeavesACutFile()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0, 1);
    server.setDiskFull(true);
    QCOMPARE(client.action(c_save).status, 500);
    QCOMPARE(server.files().read(QStringLiteral("a.bin"))->size(), 218);
}

void TestFakeLlama::filesAreReallyWrittenWithTheMagic()
{
    QTemporaryDir folder;
    FakeOptions options;
    options.saveFolder = folder.path();
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0, 1);
    client.action(c_save);
    QFile file(folder.filePath(QStringLiteral("a.bin")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray data = file.readAll();
    QCOMPARE(data.size(), 436);
    QCOMPARE(data.left(8).toHex(), QByteArray("7173676704000000"));
    client.action(c_erase);
    QCOMPARE(client.action(c_restore).status, 200);
}

void TestFakeLlama::aRestoreIntoAFreshSlotTellsNoTokens()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    client.action(c_save);
    QVERIFY(server.restart());
    QCOMPARE(client.action(c_restore).status, 200);
    const auto slot = Client::wait(client.get(QStringLiteral("/slots"))).array.at(0).toObject();
    QVERIFY(!slot.contains(QStringLiteral("n_prompt_tokens")));
    QCOMPARE(cached(client.completion(text(100), 0)), 99);
}

void TestFakeLlama::erasedContentIsStillInTheHostCacheForUnpinnedRequests()
{
    FakeOptions options;
    options.hostCache = true;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    client.completion(text(100), 0);
    client.completion(text(100, u'b'), 0); // the first goes to the cache
    client.action(c_erase);
    QCOMPARE(cached(client.completion(text(100), 0)), 0); // pinned to an empty slot: not looked up
    client.action(c_erase);
    QCOMPARE(cached(client.completion(text(100))), 99);
}

void TestFakeLlama::routerListsLoadsAndEvicts()
{
    FakeOptions options;
    options.routerModels = QStringList { QStringLiteral("a"), QStringLiteral("b") };
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    const auto state = [&client](qsizetype i) {
        return Client::wait(client.get(QStringLiteral("/models")))
            .object[QStringLiteral("data")]
            .toArray()
            .at(i)[QStringLiteral("status")][QStringLiteral("value")]
            .toString();
    };
    QCOMPARE(Client::wait(client.get(QStringLiteral("/props"))).object[QStringLiteral("role")].toString(),
        QStringLiteral("router"));
    QCOMPARE(Client::wait(client.get(QStringLiteral("/slots"))).status, 400);
    QCOMPARE(Client::wait(client.get(QStringLiteral("/slots?model=a&autoload=0"))).status, 400);
    QCOMPARE(state(0), QStringLiteral("unloaded"));
    QCOMPARE(Client::wait(client.get(QStringLiteral("/slots?model=a"))).status, 200);
    QCOMPARE(state(0), QStringLiteral("loaded"));
    QCOMPARE(Client::wait(client.get(QStringLiteral("/props?model=a&autoload=0"))).status, 200);
    const QString path = QStringLiteral("/slots/0?action=save");
    const QJsonObject body { { QStringLiteral("filename"), QStringLiteral("x.bin") } };
    QCOMPARE(
        Client::wait(client.post(path + QStringLiteral("&model=b"), body)).status, 400); // not in the query
    auto named = body;
    named.insert(QStringLiteral("model"), QStringLiteral("b"));
    const auto saved = Client::wait(client.post(path, named));
    QCOMPARE(saved.status, 200); // loads it, and saves nothing
    QCOMPARE(saved.object[c_saved].toInt(-1), 0);
    QCOMPARE(state(0), QStringLiteral("unloaded"));
    QCOMPARE(state(1), QStringLiteral("loaded"));
}

void TestFakeLlama::aCancelledPromptIsFinishedToTheEndOfItsBatch()
{
    FakeOptions options;
    options.promptMsPerToken = 0.5;
    options.batchTokens = 100;
    FakeLlamaServer server(options);
    QVERIFY(server.start());
    Client client(server.url());
    auto *reply = client.completionReply(text(8000), 0);
    QTRY_VERIFY(server.engine().anyProcessing());
    reply->abort();
    QTRY_VERIFY(!server.engine().anyProcessing());
    const auto held = server.engine().slot(0).content.size();
    QVERIFY2(held >= 100 && held < 8000 && held % 100 == 0, qPrintable(QString::number(held)));
}

void TestFakeLlama::chatCompletionsTellUsage()
{
    FakeLlamaServer server;
    QVERIFY(server.start());
    Client client(server.url());
    const QJsonObject message { { QStringLiteral("role"), QStringLiteral("user") },
        { QStringLiteral("content"), text(93) } };
    const QJsonObject body { { QStringLiteral("messages"), QJsonArray { message } },
        { QStringLiteral("max_tokens"), 3 } };
    const QString path = QStringLiteral("/v1/chat/completions");
    Client::wait(client.post(path, body));
    const QJsonValue usage = Client::wait(client.post(path, body)).object.value(QStringLiteral("usage"));
    QCOMPARE(usage[QStringLiteral("prompt_tokens")].toInt(), 101); // "[user] " and the line end
    QCOMPARE(usage[QStringLiteral("completion_tokens")].toInt(), 3);
    QCOMPARE(usage[QStringLiteral("prompt_tokens_details")][QStringLiteral("cached_tokens")].toInt(), 100);
}

QTEST_GUILESS_MAIN(TestFakeLlama)
#include "tst_fakellama.moc"
