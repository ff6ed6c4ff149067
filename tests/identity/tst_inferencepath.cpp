// SPDX-License-Identifier: MIT
#include "inferencepath.h"

#include <QtTest>

using namespace kv;

class TestInferencePath final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsThePathsThatUseASlot_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<int>("api");
        const auto row = [](const char *target, ApiKind api) {
            QTest::newRow(target) << QByteArray(target) << static_cast<int>(api);
        };
        row("/completion", ApiKind::Completion);
        row("/completions", ApiKind::Completion);
        row("/v1/completions", ApiKind::Completion);
        row("/v1/chat/completions", ApiKind::ChatCompletions);
        row("/chat/completions?x=1", ApiKind::ChatCompletions);
        row("/v1/responses", ApiKind::Responses);
        row("/v1/messages?beta=true", ApiKind::Messages);
        row("/v1/messages/count_tokens", ApiKind::None);
        row("/v1/models", ApiKind::None);
        row("/", ApiKind::None);
        row("*", ApiKind::None);
        row("http://127.0.0.1:9932/v1/responses", ApiKind::Responses);
        row("/v1//chat/./completions", ApiKind::ChatCompletions);
    }
    void knowsThePathsThatUseASlot()
    {
        QFETCH(QByteArray, target);
        QFETCH(int, api);
        const TargetFacts facts = readTarget(target);
        QVERIFY(facts.valid);
        QCOMPARE(static_cast<int>(facts.api), api);
        QVERIFY(!facts.slotsApi);
    }

    void takesTheSessionOffThePath()
    {
        const TargetFacts facts = readTarget("/s/my%20chat/v1/chat/completions?a=b");
        QCOMPARE(facts.session, QStringLiteral("my chat"));
        QCOMPARE(facts.target, QByteArray("/v1/chat/completions?a=b"));
        QVERIFY(facts.api == ApiKind::ChatCompletions);
        QCOMPARE(readTarget("/s/x").target, QByteArray("/"));
        QCOMPARE(readTarget("http://host/s/x/props").target, QByteArray("/props"));
        QCOMPARE(readTarget("/slides").session, QString());
    }

    void knowsTheSlotsApiInEverySpelling_data()
    {
        QTest::addColumn<QByteArray>("target");
        const QList<QByteArray> targets { "/slots", "/slots/", "/slots?model=a", "/slots/0?action=erase",
            "/%73lots", "/%2573lots", "//slots", "/./slots/0", "/v1/../slots", "/SLOTS", "/s/x/slots/1",
            "http://a/slots", "/%2fslots", "/\\slots", "/s/a/..%2fslots" };
        for (const QByteArray &target : targets) {
            QTest::newRow(target.constData()) << target;
        }
    }
    void knowsTheSlotsApiInEverySpelling()
    {
        QFETCH(QByteArray, target);
        QVERIFY(readTarget(target).slotsApi);
    }

    void whatIsNoPathIsRefused()
    {
        for (const char *target : { "", "slots", "host:80", "ftp://a/b", "http:/x" }) {
            QVERIFY2(!readTarget(target).valid, target);
        }
    }

    void messagesIgnoreTheSlot()
    {
        QVERIFY(!honoursSlot(ApiKind::Messages));
        QVERIFY(!honoursSlot(ApiKind::None));
        QVERIFY(honoursSlot(ApiKind::ChatCompletions));
    }
};

QTEST_GUILESS_MAIN(TestInferencePath)
#include "tst_inferencepath.moc"
