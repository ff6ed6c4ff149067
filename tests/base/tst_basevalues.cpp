// SPDX-License-Identifier: MIT
#include "bytesize.h"
#include "clock.h"
#include "errorcode.h"
#include "humantime.h"
#include "result.h"
#include "sessionhash.h"

#include <QSet>
#include <QTest>

#include <limits>
#include <memory>

using namespace kv;

class TstBaseValues final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sizesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        const auto row = [](const char *text, qint64 bytes) {
            QTest::newRow(text) << QString::fromLatin1(text) << bytes;
        };
        row("0", 0);
        row("4096", 4096);
        row("17B", 17);
        row("100GB", 100'000'000'000);
        row("5GiB", 5'368'709'120);
        row("5 GiB", 5'368'709'120);
        row("  5gib ", 5'368'709'120);
        row("1.5GiB", 1'610'612'736);
        row("0.5kB", 500);
        row("2MB", 2'000'000);
        row("2MiB", 2'097'152);
        row("3KiB", 3072);
        row("1TB", 1'000'000'000'000);
        row("1TiB", 1'099'511'627'776);
        row("8PB", 8'000'000'000'000'000);
        row("9223372036854775807", std::numeric_limits<qint64>::max());
    }
    void sizesAreRead()
    {
        QFETCH(const QString, text);
        const Result<qint64> size = parseByteSize(text);
        QVERIFY2(size.ok(), size.ok() ? "" : qPrintable(size.error().message));
        QTEST(size.value(), "bytes");
    }

    void wrongSizesAreErrorsThatShowThem_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : { "abc", "-1", "1,5GB", "1.2.3GB", ".5GB", "5.GB", "5G", "5 bytes", "GB",
                 "1e3", "9223372036854775808", "9000PiB", "99999999PB", "9999.5PiB", "5GB5", "off" }) {
            QTest::newRow(text) << QString::fromLatin1(text);
        }
        QTest::newRow("empty") << QString();
    }
    void wrongSizesAreErrorsThatShowThem()
    {
        QFETCH(const QString, text);
        const Result<qint64> size = parseByteSize(text);
        QVERIFY(!size.ok());
        QCOMPARE(size.error().code, ErrorCode::BadRequest);
        QVERIFY2(size.error().message.contains(QStringLiteral("'%1'").arg(text)),
            qPrintable(size.error().message));
    }

    void longNonsenseIsNotRepeatedWhole()
    {
        const Result<qint64> size = parseByteSize(QString(100'000, u'x'));
        QVERIFY(!size.ok());
        QVERIFY(size.error().message.size() < 200);
    }

    void sizesAreShownInBinaryUnits_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("expected");
        const auto row = [](qint64 bytes, const char *text) {
            QTest::newRow(text) << bytes << QString::fromLatin1(text);
        };
        row(0, "0 B");
        row(1023, "1023 B");
        row(1024, "1.0 KiB");
        row(1536, "1.5 KiB");
        row(1'048'575, "1.0 MiB");
        row(536'870'912, "512 MiB");
        row(104'752'742, "99.9 MiB");
        row(104'857'600, "100 MiB");
        row(1'610'612'736, "1.5 GiB");
        row(100'000'000'000, "93.1 GiB");
        row(std::numeric_limits<qint64>::max(), "8192 PiB");
    }
    void sizesAreShownInBinaryUnits()
    {
        QFETCH(const qint64, bytes);
        QTEST(formatBytes(bytes), "expected");
    }

    void exactSizesReadBackAsTheSameNumber()
    {
        QCOMPARE(exactByteSize(100'000'000'000), u"100GB"_qs);
        QCOMPARE(exactByteSize(5'368'709'120), u"5GiB"_qs);
        QCOMPARE(exactByteSize(4097), u"4097"_qs);
        QCOMPARE(exactByteSize(0), u"0"_qs);
        for (const qint64 bytes : { qint64(0), qint64(1), qint64(1000), qint64(1024), qint64(1'536'000),
                 qint64(123'456'789'012), std::numeric_limits<qint64>::max() }) {
            QCOMPARE(parseByteSize(exactByteSize(bytes)).value(), bytes);
        }
    }

    void durationsAreShownForPeople_data()
    {
        QTest::addColumn<double>("ms");
        QTest::addColumn<QString>("expected");
        const auto row
            = [](double ms, const char *text) { QTest::addRow("%g", ms) << ms << QString::fromLatin1(text); };
        row(0, "0 ms");
        row(-5, "0 ms");
        row(0.42, "0.4 ms");
        row(9.96, "10 ms");
        row(188, "188 ms");
        row(999.6, "1.0 s");
        row(3200, "3.2 s");
        row(59'960, "1 min 0 s");
        row(125'000, "2 min 5 s");
        row(11'520'000, "3 h 12 min");
        row(352'800'000, "4 d 2 h");
    }
    void durationsAreShownForPeople()
    {
        QFETCH(const double, ms);
        QTEST(formatDuration(ms), "expected");
    }

    void absurdDurationsDoNotOverflow()
    {
        QVERIFY(formatDuration(std::numeric_limits<double>::infinity()).contains(u" d "));
        QCOMPARE(formatDuration(std::numeric_limits<double>::quiet_NaN()), u"0 ms"_qs);
    }

    void agesAreShownForPeople()
    {
        QCOMPARE(formatAge(-10'000), u"just now"_qs);
        QCOMPARE(formatAge(1'999), u"just now"_qs);
        QCOMPARE(formatAge(40'000), u"40 s ago"_qs);
        QCOMPARE(formatAge(200'000), u"3 min ago"_qs);
        QCOMPARE(formatAge(2LL * 3'600'000), u"2 h ago"_qs);
        QCOMPARE(formatAge(5LL * 86'400'000), u"5 d ago"_qs);
    }

    void wallTimeBecomesIsoTextAndBack()
    {
        QCOMPARE(isoUtc(0), u"1970-01-01T00:00:00.000Z"_qs);
        QCOMPARE(isoUtc(1'700'000'000'123), u"2023-11-14T22:13:20.123Z"_qs);
        for (const qint64 ms :
            { qint64(0), qint64(-1), qint64(1'700'000'000'123), qint64(4'102'444'800'000) }) {
            QCOMPARE(wallMsFromIso(isoUtc(ms)), std::optional(ms));
        }
        QCOMPARE(
            wallMsFromIso(QStringLiteral("2023-11-14T23:13:20+01:00")), std::optional(1'700'000'000'000LL));
        QCOMPARE(wallMsFromIso(QStringLiteral("2023-11-14T22:13:20")), std::optional(1'700'000'000'000LL));
        QCOMPARE(wallMsFromIso(QStringLiteral("yesterday")), std::nullopt);
        QCOMPARE(wallMsFromIso(QString()), std::nullopt);
    }

    void everyErrorCodeHasItsOwnNameAndComesBackFromIt()
    {
        QSet<QString> names;
        const QList<ErrorCode> codes = allErrorCodes();
        for (const ErrorCode code : codes) {
            const QString name = errorCodeName(code);
            QVERIFY2(name.startsWith(u"KV_"), qPrintable(name));
            QCOMPARE(errorCodeFromName(name), std::optional(code));
            names.insert(name);
        }
        QCOMPARE(names.size(), codes.size());
        QCOMPARE(static_cast<int>(codes.last()), static_cast<int>(codes.size()) - 1); // none is missing
        QCOMPARE(errorCodeFromName(u"KV_NO_SUCH_CODE"), std::nullopt);
        QCOMPARE(errorCodeFromName(u"kv_cancelled"), std::nullopt);
    }

    void resultHoldsAValueOrAnError()
    {
        const Result<int> good = 7;
        QVERIFY(good.ok() && good);
        QCOMPARE(good.value(), 7);
        const Result<int> bad
            = Error { ErrorCode::SlotBusy, QStringLiteral("busy"), QStringLiteral("slot 0") };
        QVERIFY(!bad.ok() && !bad);
        QCOMPARE(bad.error().code, ErrorCode::SlotBusy);
        QCOMPARE(bad.error().message, u"busy"_qs);
        QCOMPARE(bad.error().detail, u"slot 0"_qs);
    }

    void resultGivesAMoveOnlyValueAway()
    {
        Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
        const std::unique_ptr<int> value = std::move(result).value();
        QCOMPARE(*value, 3);
    }

    void sessionHashIsTheSha256OfTheIdAlone()
    {
        QCOMPARE(
            sessionHash(QString()), u"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"_qs);
        QCOMPARE(sessionHash(QStringLiteral("abc")),
            u"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"_qs);
        QCOMPARE(shortSession(QStringLiteral("abc")), u"ba7816"_qs);
        QCOMPARE(shortSession(QStringLiteral("../../x")).size(), c_sessionDigits);
        QVERIFY(sessionHash(QStringLiteral("é")) != sessionHash(QStringLiteral("e")));
    }

    void systemClockDoesNotRunBack()
    {
        const SystemClock clock;
        const Instant first = clock.now();
        const Instant second = clock.now();
        QVERIFY(second.monoMs >= first.monoMs);
        QVERIFY(first.wallMs > 1'600'000'000'000);
    }
};

QTEST_GUILESS_MAIN(TstBaseValues)
#include "tst_basevalues.moc"
