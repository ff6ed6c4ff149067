// SPDX-License-Identifier: MIT
#include "cliformat.h"
#include "table.h"

#include <QRegularExpression>
#include <QTest>

using namespace kv;

class TestCliFormat : public QObject {
    Q_OBJECT

    static QString printed(const Table &table, bool colour = false, int indent = 0)
    {
        QString out;
        QString none;
        QTextStream outStream(&out);
        QTextStream errStream(&none);
        QTextStream inStream(&none);
        table.print(Terminal { outStream, errStream, inStream, false, false, colour }, indent);
        return out;
    }

private Q_SLOTS:
    void durationsAreReadAndNothingElse()
    {
        QCOMPARE(parseDuration(QStringLiteral("500ms")).value_or(-1), 500);
        QCOMPARE(parseDuration(QStringLiteral("90s")).value_or(-1), 90'000);
        QCOMPARE(parseDuration(QStringLiteral("10min")).value_or(-1), 600'000);
        QCOMPARE(parseDuration(QStringLiteral("10m")).value_or(-1), 600'000);
        QCOMPARE(parseDuration(QStringLiteral("1h 30min")).value_or(-1), 5'400'000);
        QCOMPARE(parseDuration(QStringLiteral("2d")).value_or(-1), 172'800'000);
        for (const char *wrong : { "", "5", "h", "-1h", "1.5h", "1h30", "1 week", "9999999999s" }) {
            QVERIFY2(!parseDuration(QString::fromUtf8(wrong)), wrong);
        }
    }

    void controlCharactersDoNotReachTheTerminal()
    {
        const QString evil
            = QStringLiteral("a\x1b[31mb\x07") + QChar(0x202E) + QChar(0) + QStringLiteral("c\nd\te");
        const QString shown = printable(evil);
        for (const QChar c : shown) {
            QVERIFY(c.unicode() >= 0x20 && c.unicode() != 0x202E);
        }
        QVERIFY(shown.endsWith(QStringLiteral("c d e")));
        QCOMPARE(
            printable(QStringLiteral("äß 漢字 👩‍👧")), QStringLiteral("äß 漢字 👩‍👧"));
    }

    void widthCountsCellsNotCharacters()
    {
        QCOMPARE(displayWidth(QStringLiteral("abc")), 3);
        QCOMPARE(displayWidth(QStringLiteral("äöü")), 3);
        QCOMPARE(displayWidth(QStringLiteral("a") + QChar(0x0308)), 1);
        QCOMPARE(displayWidth(QStringLiteral("漢字")), 4);
        QCOMPARE(displayWidth(QStringLiteral("😀")), 2);
    }

    void columnsAreAlignedByWidthAndEmptyOnesLeftOut()
    {
        Table table({ { QStringLiteral("NAME") }, { QStringLiteral("NOTHING") },
            { QStringLiteral("N"), Table::Align::Right }, { QStringLiteral("LAST") } });
        table.add({ QStringLiteral("漢字"), {}, QStringLiteral("7"), QStringLiteral("x") });
        table.add({ QStringLiteral("abcdef"), {}, QStringLiteral("1234"), {} });
        QCOMPARE(printed(table),
            QStringLiteral("NAME       N  LAST\n"
                           "漢字       7  x\n"
                           "abcdef  1234\n"));
        QCOMPARE(printed(table, false, 2).count(QStringLiteral("\n  ")), 2);
    }

    void longTextsAreCutToTheColumn()
    {
        Table table({ { QStringLiteral("L"), Table::Align::Left, 5 }, { QStringLiteral("R") } });
        table.add({ QStringLiteral("abcdefgh"), QStringLiteral("r") });
        table.add({ QStringLiteral("漢漢漢漢"), QStringLiteral("r") });
        QCOMPARE(printed(table), QStringLiteral("L      R\nabcd…  r\n漢漢…  r\n"));
    }

    void coloursDoNotMoveColumns()
    {
        Table table({ { QStringLiteral("S") }, { QStringLiteral("T") } });
        table.add({ Table::Cell(QStringLiteral("ok"), Style::Good), QStringLiteral("t") });
        QString plain = printed(table, true);
        QVERIFY(plain.contains(QStringLiteral("\x1b[32mok\x1b[0m")));
        plain.remove(QRegularExpression(QStringLiteral("\x1b\\[\\d*m")));
        QCOMPARE(plain, printed(table, false));
    }

    void absentFieldsAreEmptyTexts()
    {
        const QJsonValue absent(QJsonValue::Undefined);
        QCOMPARE(countText(absent), QString());
        QCOMPARE(bytesText(absent), QString());
        QCOMPARE(durationText(absent), QString());
        QCOMPARE(ageText(absent, 0), QString());
        QCOMPARE(localTimeText(absent), QString());
        QCOMPARE(rateText(absent), QString());
        QCOMPARE(countText(0), QStringLiteral("0"));
        QCOMPARE(bytesText(1'610'612'736), QStringLiteral("1.5 GiB"));
    }
};

QTEST_GUILESS_MAIN(TestCliFormat)
#include "tst_cliformat.moc"
