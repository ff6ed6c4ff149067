// SPDX-License-Identifier: MIT
#include "snapshotname.h"

#include <QSet>
#include <QTest>

#include <limits>

using namespace kv;

namespace {
const QString c_prefix = QStringLiteral("0123456789abcdef");
}

class TestSnapshotName final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreMadeAndReadBack()
    {
        QCOMPARE(snapshotFileName(c_prefix, 0), QStringLiteral("0123456789abcdef-0.bin"));
        for (const NameNumber number : { NameNumber { 0 }, NameNumber { 1 }, NameNumber { 10 },
                 NameNumber { 4711 }, std::numeric_limits<NameNumber>::max() }) {
            const auto parsed = parseSnapshotFileName(snapshotFileName(c_prefix, number));
            QVERIFY(parsed.has_value());
            QCOMPARE(*parsed, (SnapshotName { c_prefix, number }));
        }
    }

    void nothingElseIsEverAName_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList bad { QString(), QStringLiteral("a.bin"), QStringLiteral("0123456789abcdef-.bin"),
            QStringLiteral("0123456789abcdef-01.bin"), QStringLiteral("0123456789abcdef-+1.bin"),
            QStringLiteral("0123456789abcdef--1.bin"), QStringLiteral("0123456789abcdef- 1.bin"),
            QStringLiteral("0123456789abcdef-1 .bin"), QStringLiteral("0123456789abcdef-0x1.bin"),
            QStringLiteral("0123456789abcdef-1.bin.bin"), QStringLiteral("0123456789abcdef-1.BIN"),
            QStringLiteral("0123456789abcdef-1.bi"), QStringLiteral("0123456789abcdef-1bin"),
            QStringLiteral("0123456789ABCDEF-1.bin"), QStringLiteral("0123456789abcdeg-1.bin"),
            QStringLiteral("0123456789abcde-1.bin"), QStringLiteral("0123456789abcdef0-1.bin"),
            QStringLiteral("0123456789abcdef_1.bin"),
            QStringLiteral("0123456789abcdef-9223372036854775808.bin"),
            QStringLiteral("0123456789abcdef-1e3.bin"), QStringLiteral("0123456789abcdef-1.bin\n"),
            QStringLiteral(" 0123456789abcdef-1.bin"), QStringLiteral("./0123456789abcdef-1.bin"),
            QStringLiteral("../456789abcdef0-1.bin"), QStringLiteral("0123456789abcdef-1.bin/"),
            QStringLiteral("0123456789abcdef-1/2.bin"), QStringLiteral("0123456789abcdef-\u0661.bin"),
            QStringLiteral("\uff10123456789abcdef-1.bin"), QStringLiteral("0123456789abcdef-1,000.bin"),
            QStringLiteral("0123456789abcdef-1.bin.ckpt"),
            c_prefix + QStringLiteral("-1") + QChar(0) + QStringLiteral(".bin") };
        for (const QString &name : bad) {
            QTest::addRow("%s", qPrintable(name)) << name;
        }
    }

    void nothingElseIsEverAName()
    {
        QFETCH(QString, name);
        QVERIFY(!parseSnapshotFileName(name).has_value());
    }

    void noNameIsMadeOfBadParts()
    {
        QVERIFY(snapshotFileName(c_prefix, -1).isEmpty());
        QVERIFY(snapshotFileName({}, 1).isEmpty());
        QVERIFY(snapshotFileName(QStringLiteral("../../../../etc"), 1).isEmpty());
        QVERIFY(snapshotFileName(c_prefix.toUpper(), 1).isEmpty());
    }

    void randomPrefixesAreWellFormedAndDiffer()
    {
        QSet<QString> seen;
        for (int i = 0; i < 1000; ++i) {
            const QString prefix = randomNamePrefix();
            QVERIFY(isNamePrefix(prefix));
            seen.insert(prefix);
        }
        QCOMPARE(seen.size(), 1000);
    }

    void aServersPrefixIsTheDigestOfPrefixAndName()
    {
        // printf '0123456789abcdeflocal' | sha256sum
        QCOMPARE(serverNamePrefix(c_prefix, QStringLiteral("local")), QStringLiteral("b41319db11c74d41"));
        QVERIFY(serverNamePrefix(c_prefix, QStringLiteral("a"))
            != serverNamePrefix(c_prefix, QStringLiteral("b")));
        QVERIFY(isNamePrefix(serverNamePrefix(c_prefix, QStringLiteral("../ü"))));
    }
};

QTEST_GUILESS_MAIN(TestSnapshotName)
#include "tst_snapshotname.moc"
