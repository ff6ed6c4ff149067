// SPDX-License-Identifier: MIT
#include "params.h"
#include "results.h"

#include <QTest>

using namespace kv;

class TestResults : public QObject {
    Q_OBJECT

    static QStringList sorted(QStringList list)
    {
        list.sort();
        return list;
    }
    static BeginResult fullBegin()
    {
        return { true, QStringLiteral("restored"), 12, QStringLiteral("s"), 1, TransportResult { 1, true }, 5,
            6, 1.23456, 2, 3, QStringLiteral("why") };
    }

private Q_SLOTS:
    void fullResultsHaveExactlyTheFieldsOfTheTable()
    {
        QCOMPARE(encodeBegin(fullBegin()).keys(), sorted(methodInfo(ApiMethod::RequestBegin).results));
        const EndResult end { true, 3,
            ReuseResult { QStringLiteral("partial"), 10, 5, QStringLiteral("drift") } };
        QCOMPARE(encodeEnd(end).keys(), sorted(methodInfo(ApiMethod::RequestEnd).results));
        QCOMPARE(encodeHello({}).keys(), sorted(methodInfo(ApiMethod::Hello).results));
        const ManualResult manual { 1, 2, 3, 4, 5, 6, true, QStringLiteral("clean") };
        for (const ApiMethod method : { ApiMethod::Save, ApiMethod::Restore, ApiMethod::Invalidate,
                 ApiMethod::Purge, ApiMethod::Pin, ApiMethod::Erase, ApiMethod::Flush }) {
            QCOMPARE(encodeManual(method, manual).keys(), sorted(methodInfo(method).results));
        }
    }

    void whatIsNotKnownIsAbsent()
    {
        BeginResult begin;
        begin.outcome = QStringLiteral("unmanaged");
        QCOMPARE(encodeBegin(begin),
            (QJsonObject { { QStringLiteral("managed"), false }, { QStringLiteral("outcome"), begin.outcome },
                { QStringLiteral("waitMs"), 0 } }));
        QCOMPARE(encodeEnd({}).keys(), QStringList({ QStringLiteral("dirty"), QStringLiteral("revision") }));
        QVERIFY(encodeManual(ApiMethod::Restore, {}).isEmpty());
        QCOMPARE(encodeManual(ApiMethod::Save, {}).keys(), QStringList { QStringLiteral("revision") });
    }

    void valuesArriveAsTheyAre()
    {
        const QJsonObject begin = encodeBegin(fullBegin());
        QCOMPARE(begin.value(u"lease"), QJsonValue(QStringLiteral("L12")));
        QCOMPARE(begin.value(u"waitMs"), QJsonValue(1.235));
        QCOMPARE(begin.value(u"transport")[u"id_slot"], QJsonValue(1));
        QCOMPARE(begin.value(u"transport")[u"cache_prompt"], QJsonValue(true));
        QCOMPARE(encodeHello({}).value(u"protocol"), QJsonValue(c_protocolVersion));
        QCOMPARE(encodeManual(ApiMethod::Purge, { 0, 0, 0, 0, 0, 2, true, {} }).value(u"fileRemains"),
            QJsonValue(true));
    }

    void slotZeroAndZeroTokensAreValuesNotAbsence()
    {
        BeginResult begin = fullBegin();
        begin.slot = 0;
        begin.tokens = 0;
        begin.saveMs = 0;
        QCOMPARE(encodeBegin(begin).value(u"slot"), QJsonValue(0));
        QCOMPARE(encodeBegin(begin).value(u"tokens"), QJsonValue(0));
        QCOMPARE(encodeBegin(begin).value(u"saveMs"), QJsonValue(0));
    }

    void aLeaseComesBackFromItsTextAndOnlyFromThat()
    {
        for (const quint64 lease : { quint64 { 1 }, quint64 { 12 }, ~quint64 { 0 } }) {
            QCOMPARE(leaseFromText(leaseToText(lease)).value_or(0), lease);
        }
        for (const char *text : { "", "L", "L0", "L-1", "L+1", "L 1", "L01", "l1", "12", "L1.0", "L1x", "Lx",
                 "L18446744073709551616", "LL1" }) {
            QVERIFY2(!leaseFromText(QString::fromLatin1(text)), text);
        }
    }

    void theTableOfMethodsIsInTheOrderOfTheEnum()
    {
        for (qsizetype i = 0; i < allMethods().size(); ++i) {
            const MethodInfo &info = allMethods().at(i);
            QCOMPARE(static_cast<qsizetype>(info.method), i);
            QVERIFY(methodFromName(info.name) == info.method);
        }
        QCOMPARE(methodName(ApiMethod::Subscribe), QStringLiteral("kv.subscribe")); // the last one
        QVERIFY(!methodFromName(u"kv.nothing"));
    }
};

QTEST_GUILESS_MAIN(TestResults)
#include "tst_results.moc"
