// SPDX-License-Identifier: MIT
#include "configreader.h"
#include "configwriter.h"
#include "yamltree.h"

#include <QTest>

#include <random>

using namespace kv;

namespace {

QString errorOf(const QByteArray &yaml)
{
    const Result<LoadedConfig> loaded = readConfig(yaml, QStringLiteral("c.yaml"), QProcessEnvironment());
    return loaded ? QStringLiteral("(no error)") : loaded.error().message;
}

const YamlNode *valueOf(const YamlNode *map, const QString &key)
{
    for (const YamlNode::Entry &entry : map->entries) {
        if (entry.key == key) {
            return entry.value;
        }
    }
    return nullptr;
}

} // namespace

class TstConfigYaml final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTreeHasKindsTextsAndLines()
    {
        ProblemList problems(QStringLiteral("c.yaml"));
        const std::optional<YamlTree> tree
            = parseYaml("a: text\nb:\n  - 1\n  - 'null'\nc: { d: ~ }\ne: |\n  x\n  y\n", problems);
        QVERIFY(tree.has_value());
        const YamlNode *root = tree->root();
        QCOMPARE(root->kind, YamlNode::Kind::Map);
        QCOMPARE(root->entries.size(), 4U);
        QCOMPARE(root->entries.at(2).line, 5);
        const YamlNode *list = valueOf(root, QStringLiteral("b"));
        QCOMPARE(list->kind, YamlNode::Kind::Sequence);
        QCOMPARE(list->items.at(0)->line, 3);
        QCOMPARE(list->items.at(1)->text, u"null"_qs);
        QCOMPARE(
            valueOf(valueOf(root, QStringLiteral("c")), QStringLiteral("d"))->kind, YamlNode::Kind::Null);
        QCOMPARE(valueOf(root, QStringLiteral("e"))->text, u"x\ny\n"_qs);
    }

    void windowsLineEndsAndAByteOrderMarkAreRead()
    {
        const QByteArray yaml = "\xEF\xBB\xBF"
                                "enabled: false\r\nleases:\r\n  idleMs: 7\r\n  holdMs: x\r\n";
        QVERIFY2(
            errorOf(yaml).startsWith(u"c.yaml:4: key 'leases.holdMs': found 'x'"), qPrintable(errorOf(yaml)));
        QByteArray good = yaml;
        good.replace(": x", ": 8");
        const Result<LoadedConfig> loaded = readConfig(good, QStringLiteral("c.yaml"), QProcessEnvironment());
        QVERIFY(loaded.ok());
        QVERIFY(!loaded.value().config.enabled);
        QCOMPARE(loaded.value().config.leases.holdMs, 8);
    }

    void brokenYamlIsAnErrorWithItsLine_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::addColumn<QString>("start");
        const auto row = [](const char *name, const QByteArray &yaml, const char *start) {
            QTest::newRow(name) << yaml << QString::fromUtf8(start);
        };
        row("unclosed quote", "enabled: true\nx: \"abc\n", "c.yaml:");
        row("unclosed brace", "a: { b: 1\n", "c.yaml:");
        row("tab", "leases:\n\tidleMs: 1\n", "c.yaml:");
        row("bad indent", "leases:\n    idleMs: 1\n  holdMs: 1\n", "c.yaml:3: not valid YAML");
        row("unknown alias", "a: *nope\n", "c.yaml:1: not valid YAML");
        row("list as key", "[a, b]: c\n", "c.yaml:1: not valid YAML: a key must be a name");
        row("map as key", "? { a: b }\n: c\n", "c.yaml:1: not valid YAML: a key must be a name");
        row("null as key", "enabled: true\n~: c\n", "c.yaml:2: not valid YAML: a key must be a name");
        row("two documents", "enabled: true\n---\nenabled: false\n",
            "c.yaml:3: a second document begins here");
        row("latin-1", "enabled: true\nx: caf\xE9\n", "c.yaml:2: this is not UTF-8 text");
        row("overlong", "a: \xC0\xAF\n", "c.yaml:1: this is not UTF-8 text");
        row("surrogate", "a: 1\nb: 2\nc: \xED\xA0\x80\n", "c.yaml:3: this is not UTF-8 text");
        row("UTF-16",
            QByteArray("\xFF\xFE"
                       "a\0:\0",
                6),
            "c.yaml:1: this is not UTF-8 text");
        row("NUL", QByteArray("a: 1\nb: \0\n", 10), "c.yaml:2: this is not UTF-8 text");
        row("cut UTF-8", "a: \xE2\x82", "c.yaml:1: this is not UTF-8 text");
    }
    void brokenYamlIsAnErrorWithItsLine()
    {
        QFETCH(const QByteArray, yaml);
        QFETCH(const QString, start);
        const QString error = errorOf(yaml);
        QVERIFY2(error.startsWith(start), qPrintable(error));
    }

    void textOfOtherLanguagesIsUtf8Too()
    {
        QVERIFY(
            errorOf(
                "servers: { a: { baseURL: 'http://h', runtimeKey: 'schlüssel 鍵 🔑' } }\nproviders: [ '本' ]")
            == u"(no error)");
    }

    void aFileThatIsTooLargeIsNotParsed()
    {
        QVERIFY(errorOf(QByteArray(c_maxYamlBytes, '#')) == u"(no error)");
        QVERIFY2(
            errorOf(QByteArray(c_maxYamlBytes + 1, '#')).startsWith(u"c.yaml: the file has 1048577 bytes"),
            qPrintable(errorOf(QByteArray(c_maxYamlBytes + 1, '#'))));
    }

    void anAliasBombIsRefused()
    {
        QByteArray yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
        for (int i = 1; i < 30; ++i) {
            const QByteArray n = QByteArray::number(i);
            const QByteArray p = QByteArray::number(i - 1);
            yaml += "a" + n + ": &a" + n + " [" + QByteArray("*a" + p + ", ").repeated(9) + "*a" + p + "]\n";
        }
        QVERIFY2(errorOf(yaml).contains(u"the file is too large"), qPrintable(errorOf(yaml)));
    }

    void anAliasInsideOfItselfIsRefused()
    {
        QVERIFY2(errorOf("leases: &a { idleMs: *a }\n").contains(u"c.yaml:1: "), "");
        QVERIFY2(errorOf("providers: &a [ *a ]\n").contains(u"alias"),
            qPrintable(errorOf("providers: &a [ *a ]\n")));
    }

    void deepNestingIsRefused_data()
    {
        QTest::addColumn<QByteArray>("yaml");
        QTest::newRow("17 lists") << "a: " + QByteArray(17, '[') + QByteArray(17, ']');
        QTest::newRow("brackets") << "a: " + QByteArray(100'000, '[');
        QTest::newRow("braces") << "a: " + QByteArray(100'000, '{');
        QTest::newRow("dashes") << QByteArray("- ").repeated(20'000);
        QTest::newRow("question marks") << QByteArray("? ").repeated(20'000);
        QByteArray indented;
        for (int i = 0; i < 300; ++i) {
            indented += QByteArray(i, ' ') + "a:\n";
        }
        QTest::newRow("indented") << indented;
    }
    void deepNestingIsRefused()
    {
        QFETCH(const QByteArray, yaml);
        const QString error = errorOf(yaml);
        QVERIFY2(error.contains(u"nested too deep"), qPrintable(error));
    }

    void manyValuesAreRefused()
    {
        const QString error = errorOf("providers: [" + QByteArray("a,").repeated(50'000) + "a]");
        QVERIFY2(error.contains(u"too large"), qPrintable(error));
    }

    void noiseIsAnErrorAndNeverACrash()
    {
        std::mt19937 random(20'240'601); // NOLINT(bugprone-random-generator-seed): the same noise every time
        for (int round = 0; round < 300; ++round) {
            QByteArray noise(int(random() % 400), Qt::Uninitialized);
            for (char &c : noise) {
                c = char(random() % 256);
            }
            if (round % 2 == 0) {
                for (char &c : noise) {
                    c = "{}[]:,-?&*!|>'\"%@`#\n \tab01~<"[unsigned(c) % 29];
                }
            }
            const QString error = errorOf(noise);
            QVERIFY(!error.isEmpty());
        }
    }

    void damagedFilesAreAnErrorOrAConfigurationAndNeverACrash()
    {
        const QByteArray original = defaultConfigText();
        std::mt19937 random(7); // NOLINT(bugprone-random-generator-seed)
        int refused = 0;
        for (int round = 0; round < 400; ++round) {
            QByteArray damaged = original;
            for (int i = 0; i < 4; ++i) {
                damaged[qsizetype(random() % unsigned(damaged.size()))] = char(random() % 128);
            }
            damaged.truncate(qsizetype(random() % unsigned(damaged.size())) + 1);
            refused += errorOf(damaged) == u"(no error)" ? 0 : 1;
        }
        QVERIFY(refused > 0);
        QVERIFY(refused < 400);
    }
};

QTEST_GUILESS_MAIN(TstConfigYaml)
#include "tst_configyaml.moc"
