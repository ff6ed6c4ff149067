// SPDX-License-Identifier: MIT
#include "dshtest.h"

using namespace kv::test;

/// The real harness without any plugin, through the proxy: it stays warm all the same.
class TstDshProxy final : public DshTest {
    Q_OBJECT

private Q_SLOTS:
    void staysWarmWithoutAPlugin_data();
    void staysWarmWithoutAPlugin();
};

namespace {

QByteArray piAi(const QByteArray &url)
{
    return "- id: llm-pi-ai\n  config:\n    providers:\n      local-qwen:\n        displayName: llama.cpp\n"
           "        apiKeyEnv: LLAMACPP_API_KEY\n        api: openai-completions\n        baseURL: "
        + url
        + "/v1\n        compat: { supportsDeveloperRole: false, maxTokensField: max_tokens }\n"
          "        models: [ { id: tiny, contextWindow: 65536, maxTokens: 20000 } ]\n";
}

} // namespace

void TstDshProxy::staysWarmWithoutAPlugin_data()
{
    QTest::addColumn<QString>("adapter");
    QTest::addColumn<bool>("titles");
    QTest::newRow("llm-pi-ai, which sends its session") << QStringLiteral("pi-ai-long") << true;
    QTest::newRow("llm-pi-ai, which sends nothing") << QStringLiteral("pi-ai") << true;
    QTest::newRow("llm-pi-ai, which sends nothing, no titles") << QStringLiteral("pi-ai") << false;
    QTest::newRow("llm-deepseek") << QStringLiteral("deepseek") << true;
}

void TstDshProxy::staysWarmWithoutAPlugin()
{
    QFETCH(QString, adapter);
    QFETCH(bool, titles);
    const quint16 port = freePort();
    const QByteArray url = "http://127.0.0.1:" + QByteArray::number(port);
    StageOptions options = dshStage();
    options.config = "proxy: { listen: 127.0.0.1:" + QByteArray::number(port) + ", server: local }\n";
    KV_DSH_STAGE(options);
    QByteArray patch = titles ? QByteArray() : noTitlePatch();
    if (adapter == u"pi-ai") {
        patch += piAi(url); // a later row replaces the earlier one: no cacheRetention
    } else if (adapter == u"deepseek") {
        patch += "- id: agent-default-model\n  config: { provider: deepseek-official, model: "
                 "deepseek-v4-flash }\n";
        qputenv("DEEPSEEK_BASE_URL", url + "/v1");
        qputenv("DEEPSEEK_API_KEY", "none");
    }
    useHome(false, patch);
    home().setUp(stage().daemon().socketPath(), QString::fromLatin1(url));
    QVERIFY2(startDsh(), qPrintable(dsh().log()));

    const QString a = QStringLiteral("session-A");
    const QString b = QStringLiteral("session-B");
    KV_DONE("open", { a });
    const Spoken first = ask(a, QStringLiteral("hello one"));
    KV_ANSWERED(first);
    KV_DONE("open", { b });
    KV_ANSWERED(ask(b, QStringLiteral("hello two")));
    QVERIFY(!titles || waitTitles(2));
    stage().proxy().forget();
    const Spoken third = ask(a, QStringLiteral("hello again"));
    KV_ANSWERED(third);
    KV_WARM(third, first);
    qInfo().noquote() << "A, B, A without a plugin:" << third.text()
                      << stage().proxy().actions().join(QLatin1Char(' '));
    QVERIFY(stage().proxy().actions().contains(QStringLiteral("restore")));
}

QTEST_GUILESS_MAIN(TstDshProxy)
#include "tst_dshproxy.moc"
