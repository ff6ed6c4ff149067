// SPDX-License-Identifier: MIT
#include "params.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <limits>

using namespace kv;

class TestParams : public QObject {
    Q_OBJECT

    /// JSON with ' for ": moc does not understand raw strings in macros.
    static QJsonObject json(const char *text)
    {
        const QJsonDocument document = QJsonDocument::fromJson(QByteArray(text).replace('\'', '"'));
        Q_ASSERT(document.isObject());
        return document.object();
    }
    static QJsonObject with(QJsonObject object, const QString &key, const QJsonValue &value)
    {
        object.insert(key, value);
        return object;
    }
    /// Parameters that the method takes, required ones included.
    static QJsonObject good(ApiMethod method)
    {
        switch (method) {
        case ApiMethod::RequestBegin:
            return json("{'provider':'p','model':'m','session':'s'}");
        case ApiMethod::RequestEnd:
            return json("{'lease':'L1','outcome':'ok'}");
        case ApiMethod::SessionEvent:
            return json("{'session':'s','type':'created'}");
        case ApiMethod::Get:
        case ApiMethod::Save:
        case ApiMethod::Restore:
        case ApiMethod::Invalidate:
        case ApiMethod::Purge:
        case ApiMethod::Pin:
            return json("{'session':'s'}");
        case ApiMethod::Erase:
            return json("{'server':'a','slot':0}");
        case ApiMethod::Config:
            return json("{'action':'get'}");
        case ApiMethod::History:
            return json("{'session':'s','from':'2026-01-01T00:00:00Z','to':'2026-01-02T00:00:00Z'}");
        case ApiMethod::Cancel:
            return json("{'id':1}");
        default:
            return {};
        }
    }
    static void verifyRefused(ApiMethod method, const QJsonObject &params, const QString &naming)
    {
        const Result<Done> result = checkParams(method, params);
        const QByteArray what = QJsonDocument(params).toJson(QJsonDocument::Compact).left(200);
        QVERIFY2(!result.ok(), what.constData());
        QVERIFY(result.error().code == ErrorCode::BadRequest);
        QVERIFY2(result.error().message.contains(naming), qPrintable(result.error().message));
        QVERIFY(result.error().message.size() < 400);
    }

private Q_SLOTS:
    void everyMethodTakesItsGoodParameters()
    {
        for (const MethodInfo &info : allMethods()) {
            QVERIFY2(checkParams(info.method, good(info.method)).ok(), qPrintable(info.name));
            QVERIFY(
                checkParams(info.method, with(good(info.method), QStringLiteral("someday"), QJsonArray { 1 }))
                    .ok());
        }
    }

    void everyParameterOfTheTableIsReadAndItsTypeChecked()
    {
        for (const MethodInfo &info : allMethods()) {
            for (const ParamInfo &param : info.params) {
                // No parameter of any method takes a list of lists.
                const QJsonArray wrong { QJsonArray { 1 } };
                verifyRefused(info.method, with(good(info.method), param.name, wrong), param.name);
            }
        }
    }

    void everyRequiredParameterIsMissed()
    {
        for (const MethodInfo &info : allMethods()) {
            for (const ParamInfo &param : info.params) {
                QJsonObject params = good(info.method);
                params.remove(param.name);
                if (param.required) {
                    verifyRefused(info.method, params, param.name);
                    verifyRefused(info.method, with(params, param.name, QJsonValue::Null), param.name);
                }
            }
        }
    }

    void anOptionalParameterThatIsNullCountsAsAbsent()
    {
        const auto begin
            = decodeBegin(json("{'provider':'p','model':'m','session':null,'seq':null,'running':null}"));
        QVERIFY(begin.ok());
        QVERIFY(begin.value().session.isEmpty());
        QCOMPARE(begin.value().seq, -1);
    }

    void sessionIdsOfAnyFormAreTakenAsTheyAre_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("path up") << QStringLiteral("../../x");
        QTest::newRow("windows path") << QStringLiteral("C:\\x");
        QTest::newRow("absolute") << QStringLiteral("/etc/passwd");
        QTest::newRow("nul") << QStringLiteral("a") + QChar(0) + QStringLiteral("b");
        QTest::newRow("emoji") << QStringLiteral("😀👩‍👩‍👧");
        QTest::newRow("newlines") << QStringLiteral("a\r\nb");
        QTest::newRow("blank") << QStringLiteral(" ");
        QTest::newRow("longest") << QString(c_maxSessionBytes, u'x');
    }
    void sessionIdsOfAnyFormAreTakenAsTheyAre()
    {
        QFETCH(const QString, id);
        const auto begin = decodeBegin(with(good(ApiMethod::RequestBegin), QStringLiteral("session"), id));
        QVERIFY(begin.ok());
        QCOMPARE(begin.value().session, id);
    }

    void sessionIdsThatCannotBeOneAreRefused()
    {
        const QString key = QStringLiteral("session");
        const QList<QJsonValue> bad { QString(), QStringLiteral(""), QString(c_maxSessionBytes + 1, u'x'),
            QString(c_maxSessionBytes / 2, QChar(0x20AC)), // few characters, too many bytes
            QString(10'000'000, u'x'), QString(QChar(0xD800)), 7, true, QJsonArray(), QJsonObject() };
        for (const QJsonValue &id : bad) {
            verifyRefused(ApiMethod::RequestBegin, with(good(ApiMethod::RequestBegin), key, id), key);
            verifyRefused(ApiMethod::Purge, with(good(ApiMethod::Purge), key, id), key);
        }
    }

    void namesAreLimited()
    {
        for (const char *key : { "provider", "model", "call", "base", "purpose", "origin" }) {
            const QString name = QString::fromLatin1(key);
            QVERIFY(checkParams(ApiMethod::RequestBegin,
                with(good(ApiMethod::RequestBegin), name, QString(c_maxNameBytes, u'x')))
                        .ok());
            verifyRefused(ApiMethod::RequestBegin,
                with(good(ApiMethod::RequestBegin), name, QString(c_maxNameBytes + 1, u'x')), name);
        }
        verifyRefused(ApiMethod::RequestBegin,
            with(good(ApiMethod::RequestBegin), QStringLiteral("provider"), QStringLiteral("")),
            QStringLiteral("provider"));
        // These two may be empty, which means the same as absent.
        QVERIFY(decodeBegin(json("{'provider':'p','model':'m','purpose':'','origin':''}")).ok());
    }

    void aLongLabelIsCutBetweenCharacters()
    {
        const QString label = QString(c_maxLabelCharacters - 1, u'x') + QStringLiteral("😀");
        const auto begin = decodeBegin(with(good(ApiMethod::RequestBegin), QStringLiteral("label"), label));
        QVERIFY(begin.ok());
        QCOMPARE(begin.value().label, QString(c_maxLabelCharacters - 1, u'x'));
    }

    void countsThatAreNoneAreRefused_data()
    {
        QTest::addColumn<double>("number");
        QTest::newRow("negative") << -1.0;
        QTest::newRow("fraction") << 1.5;
        QTest::newRow("beyond 2^53") << 9007199254740994.0;
        QTest::newRow("huge") << 1e300;
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
    }
    void countsThatAreNoneAreRefused()
    {
        QFETCH(const double, number);
        const QJsonValue value(number);
        verifyRefused(ApiMethod::RequestBegin,
            with(good(ApiMethod::RequestBegin), QStringLiteral("seq"), value), QStringLiteral("seq"));
        verifyRefused(ApiMethod::Erase, with(good(ApiMethod::Erase), QStringLiteral("slot"), value),
            QStringLiteral("slot"));
        for (const char *key : { "promptTokens", "completionTokens", "cachedTokens" }) {
            const QJsonObject usage { { QString::fromLatin1(key), value } };
            verifyRefused(ApiMethod::RequestEnd,
                with(good(ApiMethod::RequestEnd), QStringLiteral("usage"), usage),
                QStringLiteral("usage.") + QString::fromLatin1(key));
        }
    }

    void timesThatAreNoneAreRefused()
    {
        for (const QJsonValue &value : { QJsonValue(-0.5), QJsonValue(1e300), QJsonValue(QStringLiteral("1")),
                 QJsonValue(std::numeric_limits<double>::quiet_NaN()) }) {
            const QJsonObject timings { { QStringLiteral("promptMs"), value } };
            verifyRefused(ApiMethod::RequestEnd,
                with(good(ApiMethod::RequestEnd), QStringLiteral("timings"), timings),
                QStringLiteral("timings.promptMs"));
        }
    }

    void beginIsDecodedWhole()
    {
        const auto begin
            = decodeBegin(json("{'call':'c','session':'s','provider':'p','model':'m','purpose':'title',"
                               "'origin':'subagent','parent':'pa','base':'b','fork':'f','forkSeq':7,'seq':"
                               "9007199254740992,'label':'l','running':true,"
                               "'lora':true,'timeoutMs':0}"));
        QVERIFY(begin.ok());
        const BeginParams &p = begin.value();
        QCOMPARE(QStringList({ p.call, p.session, p.provider, p.model, p.purpose, p.origin, p.parent, p.base,
                     p.fork, p.label }),
            QStringLiteral("c s p m title subagent pa b f l").split(u' '));
        QCOMPARE(p.seq, c_maxCount);
        QCOMPARE(p.forkSeq, 7);
        QCOMPARE(p.timeoutMs, 0);
        QVERIFY(p.running && p.lora);
    }

    void endIsDecodedWhole()
    {
        const auto end = decodeEnd(json("{'lease':'L7','outcome':'aborted','more':false,"
                                        "'usage':{'promptTokens':10,'completionTokens':2,'cachedTokens':9},"
                                        "'timings':{'firstChunkMs':1.5,'promptMs':2,'promptTokens':3,'"
                                        "predictedMs':4,'predictedTokens':5}}"));
        QVERIFY(end.ok());
        const EndParams &p = end.value();
        QCOMPARE(p.lease, 7U);
        QCOMPARE(p.outcome, QStringLiteral("aborted"));
        QVERIFY(p.more.has_value() && !*p.more);
        QCOMPARE(p.usage.promptTokens, 10);
        QCOMPARE(p.usage.completionTokens, 2);
        QCOMPARE(p.usage.cachedTokens, 9);
        QCOMPARE(p.timings.firstChunkMs, 1.5);
        QCOMPARE(p.timings.promptMs, 2);
        QCOMPARE(p.timings.promptTokens, 3);
        QCOMPARE(p.timings.predictedMs, 4);
        QCOMPARE(p.timings.predictedTokens, 5);

        const auto bare = decodeEnd(json("{'call':'c','outcome':'ok'}"));
        QVERIFY(bare.ok());
        QCOMPARE(bare.value().call, QStringLiteral("c"));
        QCOMPARE(bare.value().lease, 0U);
        QVERIFY(!bare.value().more.has_value());
        QCOMPARE(bare.value().usage.promptTokens, -1);
        QCOMPARE(bare.value().timings.promptMs, -1);
    }

    void endNamesItsRequestInExactlyOneWay()
    {
        verifyRefused(ApiMethod::RequestEnd, json("{'outcome':'ok'}"), QStringLiteral("lease"));
        verifyRefused(
            ApiMethod::RequestEnd, json("{'outcome':'ok','lease':'L1','call':'c'}"), QStringLiteral("call"));
        verifyRefused(
            ApiMethod::RequestEnd, json("{'outcome':'ok','lease':'../x'}"), QStringLiteral("lease"));
        verifyRefused(ApiMethod::RequestEnd, json("{'outcome':'ok','lease':12}"), QStringLiteral("lease"));
        verifyRefused(ApiMethod::RequestEnd, json("{'outcome':'done','lease':'L1'}"),
            QStringLiteral("ok, error, aborted"));
    }

    void everyTypeOfSessionEventIsTaken()
    {
        for (const char *type :
            { "created", "resumed", "flush", "disposed", "turn-end", "step-end", "compacted" }) {
            const auto event = decodeSessionEvent({ { QStringLiteral("session"), QStringLiteral("s") },
                { QStringLiteral("type"), QString::fromLatin1(type) } });
            QVERIFY2(event.ok(), type);
            QCOMPARE(event.value().type, QString::fromLatin1(type));
        }
        verifyRefused(ApiMethod::SessionEvent, json("{'session':'s','type':'born'}"), QStringLiteral("type"));
    }

    void listSortsNewestFirstUntilAskedOtherwise()
    {
        QCOMPARE(decodeList({}).value().sort, QStringLiteral("updatedAt"));
        QVERIFY(decodeList({}).value().desc);
        QVERIFY(!decodeList(json("{'sort':'label'}")).value().desc);
        QVERIFY(decodeList(json("{'sort':'label','desc':true}")).value().desc);
        QCOMPARE(decodeList({}).value().limit, 100);
        QCOMPARE(decodeList(json("{'limit':1000,'offset':5}")).value().offset, 5);
        verifyRefused(ApiMethod::List, json("{'limit':0}"), QStringLiteral("limit"));
        verifyRefused(ApiMethod::List, json("{'limit':1001}"), QStringLiteral("limit"));
        verifyRefused(ApiMethod::List, json("{'sort':'password'}"), QStringLiteral("sort"));
        verifyRefused(ApiMethod::List, json("{'offset':2147483648}"), QStringLiteral("offset"));
    }

    void historyWantsASpanAndOneSubject()
    {
        const auto history = decodeHistory(json("{'server':'a','from':'2026-01-01T01:00:00+01:00','to':'2026-"
                                                "01-01T00:00:01.500Z','bucketMs':1000}"));
        QVERIFY(history.ok());
        QCOMPARE(history.value().toMs - history.value().fromMs, 1500);
        const QJsonObject base = good(ApiMethod::History);
        verifyRefused(ApiMethod::History, with(base, QStringLiteral("server"), QStringLiteral("a")),
            QStringLiteral("server"));
        verifyRefused(ApiMethod::History, with(base, QStringLiteral("from"), QStringLiteral("yesterday")),
            QStringLiteral("from"));
        verifyRefused(ApiMethod::History, with(base, QStringLiteral("to"), 17), QStringLiteral("to"));
        verifyRefused(ApiMethod::History, with(base, QStringLiteral("to"), base.value(u"from")),
            QStringLiteral("from"));
        verifyRefused(
            ApiMethod::History, with(base, QStringLiteral("bucketMs"), 999), QStringLiteral("bucketMs"));
        verifyRefused(ApiMethod::History, with(base, QStringLiteral("bucketMs"), 1000),
            QStringLiteral("10000 buckets"));
    }

    void anotherProtocolIsRefusedWithBothNumbers()
    {
        QVERIFY(decodeHello(json("{'protocol':1,'pins':true,'client':'c'}")).value().pins);
        verifyRefused(
            ApiMethod::Hello, json("{'protocol':2}"), QStringLiteral("protocol 1, the client asks for 2"));
        verifyRefused(ApiMethod::Hello, json("{'protocol':0}"), QStringLiteral("protocol"));
        verifyRefused(ApiMethod::Hello, json("{'protocol':'1'}"), QStringLiteral("protocol"));
    }

    void configWantsItsTextWhereItIsWritten()
    {
        verifyRefused(ApiMethod::Config, json("{'action':'set'}"), QStringLiteral("yaml"));
        verifyRefused(ApiMethod::Config, json("{'action':'validate'}"), QStringLiteral("yaml"));
        verifyRefused(ApiMethod::Config, json("{'action':'delete'}"), QStringLiteral("action"));
        QVERIFY(decodeConfig(json("{'action':'validate','yaml':''}")).ok());
        QCOMPARE(decodeConfig(json("{'action':'set','yaml':'a: 1','ifHash':'h'}")).value().yaml,
            QStringLiteral("a: 1"));
    }

    void subscribeTellsAllFromNone()
    {
        QVERIFY(!decodeSubscribe({}).value().topics.has_value());
        QVERIFY(decodeSubscribe(json("{'topics':[]}")).value().topics->isEmpty());
        QCOMPARE(decodeSubscribe(json("{'topics':['kv.','status']}")).value().topics->size(), 2);
        verifyRefused(ApiMethod::Subscribe, json("{'topics':'kv.'}"), QStringLiteral("topics"));
        verifyRefused(ApiMethod::Subscribe, json("{'topics':[1]}"), QStringLiteral("topics"));
        verifyRefused(ApiMethod::Subscribe, json("{'topics':['']}"), QStringLiteral("topics"));
        QJsonArray many;
        for (int i = 0; i < 65; ++i) {
            many.append(QStringLiteral("x"));
        }
        verifyRefused(ApiMethod::Subscribe, { { QStringLiteral("topics"), many } }, QStringLiteral("topics"));
    }

    void theRemainingMethodsAreDecoded()
    {
        QCOMPARE(decodeSession(json("{'session':'s','reason':'r','pinned':false}")).value().reason,
            QStringLiteral("r"));
        QVERIFY(!decodeSession(json("{'session':'s','pinned':false}")).value().pinned);
        QVERIFY(decodeSession(json("{'session':'s'}")).value().pinned);
        QCOMPARE(decodeErase(json("{'server':'a','slot':3,'model':'m'}")).value().slot, 3);
        QVERIFY(decodeGc(json("{'dryRun':true}")).value().dryRun);
        QCOMPARE(decodePause(json("{'forMs':60000}")).value().forMs, 60000);
        verifyRefused(ApiMethod::Pause, json("{'forMs':0}"), QStringLiteral("forMs"));
        QCOMPARE(decodeCancel(json("{'id':'x'}")).value().id, QJsonValue(QStringLiteral("x")));
        verifyRefused(ApiMethod::Cancel, json("{'id':true}"), QStringLiteral("id"));
        QVERIFY(
            decodeDoctor(json("{'baseURL':'http://127.0.0.1:1','apiKey':'k','verify':true}")).value().verify);
        QVERIFY(decodeDoctor(json("{'verify':true,'restart':true}")).value().restart);
        verifyRefused(ApiMethod::Doctor, json("{'restart':true}"), QStringLiteral("restart"));
        verifyRefused(ApiMethod::Doctor, json("{'baseURL':'u','server':'a'}"), QStringLiteral("server"));
    }

    void noMessageRepeatsAValue()
    {
        const auto doctor = decodeDoctor(json("{'apiKey':['sk-secret']}"));
        QVERIFY(!doctor.ok());
        QVERIFY(!doctor.error().message.contains(QStringLiteral("secret")));
    }
};

QTEST_GUILESS_MAIN(TestParams)
#include "tst_params.moc"
