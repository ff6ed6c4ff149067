// SPDX-License-Identifier: MIT
#include "translation.h"

#include <QTest>

using namespace kv;

class TestTranslation final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choosesWhatItsUserReads_data()
    {
        QTest::addColumn<QStringList>("languages");
        QTest::addColumn<QString>("chosen");
        const auto row = [](const char *name, const QStringList &languages, const QString &chosen) {
            QTest::newRow(name) << languages << chosen;
        };
        row("none", {}, {});
        row("the same", { QStringLiteral("de") }, QStringLiteral("de"));
        row("another country", { QStringLiteral("de-AT") }, QStringLiteral("de"));
        row("by its script", { QStringLiteral("zh-Hans-SG") }, QStringLiteral("zh_CN"));
        row("another script", { QStringLiteral("zh-Hant-TW") }, {});
        row("the second best", { QStringLiteral("fr-FR"), QStringLiteral("de-DE") }, QStringLiteral("de"));
        row("English first", { QStringLiteral("en-GB"), QStringLiteral("de-DE") }, QStringLiteral("en"));
        row("no locale", { QStringLiteral("C") }, QStringLiteral("en"));
        row("nothing fits", { QStringLiteral("fr-FR") }, {});
    }
    void choosesWhatItsUserReads()
    {
        QFETCH(const QStringList, languages);
        QFETCH(const QString, chosen);
        const QStringList available { QStringLiteral("de"), QStringLiteral("en"), QStringLiteral("zh_CN") };
        QCOMPARE(catalogueFor(languages, available), chosen);
    }
    void withoutAnEnglishCatalogueItsTextsAreInTheSources()
    {
        QCOMPARE(catalogueFor({ QStringLiteral("en"), QStringLiteral("de") }, { QStringLiteral("de") }),
            QString());
    }
};

QTEST_GUILESS_MAIN(TestTranslation)
#include "tst_translation.moc"
