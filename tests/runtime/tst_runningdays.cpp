// SPDX-License-Identifier: MIT
// Days on which the daemon ran: what age counts.
#include "runningdays.h"

#include <QTest>

using namespace kv;

namespace {
constexpr qint64 c_dayMs = 24LL * 3600 * 1000;
qint64 noon(qint64 day) { return day * c_dayMs + c_dayMs / 2; }
}

class TstRunningDays final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDayIsCountedOnce()
    {
        RunningDays days;
        QVERIFY(days.note(noon(100)));
        QVERIFY(!days.note(noon(100) + 1000));
        QVERIFY(days.note(noon(101)));
        QVERIFY(days.note(noon(102)));
        QCOMPARE(days.toText(), QStringLiteral("100-102"));
        QCOMPARE(days.between(noon(100), noon(102)), 2);
        QCOMPARE(days.between(noon(102), noon(102)), 0);
    }

    void aMachineThatWasSwitchedOffAgesNothing()
    {
        RunningDays days;
        days.note(noon(100));
        days.note(noon(160)); // two months later
        days.note(noon(161));
        QCOMPARE(days.between(noon(100), noon(161)), 2);
        QCOMPARE(days.between(noon(130), noon(161)), 2);
        QCOMPARE(days.between(noon(160), noon(161)), 1);
        QCOMPARE(days.toText(), QStringLiteral("100,160-161"));
    }

    void daysInAnyOrderJoin()
    {
        RunningDays days;
        for (const qint64 day : { 105, 103, 104, 99, 101, 100, 102 }) {
            QVERIFY(days.note(noon(day)));
        }
        QCOMPARE(days.toText(), QStringLiteral("99-105"));
        QVERIFY(!days.note(noon(103)));
    }

    void aClockThatRanAheadCountsLater()
    {
        RunningDays days;
        days.note(noon(100));
        days.note(noon(9000)); // a clock gone wrong
        days.note(noon(101));
        QCOMPARE(days.between(noon(100), noon(101)), 1);
    }

    void itsTextIsReadBackAndRubbishIsNot()
    {
        const QString text = QStringLiteral("99-105,200,300-301");
        QCOMPARE(RunningDays::fromText(text).toText(), text);
        QCOMPARE(RunningDays::fromText(QString()).toText(), QString());
        QCOMPARE(
            RunningDays::fromText(QStringLiteral("x,9-8,5,3,7-,10-12")).toText(), QStringLiteral("5,10-12"));
    }

    void veryManyPausesForgetTheOldest()
    {
        RunningDays days;
        for (qint64 i = 0; i < 500; ++i) {
            days.note(noon(1000 + 2 * i));
        }
        QCOMPARE(days.toText().count(QLatin1Char(',')), 399);
        QCOMPARE(days.between(noon(1900), noon(1998)), 49);
    }
};

QTEST_APPLESS_MAIN(TstRunningDays)
#include "tst_runningdays.moc"
