// SPDX-License-Identifier: MIT
// What the server's answers tell, as build 11669 writes them (shortened), cut at every point.
#include "usagereader.h"

#include <QtTest>

using namespace kv;

namespace {

const QByteArray c_timings = "\"timings\":{\"cache_n\":122,\"prompt_n\":8,\"prompt_ms\":1.5,\"predicted_n\":"
                             "6,\"predicted_ms\":2.25}";

} // namespace

class TestUsageReader final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_data()
    {
        QTest::addColumn<bool>("stream");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QList<int>>("usage"); // prompt, completion, cached
        QTest::addColumn<int>("more"); // −1: not told
        const auto row = [](const char *name, bool stream, const QByteArray &body, const QList<int> &usage,
                             int more) { QTest::newRow(name) << stream << body << usage << more; };
        row("chat stream", true,
            "data: {\"choices\":[{\"finish_reason\":null,\"delta\":{\"content\":\"\\\"usage\\\":\"}}]}\n\n: "
            "keep-alive\n\n"
            "data: {\"choices\":[{\"finish_reason\":\"stop\",\"index\":0,\"delta\":{}}],"
                + c_timings + "}\n\ndata: [DONE]\n\n",
            { 130, 6, 122 }, 0);
        row("chat stream with tools", true,
            "data: {\"choices\":[{\"finish_reason\":\"tool_calls\",\"delta\":{}}]}\r\n\r\n"
            "data: "
            "{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2,\"prompt_tokens_"
            "details\":{\"cached_tokens\":4}},"
                + c_timings + "}\r\n\r\n",
            { 130, 6, 122 }, 1);
        row("chat", false,
            "{\"choices\":[{\"finish_reason\":\"length\",\"message\":{}}],\"usage\":{\"prompt_tokens\":10,"
            "\"completion_tokens\":2,"
            "\"prompt_tokens_details\":{\"cached_tokens\":4}}}",
            { 10, 2, 4 }, 0);
        row("completion", false, "{\"content\":\"x\",\"stop\":true," + c_timings + "}", { 130, 6, 122 }, -1);
        row("responses", false,
            "{\"output\":[{\"type\":\"message\"},{\"type\":\"function_call\"}],\"usage\":{\"input_tokens\":"
            "40,\"output_tokens\":5,"
            "\"input_tokens_details\":{\"cached_tokens\":3}}}",
            { 40, 5, 3 }, 1);
        row("responses stream", true,
            "event: response.completed\ndata: "
            "{\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"message\"}],"
            "\"usage\":{\"input_tokens\":40,\"output_tokens\":5,\"input_tokens_details\":{\"cached_tokens\":"
            "3}}}}\n\n",
            { 40, 5, 3 }, 0);
        row("messages", false,
            "{\"stop_reason\":\"tool_use\",\"usage\":{\"cache_read_input_tokens\":30,\"input_tokens\":10,"
            "\"output_tokens\":5}}",
            { 40, 5, 30 }, 1);
        row("messages stream", true,
            "event: message_start\ndata: "
            "{\"type\":\"message_start\",\"message\":{\"stop_reason\":null,\"usage\":{\"cache_read_input_"
            "tokens\":30,"
            "\"input_tokens\":10,\"output_tokens\":0}}}\n\nevent: message_delta\ndata: "
            "{\"type\":\"message_delta\",\"delta\":"
            "{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n",
            { 40, 5, 30 }, 0);
        row("an error", false, "{\"error\":{\"code\":400,\"message\":\"usage\"}}", { -1, -1, -1 }, -1);
        row("no JSON", false, "<html>\"usage\"", { -1, -1, -1 }, -1);
        row("a stream of nonsense", true, "data: {\"usage\":\ndata: \"timings\"\n\n\n", { -1, -1, -1 }, -1);
    }
    void reads()
    {
        QFETCH(bool, stream);
        QFETCH(QByteArray, body);
        QFETCH(QList<int>, usage);
        QFETCH(int, more);
        for (qsizetype cut = 0; cut <= body.size(); ++cut) {
            UsageReader reader;
            reader.start(stream);
            reader.feed(QByteArrayView(body).first(cut));
            reader.feed(QByteArrayView(body).sliced(cut));
            reader.finish();
            QCOMPARE(reader.usage().promptTokens, usage[0]);
            QCOMPARE(reader.usage().completionTokens, usage[1]);
            QCOMPARE(reader.usage().cachedTokens, usage[2]);
            QCOMPARE(reader.more() ? static_cast<int>(*reader.more()) : -1, more);
            QCOMPARE(reader.timings().firstChunkMs >= 0, stream);
        }
    }

    void timingsAreTakenWhole()
    {
        UsageReader reader;
        reader.start(false);
        reader.feed('{' + c_timings + '}');
        reader.finish();
        QCOMPARE(reader.timings().promptTokens, 8);
        QCOMPARE(reader.timings().promptMs, 1.5);
        QCOMPARE(reader.timings().predictedTokens, 6);
        QCOMPARE(reader.timings().predictedMs, 2.25);
    }

    void endlessLinesNeedNoMemory()
    {
        UsageReader reader;
        reader.start(true);
        reader.feed("data: ");
        for (int i = 0; i < 100; ++i) {
            reader.feed(QByteArray(100'000, 'x'));
        }
        reader.feed("\ndata: {" + c_timings + "}\n");
        QCOMPARE(reader.usage().promptTokens, 130);
    }
};

QTEST_GUILESS_MAIN(TestUsageReader)
#include "tst_usagereader.moc"
