// SPDX-License-Identifier: MIT
// When it is recorded that the machine still runs: after a save, seldom, and never while nothing happens.
#include "heartbeat.h"

#include <QTest>

using namespace kv;

namespace {
constexpr qint64 c_wall = 1'800'000'000'000;
Instant at(qint64 ms) { return { ms, c_wall + ms }; }
}

class TstHeartbeat final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutASaveNothingIsRecorded()
    {
        const Heartbeat beat(c_wall);
        QVERIFY(!beat.isDue(at(0)));
        QVERIFY(!beat.isDue(at(999'999'999)));
    }

    void aMinuteAfterASaveOnce()
    {
        Heartbeat beat;
        beat.saved(at(1000));
        QVERIFY(!beat.isDue(at(60'999)));
        QVERIFY(beat.isDue(at(61'000)));
        beat.recorded(at(61'000));
        QVERIFY(!beat.isDue(at(61'000)));
        QVERIFY(!beat.isDue(at(999'999'999)));
    }

    void savesWithoutEndDoNotPutItOff()
    {
        Heartbeat beat;
        int records = 0;
        for (qint64 ms = 0; ms <= 600'000; ms += 10'000) {
            beat.saved(at(ms));
            if (beat.isDue(at(ms))) {
                beat.recorded(at(ms));
                ++records;
            }
        }
        QCOMPARE(records, 10); // once a minute
        QVERIFY(beat.isDue(at(660'000))); // the last saves are vouched for too
    }

    void aClockThatWasSetBackIsRecordedAtOnce()
    {
        Heartbeat beat(c_wall + 10'000'000);
        beat.saved(at(1000)); // what is on record would vouch for it
        QVERIFY(beat.isDue(at(1000)));
        beat.recorded(at(1000));
        QVERIFY(!beat.isDue(at(2000)));
        QVERIFY(beat.isDue(at(61'000)));
    }
};

QTEST_APPLESS_MAIN(TstHeartbeat)
#include "tst_heartbeat.moc"
