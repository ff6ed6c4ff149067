// SPDX-License-Identifier: MIT
#include "jsonrpc.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using namespace kv;

Q_DECLARE_METATYPE(QJsonValue)

class TestJsonRpc : public QObject {
    Q_OBJECT

    static QJsonObject parsed(const QByteArray &line) { return QJsonDocument::fromJson(line).object(); }
    static QByteArray request(const QByteArray &id, const QByteArray &rest = "\"method\":\"kv.status\"")
    {
        return "{\"jsonrpc\":\"2.0\"," + (id.isEmpty() ? QByteArray() : "\"id\":" + id + ',') + rest + '}';
    }

private Q_SLOTS:
    void takesIdsOfEveryKindAndGivesThemBackUnchanged_data()
    {
        QTest::addColumn<QByteArray>("id");
        QTest::newRow("number") << QByteArray("7");
        QTest::newRow("zero") << QByteArray("0");
        QTest::newRow("negative") << QByteArray("-3");
        QTest::newRow("large") << QByteArray("9007199254740991");
        QTest::newRow("fraction") << QByteArray("1.5");
        QTest::newRow("text") << QByteArray("\"a b\"");
        QTest::newRow("empty text") << QByteArray("\"\"");
        QTest::newRow("null") << QByteArray("null");
    }
    void takesIdsOfEveryKindAndGivesThemBackUnchanged()
    {
        QFETCH(const QByteArray, id);
        const auto decoded = decodeRequest(request(id));
        const auto *call = std::get_if<RpcRequest>(&decoded);
        QVERIFY(call);
        QVERIFY(!call->notification);
        QVERIFY(call->method == ApiMethod::Status);
        QVERIFY(encodeResult(call->id, {}).contains("\"id\":" + id + ','));
    }

    void aRequestWithoutIdIsANotification()
    {
        const auto decoded
            = decodeRequest(request({}, "\"method\":\"request.end\",\"params\":{\"lease\":\"L1\"}"));
        const auto *call = std::get_if<RpcRequest>(&decoded);
        QVERIFY(call && call->notification);
        QCOMPARE(call->params.value(u"lease").toString(), QStringLiteral("L1"));
    }

    void answersWhatIsNoRequestWithTheRightNumber_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QJsonValue>("id");
        const QJsonValue none(QJsonValue::Null);
        const auto row = [&](const char *name, const QByteArray &line, int code, const QJsonValue &id) {
            QTest::newRow(name) << line << code << id;
        };
        row("noise", "\x01\x02\xff\xfe", c_rpcParseError, none);
        row("cut", "{\"jsonrpc\":\"2.0\",\"id\":1,\"meth", c_rpcParseError, none);
        row("two objects", "{} {}", c_rpcParseError, none);
        row("nul", QByteArray("{\"a\":1}\0{}", 10), c_rpcParseError, none);
        row("invalid utf-8", "{\"method\":\"\xC3\x28\"}", c_rpcParseError, none);
        row("deep", QByteArray(5000, '[') + QByteArray(5000, ']'), c_rpcParseError, none);
        row("scalar", "7", c_rpcParseError, none);
        row("not a number", "{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"kv.status\"}", c_rpcParseError,
            none);
        row("batch", "[" + request("1") + "]", c_rpcInvalidRequest, none);
        row("empty batch", "[]", c_rpcInvalidRequest, none);
        row("empty object", "{}", c_rpcInvalidRequest, none);
        row("version 1", "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"kv.status\"}", c_rpcInvalidRequest, 1);
        row("no version", "{\"id\":\"x\",\"method\":\"kv.status\"}", c_rpcInvalidRequest,
            QStringLiteral("x"));
        row("no method", request("4", "\"x\":1"), c_rpcInvalidRequest, 4);
        row("method is a number", request("4", "\"method\":1"), c_rpcInvalidRequest, 4);
        row("id is a list", request("[1]"), c_rpcInvalidRequest, none);
        row("id is an object", request("{}"), c_rpcInvalidRequest, none);
        row("id is true", request("true"), c_rpcInvalidRequest, none);
        row("id beyond 2^53", request("9007199254740994"), c_rpcInvalidRequest, none);
        row("id is huge", request("1e300"), c_rpcInvalidRequest, none);
        row("id is long", request('"' + QByteArray(257, 'x') + '"'), c_rpcInvalidRequest, none);
        row("id is half a character", request("\"\\ud800\""), c_rpcInvalidRequest, none);
        row("unknown method", request("5", "\"method\":\"kv.nothing\""), c_rpcUnknownMethod, 5);
        row("method in capitals", request("5", "\"method\":\"KV.STATUS\""), c_rpcUnknownMethod, 5);
        row("empty method", request("5", "\"method\":\"\""), c_rpcUnknownMethod, 5);
        row("params by position", request("6", "\"method\":\"kv.get\",\"params\":[\"x\"]"),
            c_rpcInvalidParams, 6);
        row("params null", request("6", "\"method\":\"kv.get\",\"params\":null"), c_rpcInvalidParams, 6);
        row("params text", request("6", "\"method\":\"kv.get\",\"params\":\"x\""), c_rpcInvalidParams, 6);
    }
    void answersWhatIsNoRequestWithTheRightNumber()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const int, code);
        QFETCH(const QJsonValue, id);
        const auto decoded = decodeRequest(line);
        const auto *failure = std::get_if<RpcFailure>(&decoded);
        QVERIFY(failure);
        QVERIFY(failure->answered);
        const QJsonObject answer = parsed(encodeError(failure->id, failure->error));
        QCOMPARE(answer.value(u"id"), id);
        QCOMPARE(answer.value(u"error")[u"code"].toInt(), code);
        QCOMPARE(answer.value(u"error")[u"data"][u"code"].toString(), QStringLiteral("KV_BAD_REQUEST"));
        QVERIFY(answer.value(u"error")[u"message"].toString().size() > 20);
        QVERIFY(encodeError(failure->id, failure->error).size() < 1000);
    }

    void neverAnswersANotificationThatCannotBeServed()
    {
        for (const char *rest : { "\"method\":\"kv.nothing\"", "\"method\":\"kv.get\",\"params\":[1]" }) {
            const auto decoded = decodeRequest(request({}, rest));
            const auto *failure = std::get_if<RpcFailure>(&decoded);
            QVERIFY(failure);
            QVERIFY(!failure->answered);
        }
    }

    void aMethodNameOfAMegabyteIsNotRepeatedWhole()
    {
        const auto decoded = decodeRequest(request("1", "\"method\":\"" + QByteArray(1'000'000, 'm') + '"'));
        const auto &failure = std::get<RpcFailure>(decoded);
        QVERIFY(encodeError(failure.id, failure.error).size() < 1000);
    }

    void encodesOneCompactLineWhateverTheTextHolds()
    {
        const QString text = QStringLiteral("a\nb\r\"\\") + QChar(0) + QChar(0x2028) + QStringLiteral("ä😀");
        const QByteArray line = encodeResult(QStringLiteral("x"), { { QStringLiteral("t"), text } });
        QCOMPARE(line.count('\n'), 1);
        QVERIFY(line.endsWith('\n'));
        QCOMPARE(parsed(line).value(u"result")[u"t"].toString(), text);
    }

    void anErrorOfOursCarriesItsCodeAndExtraDataButNoDetail()
    {
        const Error error { ErrorCode::SaveFailed, QStringLiteral("It failed."),
            QStringLiteral("secret detail") };
        const QByteArray line = encodeError(3, rpcError(error, { { QStringLiteral("strict"), true } }));
        QVERIFY(!line.contains("secret"));
        QCOMPARE(parsed(line).value(u"error").toObject(),
            (QJsonObject { { QStringLiteral("code"), -32000 }, { QStringLiteral("message"), error.message },
                { QStringLiteral("data"),
                    QJsonObject { { QStringLiteral("code"), QStringLiteral("KV_SAVE_FAILED") },
                        { QStringLiteral("strict"), true } } } }));
        QCOMPARE(rpcError(Error { ErrorCode::BadRequest, {}, {} }).rpcCode, c_rpcInvalidParams);
        for (const ErrorCode code : allErrorCodes()) {
            const auto back
                = decodeFromDaemon(encodeError(1, rpcError(Error { code, QStringLiteral("m"), {} })));
            QVERIFY(back.ok());
            QVERIFY(std::get<RpcAnswer>(back.value()).error.error.code == code);
        }
    }

    void aClientReadsResultsErrorsAndNotifications()
    {
        const auto result = decodeFromDaemon(encodeResult(7, { { QStringLiteral("n"), 1 } }));
        QVERIFY(std::get<RpcAnswer>(result.value()).ok);
        QCOMPARE(std::get<RpcAnswer>(result.value()).id, QJsonValue(7));
        QCOMPARE(std::get<RpcAnswer>(result.value()).result.value(u"n").toInt(), 1);

        const auto note
            = decodeFromDaemon(encodeNotification(QStringLiteral("event"), { { QStringLiteral("seq"), 1 } }));
        QCOMPARE(std::get<RpcNotification>(note.value()).method, QStringLiteral("event"));
        QCOMPARE(std::get<RpcNotification>(note.value()).params.value(u"seq").toInt(), 1);

        const auto newer
            = decodeFromDaemon("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"m\","
                               "\"data\":{\"code\":\"KV_NEW\",\"candidates\":[1]}}}");
        const RpcError &error = std::get<RpcAnswer>(newer.value()).error;
        QCOMPARE(error.error.detail, QStringLiteral("KV_NEW"));
        QCOMPARE(error.extra.value(u"candidates").toArray().size(), 1);
    }

    void aClientTakesNothingElseForAnAnswer()
    {
        for (const char *line : { "", "x", "[]", "{}", "{\"id\":1}", "{\"result\":{}}",
                 "{\"id\":1,\"result\":{},\"error\":{\"code\":1}}", "{\"id\":1,\"error\":\"text\"}",
                 "{\"method\":7}" }) {
            QVERIFY2(!decodeFromDaemon(line).ok(), line);
        }
    }
};

QTEST_GUILESS_MAIN(TestJsonRpc)
#include "tst_jsonrpc.moc"
