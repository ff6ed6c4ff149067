// SPDX-License-Identifier: MIT
#include "counters.h"
#include "eventname.h"

#include <QTest>

using namespace kv;

namespace {

constexpr qint64 c_dayMs = 24LL * 3600 * 1000;

Notice notice(QStringView name, double ms = -1, qint64 bytes = -1)
{
    Notice made;
    made.name = name.toString();
    made.ms = ms;
    made.bytes = bytes;
    return made;
}

EndRequest ended(qint64 cached, EndOutcome outcome = EndOutcome::Ok)
{
    EndRequest end;
    end.outcome = outcome;
    end.usage.cachedTokens = cached;
    return end;
}

qint64 valueOf(const Counters &counters, const char *name)
{
    return counters.value(QString::fromLatin1(name));
}

QString valueIn(const QString &text, const QString &line)
{
    const qsizetype at = text.indexOf(line + QLatin1Char(' '));
    return at < 0 ? QString() : text.mid(at + line.size() + 1).section(QLatin1Char('\n'), 0, 0);
}

}

class TstCounters final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachNoticeCountsWhatItNames();
    void grantsCountByOutcome();
    void timeSavedIsReuseMinusRestore();
    void bytesOfTheDayStartAnewWithTheDay();
    void totalsGoOnWhereTheyWere();
    void onlyChangesAreDirty();
    void histogramsGoOnWhereTheyWere();
    void overheadIsMeasuredInMicroseconds();
    void everyStatHasItsName();
};

void TstCounters::eachNoticeCountsWhatItNames()
{
    Counters counters({}, 0);
    Notice cold = notice(eventname::sessionCold);
    cold.outcome = QStringLiteral("cold");
    counters.take(cold, 0);
    cold.outcome = QStringLiteral("cold-fallback");
    cold.miss = true;
    counters.take(cold, 0);
    counters.take(notice(eventname::restoreStart), 0);
    counters.take(notice(eventname::restoreSuccess, 12, 500), 0);
    counters.take(notice(eventname::restoreFailed), 0);
    counters.take(notice(eventname::saveSuccess, 20, 700), 0);
    counters.take(notice(eventname::saveSuccess), 0); // nothing told
    counters.take(notice(eventname::saveFailed), 0);
    counters.take(notice(eventname::sessionSwitch), 0);
    counters.take(notice(eventname::reuseVerified), 0);
    counters.take(notice(eventname::reusePartial), 0);
    counters.take(notice(eventname::reuseNone), 0);
    counters.take(notice(eventname::slotState), 0); // counts nothing
    const QMap<QString, qint64> expected { { QStringLiteral("coldStarts"), 1 },
        { QStringLiteral("coldFallbacks"), 1 }, { QStringLiteral("restoreMisses"), 1 },
        { QStringLiteral("restores"), 1 }, { QStringLiteral("restoreHits"), 1 },
        { QStringLiteral("bytesRestored"), 500 }, { QStringLiteral("restoreFailures"), 1 },
        { QStringLiteral("saves"), 2 }, { QStringLiteral("bytesSaved"), 700 },
        { QStringLiteral("bytesWrittenToday"), 700 }, { QStringLiteral("saveFailures"), 1 },
        { QStringLiteral("switches"), 1 }, { QStringLiteral("reuseVerified"), 1 },
        { QStringLiteral("reusePartial"), 1 }, { QStringLiteral("reuseNone"), 1 } };
    for (const QString &name : statNames()) {
        QVERIFY2(counters.value(name) == expected.value(name), qPrintable(name));
    }
}

void TstCounters::grantsCountByOutcome()
{
    Counters counters({}, 0);
    for (const Outcome outcome :
        { Outcome::Resident, Outcome::Auxiliary, Outcome::Bypass, Outcome::Cold, Outcome::Restored }) {
        Grant grant;
        grant.outcome = outcome;
        counters.takeGrant(grant);
    }
    QCOMPARE(valueOf(counters, "requests"), 5);
    QCOMPARE(valueOf(counters, "residents"), 1);
    QCOMPARE(valueOf(counters, "auxiliary"), 1);
    QCOMPARE(valueOf(counters, "bypasses"), 1);
}

void TstCounters::timeSavedIsReuseMinusRestore()
{
    Counters counters({}, 0);
    QCOMPARE(counters.takeEnd(ended(1000), 500, true, 100), 1900);
    QCOMPARE(counters.takeEnd(ended(1000), 500, true, -1), 2000);
    QCOMPARE(counters.takeEnd(ended(1000), 500, false, 100), 0); // its own doing, not ours
    QCOMPARE(counters.takeEnd(ended(1000), 0, true, 100), 0); // no rate: nothing is claimed
    QCOMPARE(counters.takeEnd(ended(10), 500, true, 100), 0); // never less than nothing
    QCOMPARE(counters.takeEnd(ended(-1), 500, true, 100), 0);
    QCOMPARE(counters.takeEnd(ended(1000, EndOutcome::Aborted), 500, true, 100), 0);
    QCOMPARE(valueOf(counters, "timeSavedMs"), 3900);
}

void TstCounters::bytesOfTheDayStartAnewWithTheDay()
{
    Counters counters({}, c_dayMs);
    counters.take(notice(eventname::saveSuccess, 1, 10), c_dayMs);
    counters.take(notice(eventname::saveSuccess, 1, 10), 2 * c_dayMs - 1);
    QCOMPARE(valueOf(counters, "bytesWrittenToday"), 20);
    counters.rollDay(2 * c_dayMs); // without a save, too
    QCOMPARE(valueOf(counters, "bytesWrittenToday"), 0);
    counters.take(notice(eventname::saveSuccess, 1, 5), 2 * c_dayMs);
    QCOMPARE(valueOf(counters, "bytesWrittenToday"), 5);
    QCOMPARE(valueOf(counters, "bytesSaved"), 25);
}

void TstCounters::totalsGoOnWhereTheyWere()
{
    Counters first({}, c_dayMs);
    first.take(notice(eventname::saveSuccess, 1, 10), c_dayMs);
    Counters sameDay(first.totals(), c_dayMs + 1);
    QCOMPARE(valueOf(sameDay, "saves"), 1);
    QCOMPARE(valueOf(sameDay, "bytesWrittenToday"), 10);
    Counters nextDay(first.totals(), 2 * c_dayMs);
    QCOMPARE(valueOf(nextDay, "saves"), 1);
    QCOMPARE(valueOf(nextDay, "bytesWrittenToday"), 0);
}

void TstCounters::onlyChangesAreDirty()
{
    Counters counters({}, c_dayMs);
    QVERIFY(!counters.isDirty());
    counters.take(notice(eventname::slotState), c_dayMs);
    counters.rollDay(c_dayMs + 1);
    QVERIFY(!counters.isDirty());
    counters.take(notice(eventname::saveFailed), c_dayMs);
    QVERIFY(counters.isDirty());
    counters.markWritten();
    QVERIFY(!counters.isDirty());
}

void TstCounters::histogramsGoOnWhereTheyWere()
{
    Counters first({}, 0);
    first.take(notice(eventname::restoreSuccess, 12.5), 0);
    first.take(notice(eventname::saveSuccess, 1e6), 0);
    Grant grant;
    grant.waitMs = 30;
    first.takeGrant(grant);
    first.takeOverhead(33);
    const Counters second(first.totals(), 0);
    QVERIFY(!second.isDirty());
    for (const auto histogram :
        { &Counters::restoreMs, &Counters::saveMs, &Counters::waitMs, &Counters::overheadUs }) {
        const QString text = (first.*histogram)().text(QStringLiteral("m"), QStringLiteral("l"));
        QVERIFY(text.contains(QStringLiteral("m_count{l} 1\n")));
        QCOMPARE((second.*histogram)().text(QStringLiteral("m"), QStringLiteral("l")), text);
    }
    QCOMPARE(second.totals(), first.totals());
    for (const QString &name : statNames()) { // none of them shows among the stats
        QVERIFY(!name.contains(QLatin1Char('/')));
    }
}

void TstCounters::overheadIsMeasuredInMicroseconds()
{
    Counters counters({}, 0);
    counters.takeOverhead(60);
    QVERIFY(counters.isDirty());
    const QString text = counters.overheadUs().text(QStringLiteral("m"), QStringLiteral("l"));
    QCOMPARE(valueIn(text, QStringLiteral("m_bucket{l,le=\"50\"}")), QStringLiteral("0"));
    QCOMPARE(valueIn(text, QStringLiteral("m_bucket{l,le=\"100\"}")), QStringLiteral("1"));
    QCOMPARE(valueIn(text, QStringLiteral("m_sum{l}")), QStringLiteral("60.000"));
}

void TstCounters::everyStatHasItsName()
{
    const QStringList names = statNames();
    QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), names.size());
    QVERIFY(!names.contains(QString()));
    QVERIFY(!names.contains(QStringLiteral("day"))); // a help for counting, not a total
}

QTEST_APPLESS_MAIN(TstCounters)
#include "tst_counters.moc"
