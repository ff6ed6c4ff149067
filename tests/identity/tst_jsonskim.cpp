// SPDX-License-Identifier: MIT
#include "jsonskim.h"

#include <QtTest>

using namespace kv;

class TestJsonSkim final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsMembersWhereTheyStand()
    {
        const QByteArray text = " { \"a\" : 1 , \"b\":[1,{\"x\":\"]}\"}] ,\"c\":\"q\\\"u\", \"a\":true}\n";
        const auto members = skimObject(text);
        QVERIFY(members.has_value());
        QCOMPARE(members->size(), std::size_t { 4 });
        QCOMPARE((*members)[1].value.toByteArray(), QByteArray("[1,{\"x\":\"]}\"}]"));
        QVERIFY((*members)[1].value.data() == text.constData() + text.indexOf('['));
        QCOMPARE(memberOf(*members, "a")->value.toByteArray(), QByteArray("true")); // the last one counts
        QCOMPARE(textOf(*members, "c"), std::optional(QStringLiteral("q\"u")));
        QVERIFY(!textOf(*members, "b"));
        QVERIFY(memberOf(*members, "d") == nullptr);
    }

    void decodesKeysThatHideBehindEscapes()
    {
        const QByteArray text = "{\"id\\u005fslot\":3}";
        const auto members = skimObject(text);
        QVERIFY(members.has_value());
        QCOMPARE(numberOf(*members, "id_slot"), std::optional(3.0));
    }

    void emptyOnesAreWhole()
    {
        QVERIFY(skimObject("{}").has_value());
        QVERIFY(skimArray(" [ ] ").has_value());
        QCOMPARE(skimArray("[[],{},\"\"]")->size(), std::size_t { 3 });
    }

    void whatIsNotWholeIsNothing_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QList<QByteArray> texts { "", " ", "[1]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1,}",
            "{\"a\":1}x", "{\"a\":\"b}", "{\"a\":\"b\\\"}", "{a:1}", "{\"a\":[1}", "null" };
        for (const QByteArray &text : texts) {
            QTest::newRow(text.isEmpty() ? "empty" : text.constData()) << text;
        }
    }
    void whatIsNotWholeIsNothing()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!skimObject(text).has_value());
    }

    void deepNestingCostsNoStack()
    {
        const QByteArray deep = "{\"a\":" + QByteArray(2'000'000, '[') + QByteArray(2'000'000, ']') + '}';
        QVERIFY(skimObject(deep).has_value());
    }
};

QTEST_GUILESS_MAIN(TestJsonSkim)
#include "tst_jsonskim.moc"
