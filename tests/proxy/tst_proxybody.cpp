// SPDX-License-Identifier: MIT
#include "bodyedit.h"

#include <QtTest>

using namespace kv;

class TestProxyBody final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSlotIsWrittenIn_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const QByteArray &body, const QByteArray &expected) {
            QTest::newRow(body.constData()) << body << expected;
        };
        row("{\"a\" : 1,\n\t\"b\":[ 2 ]}\n",
            "{\"id_slot\":3,\"cache_prompt\":true,\"a\" : 1,\n\t\"b\":[ 2 ]}\n");
        row(" { } ", " {\"id_slot\":3,\"cache_prompt\":true } ");
        row("{\"cache_prompt\": false}",
            "{\"id_slot\":3,\"cache_prompt\": false}"); // the client's own word stands
        row("{\"id_slot\": -1 ,\"x\":2}", "{\"cache_prompt\":true,\"id_slot\": 3 ,\"x\":2}");
        row("{\"id_slot\":7,\"id_slot\":8,\"cache_prompt\":true}",
            "{\"id_slot\":3,\"id_slot\":3,\"cache_prompt\":true}");
        row("{\"id\\u005fslot\":7}", "{\"cache_prompt\":true,\"id\\u005fslot\":3}");
        row("{\"x\":{\"id_slot\":7}}", "{\"id_slot\":3,\"cache_prompt\":true,\"x\":{\"id_slot\":7}}");
    }
    void theSlotIsWrittenIn()
    {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, expected);
        QCOMPARE(withTransport(body, *skimObject(body), Transport { 3, true }), expected);
        QVERIFY(skimObject(expected).has_value());
    }
};

QTEST_GUILESS_MAIN(TestProxyBody)
#include "tst_proxybody.moc"
