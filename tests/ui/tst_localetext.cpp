// SPDX-License-Identifier: MIT
#include "localetext.h"

#include <QLocale>
#include <QTest>

using namespace kv;

class TestLocaleText final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QLocale::setDefault(QLocale(QLocale::English)); }
    void tokensAreShort();
    void numbersFollowTheLocale();
    void durations();
};

void TestLocaleText::tokensAreShort()
{
    QCOMPARE(localeTokens(0), QStringLiteral("0"));
    QCOMPARE(localeTokens(812), QStringLiteral("812"));
    QCOMPARE(localeTokens(48'712), QStringLiteral("48.7K"));
    QCOMPARE(localeTokens(999'949), QStringLiteral("999.9K"));
    QCOMPARE(localeTokens(999'950), QStringLiteral("1.0M"));
    QCOMPARE(localeTokens(131'072), QStringLiteral("131.1K"));
}

void TestLocaleText::numbersFollowTheLocale()
{
    QLocale::setDefault(QLocale(QLocale::German));
    QCOMPARE(localeTokens(48'712), QStringLiteral("48,7K"));
    QCOMPARE(localeCount(12'345), QStringLiteral("12.345"));
    QCOMPARE(localeBytes(1'610'612'736), QStringLiteral("1,5 GiB"));
    QCOMPARE(localeDuration(3200), QStringLiteral("3,2 s"));
}

void TestLocaleText::durations()
{
    QCOMPARE(localeDuration(0.4), QStringLiteral("0.4 ms"));
    QCOMPARE(localeDuration(188), QStringLiteral("188 ms"));
    QCOMPARE(localeDuration(125'000), QStringLiteral("2 min 5 s"));
    QCOMPARE(localeDuration(11'520'000), QStringLiteral("3 h 12 min"));
    QCOMPARE(localeAge(1000), QStringLiteral("just now"));
    QCOMPARE(localeAge(40'000), QStringLiteral("40 s ago"));
}

QTEST_GUILESS_MAIN(TestLocaleText)
#include "tst_localetext.moc"
