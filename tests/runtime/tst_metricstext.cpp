// SPDX-License-Identifier: MIT
#include "eventname.h"
#include "histogram.h"
#include "metricstext.h"

#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace kv;

namespace {

QString valueIn(const QString &text, const QString &line)
{
    const qsizetype at = text.indexOf(line + QLatin1Char(' '));
    return at < 0 ? QString() : text.mid(at + line.size() + 1).section(QLatin1Char('\n'), 0, 0);
}

QString shown(const Histogram &histogram)
{
    return histogram.text(QStringLiteral("m"), QStringLiteral("server=\"s\""));
}

QString bucket(const Histogram &histogram, const char *le)
{
    return valueIn(
        shown(histogram), QStringLiteral("m_bucket{server=\"s\",le=\"%1\"}").arg(QLatin1String(le)));
}

}

class TstMetricsText final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void histogramsAreCumulative();
    void aHistogramComesBackAsItWas();
    void otherBucketsTakeWhatWasCounted();
    void keptNonsenseCountsNothing();
    void aServersNameIsEscaped();
    void noServersIsStillWellFormed();
    void everyFamilyIsExplained();
    void oneStateIsOne();
    void whatIsNotKnownIsNotShown();
};

void TstMetricsText::histogramsAreCumulative()
{
    Histogram durations(Histogram::millisecondBounds());
    for (const double ms : { 0.5, 1.0, 1.5, 70.0, 1e9, -1.0 }) {
        durations.add(ms); // −1: not measured
    }
    QCOMPARE(bucket(durations, "1"), QStringLiteral("2"));
    QCOMPARE(bucket(durations, "2"), QStringLiteral("3"));
    QCOMPARE(bucket(durations, "50"), QStringLiteral("3"));
    QCOMPARE(bucket(durations, "100"), QStringLiteral("4"));
    QCOMPARE(bucket(durations, "300000"), QStringLiteral("4"));
    QCOMPARE(bucket(durations, "+Inf"), QStringLiteral("5"));
    QCOMPARE(valueIn(shown(durations), QStringLiteral("m_count{server=\"s\"}")), QStringLiteral("5"));
    QCOMPARE(
        valueIn(shown(durations), QStringLiteral("m_sum{server=\"s\"}")), QStringLiteral("1000000073.000"));
}

void TstMetricsText::aHistogramComesBackAsItWas()
{
    Histogram first(Histogram::microsecondBounds());
    for (const double us : { 1.0, 20.25, 20.5, 700.0, 1e7 }) {
        first.add(us);
    }
    QMap<QString, qint64> kept { { QStringLiteral("requests"), 7 } };
    first.keep(QStringLiteral("a"), kept);
    Histogram other(Histogram::microsecondBounds());
    other.add(3);
    other.keep(QStringLiteral("ab"), kept); // a name that begins alike
    Histogram second(Histogram::microsecondBounds());
    second.restore(QStringLiteral("a"), kept);
    QCOMPARE(shown(second), shown(first));
    QCOMPARE(second.count(), 5ULL);
    second.add(20);
    QCOMPARE(bucket(second, "25"), QStringLiteral("4"));
    QVERIFY(!Histogram::isPart(QStringLiteral("requests")));
}

void TstMetricsText::otherBucketsTakeWhatWasCounted()
{
    Histogram former({ 1, 2, 4 });
    former.add(1.5);
    former.add(3);
    former.add(100);
    QMap<QString, qint64> kept;
    former.keep(QStringLiteral("h"), kept);
    Histogram present({ 1, 4, 8 });
    present.restore(QStringLiteral("h"), kept);
    QCOMPARE(bucket(present, "1"), QStringLiteral("0"));
    QCOMPARE(bucket(present, "4"), QStringLiteral("2"));
    QCOMPARE(bucket(present, "+Inf"), QStringLiteral("3"));
    // The database keeps what is not named, so a second restart must not count the former buckets again.
    present.keep(QStringLiteral("h"), kept);
    Histogram again({ 1, 4, 8 });
    again.restore(QStringLiteral("h"), kept);
    QCOMPARE(shown(again), shown(present));
    again.keep(QStringLiteral("h"), kept);
    Histogram oldAgain({ 1, 2, 4 }); // and back to the former version
    oldAgain.restore(QStringLiteral("h"), kept);
    QCOMPARE(oldAgain.count(), 3ULL);
}

void TstMetricsText::keptNonsenseCountsNothing()
{
    Histogram histogram({ 1, 2 });
    histogram.restore(QStringLiteral("h"),
        { { QStringLiteral("histogram/h/1"), -5 }, { QStringLiteral("histogram/h/x"), 5 },
            { QStringLiteral("histogram/h/"), 5 }, { QStringLiteral("histogram/h/sum"), -1 } });
    QCOMPARE(histogram.count(), 0ULL);
    QCOMPARE(histogram.sum(), 0.0);
}

void TstMetricsText::aServersNameIsEscaped()
{
    const Counters counters({}, 0);
    const MeteredServer server { QStringLiteral("a\"b\\c\nd %1 %2"), &counters, 3, 40 };
    const QString text = prometheusText({ QStringLiteral("1"), 0, { server } });
    QVERIFY(text.contains(QStringLiteral("dsh_kv_snapshot_count{server=\"a\\\"b\\\\c\\nd %1 %2\"} 3\n")));
    QVERIFY(text.contains(QStringLiteral("dsh_kv_snapshot_bytes{server=\"a\\\"b\\\\c\\nd %1 %2\"} 40\n")));
    QVERIFY(text.contains(
        QStringLiteral("dsh_kv_save_duration_ms_bucket{server=\"a\\\"b\\\\c\\nd %1 %2\",le=\"+Inf\"} 0\n")));
}

void TstMetricsText::noServersIsStillWellFormed()
{
    const QStringList lines
        = prometheusText({ QStringLiteral("1.2"), 5000 }).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 10);
    QVERIFY(lines.contains(QStringLiteral("dsh_kv_build_info{version=\"1.2\"} 1")));
    QVERIFY(lines.contains(QStringLiteral("dsh_kv_start_time_seconds 5")));
    for (const QString &line : lines) {
        QVERIFY2(line.startsWith(QStringLiteral("# TYPE dsh_kv_"))
                || line.startsWith(QStringLiteral("# HELP dsh_kv_"))
                || !line.contains(QStringLiteral("server=")),
            qPrintable(line));
    }
}

void TstMetricsText::everyFamilyIsExplained()
{
    const QStringList lines
        = prometheusText({ QStringLiteral("1"), 0 }).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    static const QRegularExpression type(
        QStringLiteral("^# TYPE (dsh_kv_[a-z_]+) (counter|gauge|histogram)$"));
    QSet<QString> families;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const auto match = type.match(lines.at(i));
        if (match.hasMatch()) {
            const QString name = match.captured(1);
            QVERIFY2(!families.contains(name), qPrintable(name));
            families.insert(name);
            QVERIFY2(i > 0 && lines.at(i - 1).startsWith(QStringLiteral("# HELP %1 ").arg(name)),
                qPrintable(name));
            QCOMPARE(name.endsWith(QStringLiteral("_total")), match.captured(2) == QStringLiteral("counter"));
        }
    }
    QVERIFY(families.size() > 30);
    for (const char *name :
        { "restore_total", "restore_hit_total", "restore_miss_total", "restore_failure_total", "save_total",
            "save_failure_total", "restore_bytes_total", "save_bytes_total", "restore_duration_ms",
            "save_duration_ms", "cold_prefill_total", "cold_fallback_total", "slot_switch_total",
            "snapshot_count", "snapshot_bytes", "reuse_verified_total", "reuse_none_total",
            "time_saved_ms_total", "lease_wait_ms", "request_overhead_us" }) {
        QVERIFY2(families.contains(QStringLiteral("dsh_kv_") + QLatin1String(name)), name);
    }
}

void TstMetricsText::oneStateIsOne()
{
    const Counters counters({}, 0);
    MeteredServer server { QStringLiteral("a"), &counters };
    for (const char *state :
        { "healthy", "degraded", "open", "half-open", "unreachable", "unsupported", "sleeping" }) {
        server.state = QLatin1String(state);
        const QString text = prometheusText({ QStringLiteral("1"), 0, { server } });
        QCOMPARE(
            valueIn(text, QStringLiteral("dsh_kv_server_state{server=\"a\",state=\"%1\"}").arg(server.state)),
            QStringLiteral("1"));
        static const QRegularExpression one(QStringLiteral("dsh_kv_server_state\\{[^}]*\\} 1\n"));
        QCOMPARE(text.count(one), 1);
        QCOMPARE(text.count(QStringLiteral("dsh_kv_server_state{")), 7);
    }
}

void TstMetricsText::whatIsNotKnownIsNotShown()
{
    const Counters counters({}, 0);
    MeteredServer server { QStringLiteral("a"), &counters };
    const QString sample = QStringLiteral("dsh_kv_disk_free_bytes{server=\"a\"}");
    QCOMPARE(valueIn(prometheusText({ QStringLiteral("1"), 0, { server } }), sample), QString());
    server.diskFreeBytes = 7;
    server.diskShort = true;
    const QString text = prometheusText({ QStringLiteral("1"), 0, { server } });
    QCOMPARE(valueIn(text, sample), QStringLiteral("7"));
    QCOMPARE(valueIn(text, QStringLiteral("dsh_kv_disk_short{server=\"a\"}")), QStringLiteral("1"));
}

QTEST_APPLESS_MAIN(TstMetricsText)
#include "tst_metricstext.moc"
