// SPDX-License-Identifier: MIT
#include "serverjson.h"

#include <QTest>

using namespace kv;

class TestServerJson final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void propsOfThePresentBuild();
    void propsOfOtherBuilds_data();
    void propsOfOtherBuilds();
    void propsOfARouterAreToldApart();
    void propsThatMakeNoSenseAreErrors_data();
    void propsThatMakeNoSenseAreErrors();
    void modelsGiveTheMeta();
    void routerModelsGiveStateAndCommandLine();
    void modelsThatMakeNoSenseAreErrors_data();
    void modelsThatMakeNoSenseAreErrors();
    void loraIsOneComparableText();
    void loraOfAnotherScaleDiffers();
    void aFreshSlotTellsNoTokens();
    void aUsedSlotTellsTokensAndTask();
    void slotsOfOlderBuilds();
    void slotsThatMakeNoSenseAreErrors_data();
    void slotsThatMakeNoSenseAreErrors();
    void actionAnswers();
    void anEmptySaveIsAnAnswerNotAnError();
    void actionsThatMakeNoSenseAreErrors_data();
    void actionsThatMakeNoSenseAreErrors();
    void errorTextIsShortAndPrintable();
};

void TestServerJson::propsOfThePresentBuild()
{
    const auto props = parseProps(R"({"default_generation_settings":{"params":{"seed":4294967295,"lora":[]},
        "n_ctx":4096},"total_slots":2,"model_alias":"m","model_ftype":"F16","model_path":"models/a.gguf",
        "modalities":{"vision":false},"media_marker":"<__media_x__>","endpoint_slots":true,"endpoint_metrics":false,
        "chat_template":"{{ messages }}","build_info":"b11669-Debian","is_sleeping":true})");
    QVERIFY(props.ok());
    QCOMPARE(props.value().totalSlots, 2);
    QCOMPARE(props.value().slotContext, 4096);
    QCOMPARE(props.value().build, QStringLiteral("b11669-Debian"));
    QCOMPARE(props.value().modelPath, QStringLiteral("models/a.gguf"));
    QCOMPARE(props.value().alias, QStringLiteral("m"));
    QCOMPARE(props.value().mediaMarker, QStringLiteral("<__media_x__>"));
    QVERIFY(props.value().sleeping);
    QVERIFY(!props.value().router);
    QCOMPARE(props.value().slotsEndpoint, std::optional<bool>(true));
    QVERIFY(props.value().chatTemplateHash.startsWith(QStringLiteral("sha256:")));
}

void TestServerJson::propsOfOtherBuilds_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("build");
    QTest::newRow("bare") << QByteArray(R"({"total_slots":1})") << QString();
    QTest::newRow("release") << QByteArray(R"({"total_slots":1,"build_info":"0.7.0"})")
                             << QStringLiteral("0.7.0");
    QTest::newRow("number") << QByteArray(R"({"total_slots":1,"build_info":3400})") << QStringLiteral("3400");
    QTest::newRow("object") << QByteArray(R"({"total_slots":1,"build_info":{"number":5}})")
                            << QStringLiteral(R"({"number":5})");
    QTest::newRow("nulls") << QByteArray(
        R"({"total_slots":1,"model_alias":null,"is_sleeping":null,"default_generation_settings":null})")
                           << QString();
}

void TestServerJson::propsOfOtherBuilds()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QString, build);
    const auto props = parseProps(json);
    QVERIFY(props.ok());
    QCOMPARE(props.value().build, build);
    QVERIFY(!props.value().sleeping);
    QVERIFY(!props.value().slotsEndpoint);
}

void TestServerJson::propsOfARouterAreToldApart()
{
    const auto props = parseProps(R"({"role":"router","max_instances":1,"models_autoload":true,
        "model_alias":"llama-server","model_path":"none","default_generation_settings":{"params":null,"n_ctx":0},
        "build_info":"b11669-Debian"})");
    QVERIFY(props.ok());
    QVERIFY(props.value().router);
    QVERIFY(props.value().modelPath.isEmpty());
}

void TestServerJson::propsThatMakeNoSenseAreErrors_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("html") << QByteArray("<html></html>");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("of something else") << QByteArray(R"({"status":"ok"})");
    QTest::newRow("slots as text") << QByteArray(R"({"total_slots":"2"})");
    QTest::newRow("negative slots") << QByteArray(R"({"total_slots":-1})");
    QTest::newRow("half a slot") << QByteArray(R"({"total_slots":1.5})");
    QTest::newRow("context as text") << QByteArray(
        R"({"total_slots":1,"default_generation_settings":{"n_ctx":"4096"}})");
    QTest::newRow("settings as list") << QByteArray(R"({"total_slots":1,"default_generation_settings":[]})");
    QTest::newRow("marker as number") << QByteArray(R"({"total_slots":1,"media_marker":4})");
    QTest::newRow("sleeping as text") << QByteArray(R"({"total_slots":1,"is_sleeping":"no"})");
    QTest::newRow("cut") << QByteArray(R"({"total_slots":1,"build_in)");
}

void TestServerJson::propsThatMakeNoSenseAreErrors()
{
    QFETCH(const QByteArray, json);
    const auto props = parseProps(json);
    QVERIFY(!props.ok());
    QCOMPARE(props.error().code, ErrorCode::BackendUnavailable);
    QVERIFY(!props.error().message.isEmpty());
}

void TestServerJson::modelsGiveTheMeta()
{
    const auto models = parseModels(R"({"models":[{}],"object":"list","data":[{"id":"a.gguf","aliases":["b"],
        "meta":{"vocab_type":1,"n_vocab":364,"n_ctx":4096,"n_ctx_train":32768,"n_embd":512,"n_params":23974400,
        "size":47966208,"ftype":"F16"}}]})");
    QVERIFY(models.ok());
    QCOMPARE(models.value().size(), std::size_t(1));
    const ModelEntry &entry = models.value().front();
    QCOMPARE(entry.nParams, std::optional<qint64>(23974400));
    QCOMPARE(entry.size, std::optional<qint64>(47966208));
    QCOMPARE(entry.nVocab, std::optional<qint64>(364));
    QCOMPARE(entry.nEmbd, std::optional<qint64>(512));
    QCOMPARE(entry.nCtxTrain, std::optional<qint64>(32768));
    QVERIFY(entry.loaded());
    QVERIFY(entry.hasName(QStringLiteral("b")));
    QVERIFY(!entry.hasName(QStringLiteral("c")));
}

void TestServerJson::routerModelsGiveStateAndCommandLine()
{
    const auto models
        = parseModels(R"({"data":[{"id":"a","status":{"value":"unloaded","args":["llama-server","--port",
        "0"]}},{"id":"b","status":{"value":"loaded","args":["llama-server","--port","55795"]},"meta":{"n_vocab":1}}]})");
    QVERIFY(models.ok());
    QVERIFY(!models.value().at(0).loaded());
    QVERIFY(!models.value().at(0).nVocab);
    QVERIFY(models.value().at(1).loaded());
    QCOMPARE(models.value().at(1).args.last(), QStringLiteral("55795"));
}

void TestServerJson::modelsThatMakeNoSenseAreErrors_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("no list") << QByteArray("{}");
    QTest::newRow("entry is text") << QByteArray(R"({"data":["a"]})");
    QTest::newRow("count as text") << QByteArray(R"({"data":[{"id":"a","meta":{"n_params":"many"}}]})");
    QTest::newRow("id is number") << QByteArray(R"({"data":[{"id":1}]})");
    QTest::newRow("list") << QByteArray("[]");
}

void TestServerJson::modelsThatMakeNoSenseAreErrors()
{
    QFETCH(const QByteArray, json);
    QVERIFY(!parseModels(json).ok());
}

void TestServerJson::loraIsOneComparableText()
{
    QCOMPARE(parseLora("[]").value(), QStringLiteral("none"));
    const auto one
        = parseLora(R"([{"id":1,"path":"b.gguf","scale":0.5},{"id":0,"path":"a.gguf","scale":1.0}])");
    const auto other
        = parseLora(R"([{"id":0,"path":"a.gguf","scale":1},{"id":1,"path":"b.gguf","scale":0.5,"x":1}])");
    QCOMPARE(one.value(), QStringLiteral("a.gguf=1; b.gguf=0.5"));
    QCOMPARE(other.value(), one.value());
    QVERIFY(!parseLora("{}").ok());
    QVERIFY(!parseLora(R"([{"id":0,"path":"a"}])").ok());
    QVERIFY(!parseLora(R"(["a"])").ok());
}

void TestServerJson::loraOfAnotherScaleDiffers()
{
    QVERIFY(parseLora(R"([{"id":0,"path":"a","scale":0.1}])").value()
        != parseLora(R"([{"id":0,"path":"a","scale":0.2}])").value());
}

void TestServerJson::aFreshSlotTellsNoTokens()
{
    const auto list
        = parseSlots(R"([{"id":0,"n_ctx":8192,"speculative":false,"is_processing":false},{"id":1,"n_ctx":8192,
        "is_processing":true}])");
    QVERIFY(list.ok());
    QCOMPARE(list.value().size(), std::size_t(2));
    QVERIFY(!list.value().at(0).promptTokens);
    QVERIFY(!list.value().at(0).idTask);
    QCOMPARE(list.value().at(0).contextTokens, 8192);
    QVERIFY(!list.value().at(0).processing);
    QVERIFY(list.value().at(1).processing);
    QCOMPARE(list.value().at(1).id, 1);
}

void TestServerJson::aUsedSlotTellsTokensAndTask()
{
    const QList<QByteArray> forms { R"([{"has_next_token":true}])", R"({"has_next_token":true})" };
    for (const QByteArray &nextToken : forms) {
        const auto list
            = parseSlots(R"([{"id":0,"n_ctx":8192,"is_processing":false,"id_task":17,"n_prompt_tokens":1421,
            "n_prompt_tokens_processed":3,"n_prompt_tokens_cache":1418,"params":{"seed":1},"next_token":)"
                + nextToken + "}]");
        QVERIFY(list.ok());
        QCOMPARE(list.value().at(0).promptTokens, std::optional<qint64>(1421));
        QCOMPARE(list.value().at(0).idTask, std::optional<qint64>(17));
        QCOMPARE(list.value().at(0).reusedTokens, std::optional<qint64>(1418));
    }
    const auto cleared = parseSlots(R"([{"id":0,"is_processing":false,"id_task":17,"n_prompt_tokens":0}])");
    QCOMPARE(cleared.value().at(0).promptTokens, std::optional<qint64>(0)); // empty, which is not "not told"
}

void TestServerJson::slotsOfOlderBuilds()
{
    const auto list = parseSlots(R"([{"id":0,"state":0,"id_task":-1},{"id":1,"state":1,"id_task":4}])");
    QVERIFY(list.ok());
    QVERIFY(!list.value().at(0).processing);
    QVERIFY(!list.value().at(0).idTask);
    QVERIFY(list.value().at(1).processing);
    QCOMPARE(list.value().at(1).idTask, std::optional<qint64>(4));
}

void TestServerJson::slotsThatMakeNoSenseAreErrors_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("object") << QByteArray("{}");
    QTest::newRow("no id") << QByteArray(R"([{"is_processing":false}])");
    QTest::newRow("id as text") << QByteArray(R"([{"id":"0","is_processing":false}])");
    QTest::newRow("negative id") << QByteArray(R"([{"id":-1,"is_processing":false}])");
    QTest::newRow("no state") << QByteArray(R"([{"id":0}])");
    QTest::newRow("state as text") << QByteArray(R"([{"id":0,"is_processing":"no"}])");
    QTest::newRow("twice") << QByteArray(
        R"([{"id":0,"is_processing":false},{"id":0,"is_processing":false}])");
    QTest::newRow("tokens negative") << QByteArray(
        R"([{"id":0,"is_processing":false,"n_prompt_tokens":-3}])");
    QTest::newRow("tokens beyond") << QByteArray(
        R"([{"id":0,"is_processing":false,"n_prompt_tokens":1e300}])");
    QTest::newRow("numbers") << QByteArray("[1]");
}

void TestServerJson::slotsThatMakeNoSenseAreErrors()
{
    QFETCH(const QByteArray, json);
    QVERIFY(!parseSlots(json).ok());
}

void TestServerJson::actionAnswers()
{
    const auto saved = parseAction(OpKind::Save,
        R"({"id_slot":0,"filename":"a.bin","n_saved":1421,"n_written":386612,"timings":{"save_ms":0.83}})");
    QVERIFY(saved.ok());
    QCOMPARE(saved.value().tokens, 1421);
    QCOMPARE(saved.value().bytes, 386612);
    QCOMPARE(saved.value().serverMs, 0.83);
    QCOMPARE(saved.value().fileName, QStringLiteral("a.bin"));
    const auto restored = parseAction(OpKind::Restore,
        R"({"id_slot":3,"filename":"a.bin","n_restored":1421,"n_read":386612,"timings":{"restore_ms":1.27}})");
    QVERIFY(restored.ok());
    QCOMPARE(restored.value().slot, 3);
    QCOMPARE(restored.value().tokens, 1421);
    QCOMPARE(restored.value().serverMs, 1.27);
    const auto erased = parseAction(OpKind::Erase, R"({"id_slot":0,"n_erased":0})");
    QVERIFY(erased.ok());
    QCOMPARE(erased.value().tokens, 0);
    QCOMPARE(erased.value().bytes, -1);
    const auto untimed
        = parseAction(OpKind::Save, R"({"id_slot":0,"filename":"a.bin","n_saved":1,"n_written":2})");
    QCOMPARE(untimed.value().serverMs, -1.0);
}

void TestServerJson::anEmptySaveIsAnAnswerNotAnError()
{
    const auto saved
        = parseAction(OpKind::Save, R"({"id_slot":0,"filename":"a.bin","n_saved":0,"n_written":36})");
    QVERIFY(saved.ok()); // the caller judges it
    QCOMPARE(saved.value().tokens, 0);
    QCOMPARE(saved.value().bytes, 36);
}

void TestServerJson::actionsThatMakeNoSenseAreErrors_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QByteArray>("json");
    const int save = static_cast<int>(OpKind::Save);
    const int restore = static_cast<int>(OpKind::Restore);
    const int erase = static_cast<int>(OpKind::Erase);
    QTest::newRow("empty") << save << QByteArray();
    QTest::newRow("no slot") << save << QByteArray(R"({"filename":"a","n_saved":1,"n_written":2})");
    QTest::newRow("no count") << save << QByteArray(R"({"id_slot":0,"filename":"a","n_written":2})");
    QTest::newRow("no size") << save << QByteArray(R"({"id_slot":0,"filename":"a","n_saved":1})");
    QTest::newRow("no name") << save << QByteArray(R"({"id_slot":0,"n_saved":1,"n_written":2})");
    QTest::newRow("negative") << save
                              << QByteArray(R"({"id_slot":0,"filename":"a","n_saved":-1,"n_written":2})");
    QTest::newRow("text") << save
                          << QByteArray(R"({"id_slot":0,"filename":"a","n_saved":"1","n_written":2})");
    QTest::newRow("fraction") << save
                              << QByteArray(R"({"id_slot":0,"filename":"a","n_saved":1.5,"n_written":2})");
    QTest::newRow("of the other kind")
        << restore << QByteArray(R"({"id_slot":0,"filename":"a","n_saved":1,"n_written":2})");
    QTest::newRow("name is number") << restore
                                    << QByteArray(R"({"id_slot":0,"filename":1,"n_restored":1,"n_read":2})");
    QTest::newRow("erase without count") << erase << QByteArray(R"({"id_slot":0})");
    QTest::newRow("list") << erase << QByteArray("[]");
}

void TestServerJson::actionsThatMakeNoSenseAreErrors()
{
    QFETCH(const int, kind);
    QFETCH(const QByteArray, json);
    QVERIFY(!parseAction(static_cast<OpKind>(kind), json).ok());
}

void TestServerJson::errorTextIsShortAndPrintable()
{
    QCOMPARE(parseErrorText(R"({"error":{"code":400,"message":"Invalid\n\u0007 name","type":"x"}})"),
        QStringLiteral("Invalid name"));
    QCOMPARE(parseErrorText(R"({"error":"plain"})"), QStringLiteral("plain"));
    QCOMPARE(parseErrorText("<html>"), QString());
    QVERIFY(parseErrorText(R"({"error":")" + QByteArray(9000, 'x') + R"("})").size() <= 200);
}

QTEST_GUILESS_MAIN(TestServerJson)
#include "tst_serverjson.moc"
