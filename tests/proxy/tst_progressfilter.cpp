// SPDX-License-Identifier: MIT
#include "progressfilter.h"

#include <QtTest>

using namespace kv;

namespace {

QByteArray chunk(const QByteArray &bytes)
{
    return QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n";
}

const QByteArray c_progress
    = "data: "
      "{\"choices\":[],\"prompt_progress\":{\"total\":2825,\"cache\":8,\"processed\":8,\"time_ms\":0}}\n\n";
const QByteArray c_later
    = "data: {\"choices\":[],\"prompt_progress\":{\"total\":2825,\"cache\":8,\"processed\":2056}}\n\n";
const QByteArray c_role = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n";
const QByteArray c_word = "data: {\"choices\":[{\"delta\":{\"content\":\"\\\"prompt_progress\\\"\"}}]}\n\n";
const QByteArray c_end = "0\r\n\r\n";

} // namespace

class TestProgressFilter final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesOutProgressAlone_data()
    {
        QTest::addColumn<QByteArray>("framed");
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<bool>("told");
        const auto row = [](const char *name, const QByteArray &framed, const QByteArray &expected,
                             bool told = true) { QTest::newRow(name) << framed << expected << told; };
        const QByteArray rest = chunk(c_role + c_word) + chunk(c_word) + c_end;
        row("in chunks of their own", chunk(c_progress) + chunk(c_later) + rest, rest);
        row("in the chunk of others", chunk(c_progress + c_role) + rest, chunk(c_role) + rest);
        row("two in one", chunk(c_progress + c_later) + rest, rest);
        row("comments before", chunk(":\n\n") + chunk(c_progress) + rest, chunk(":\n\n") + rest);
        row("none", rest, rest, false);
        row("none after the first word", chunk(c_word) + chunk(c_progress) + c_end,
            chunk(c_word) + chunk(c_progress) + c_end, false);
        row("extensions", "3;a=b\r\nabc\r\n" + c_end, "3;a=b\r\nabc\r\n" + c_end, false);
        row("nothing", c_end, c_end, false);
    }
    void takesOutProgressAlone()
    {
        QFETCH(QByteArray, framed);
        QFETCH(QByteArray, expected);
        QFETCH(bool, told);
        for (qsizetype cut = 0; cut <= framed.size(); ++cut) {
            ProgressFilter filter;
            QByteArray out = filter.feed(QByteArrayView(framed).first(cut));
            out += filter.feed(QByteArrayView(framed).sliced(cut));
            QCOMPARE(out, expected);
            QCOMPARE(filter.progress().has_value(), told);
            QVERIFY(!told || (filter.progress()->total == 2825 && filter.progress()->cached == 8));
        }
    }
};

QTEST_GUILESS_MAIN(TestProgressFilter)
#include "tst_progressfilter.moc"
