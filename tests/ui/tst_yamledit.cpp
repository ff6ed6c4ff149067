// SPDX-License-Identifier: MIT
#include "yamledit.h"

#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTest>

#include <yaml-cpp/yaml.h>

using namespace kv;

namespace {

using Kind = YamlChange::Kind;

QStringList pathOf(const QString &dotted) { return dotted.split(QLatin1Char('.')); }

/// The text after the change; empty: refused.
QString changed(const QString &text, const YamlChange &change)
{
    const Result<YamlEdit> edit = YamlEdit::read(text);
    if (!edit) {
        return QStringLiteral("no YAML: ") + edit.error().message;
    }
    const Result<YamlEdit> after = edit.value().with(change);
    return after ? after.value().text() : QString();
}

QString handWritten()
{
    return QString::fromUtf8("# My machine\n"
                             "enabled:   true     # on\n"
                             "\n"
                             "servers:\n"
                             "    # the big one\n"
                             "    local:   { baseURL: \"http://127.0.0.1:8080\" } # here\n"
                             "    other:\n"
                             "        baseURL: 'http://h:1'\n"
                             "        # mode: managed-slots\n"
                             "\n"
                             "# what is saved\n"
                             "checkpoint:\n"
                             "    idleMs: 30000               # quiet\n"
                             "    onSwitch: true              # größer\n"
                             "    minTokens:\n"
                             "# the end\n");
}

} // namespace

class TestYamlEdit final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesOneValue_data();
    void changesOneValue();
    void refuses_data();
    void refuses();
    void keepsLineEndsAndByteOrderMark();
    void saysWhatIsNoYaml();
    void randomChangesChangeOnlyThat();
};

void TestYamlEdit::changesOneValue_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("before"); // a part of the text
    QTest::addColumn<QString>("after"); // what stands there then
    const int set = static_cast<int>(Kind::Set);
    const int remove = static_cast<int>(Kind::Remove);
    const int rename = static_cast<int>(Kind::Rename);
    QTest::newRow("a value, its comment stays in its column") << set << "checkpoint.idleMs"
                                                              << "5"
                                                              << "idleMs: 30000               #"
                                                              << "idleMs: 5                   #";
    QTest::newRow("a longer value") << set << "enabled"
                                    << "falsefalsefalse"
                                    << "true     # on"
                                    << "falsefalsefalse # on";
    QTest::newRow("quotes stay") << set << "servers.other.baseURL"
                                 << "it's"
                                 << "'http://h:1'"
                                 << "'it''s'";
    QTest::newRow("in a one-line map") << set << "servers.local.baseURL"
                                       << "http://[::1]:9"
                                       << "\"http://127.0.0.1:8080\""
                                       << "\"http://[::1]:9\"";
    QTest::newRow("added to a one-line map") << set << "servers.local.mode"
                                             << "managed-slots"
                                             << "8080\" } # here"
                                             << "8080\", mode: managed-slots } # here";
    QTest::newRow("a key without a value") << set << "checkpoint.minTokens"
                                           << "auto"
                                           << "minTokens:\n"
                                           << "minTokens: auto\n";
    QTest::newRow("a missing key goes to the end of its section, with its indentation")
        << set << "servers.other.slotId"
        << "2"
        << "# mode: managed-slots\n"
        << "# mode: managed-slots\n        slotId: 2\n";
    QTest::newRow("a missing section") << set << "restore.verify"
                                       << "strict"
                                       << "# the end\n"
                                       << "# the end\n\nrestore:\n    verify: strict\n";
    QTest::newRow("a missing section in a section")
        << set << "servers.third.baseURL"
        << "http://c"
        << "# mode: managed-slots\n"
        << "# mode: managed-slots\n    third:\n        baseURL: http://c\n";
    QTest::newRow("text that would read as something else is quoted") << set << "checkpoint.minTokens"
                                                                      << "a: b # c"
                                                                      << "minTokens:\n"
                                                                      << "minTokens: 'a: b # c'\n";
    QTest::newRow("a removed value leaves its comment") << remove << "checkpoint.onSwitch"
                                                        << ""
                                                        << "    onSwitch: true              # größer\n"
                                                        << "    # größer\n";
    QTest::newRow("a removed section takes its own comments along")
        << remove << "servers.other"
        << ""
        << "    other:\n        baseURL: 'http://h:1'\n        # mode: managed-slots\n"
        << "";
    QTest::newRow("removed from a one-line map") << remove << "servers.local.baseURL"
                                                 << ""
                                                 << "{ baseURL: \"http://127.0.0.1:8080\" }"
                                                 << "{ }";
    QTest::newRow("renamed") << rename << "servers.local"
                             << "big"
                             << "local:   {"
                             << "big:   {";
}

void TestYamlEdit::changesOneValue()
{
    QFETCH(int, kind);
    QFETCH(QString, path);
    QFETCH(QString, value);
    QFETCH(QString, before);
    QFETCH(QString, after);
    const QString text = handWritten();
    QCOMPARE(text.count(before), 1);
    QString expected = text;
    expected.replace(before, after);
    QCOMPARE(changed(text, { static_cast<Kind>(kind), pathOf(path), value }), expected);
}

void TestYamlEdit::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("path");
    QTest::newRow("a list") << "a: [ 1, 2 ]\n"
                            << "a";
    QTest::newRow("a section") << "a:\n  b: 1\n"
                               << "a";
    QTest::newRow("below a value") << "a: 1\n"
                                   << "a.b";
    QTest::newRow("below a list") << "a:\n  - b: 1\n"
                                  << "a.b";
    QTest::newRow("a text of several lines") << "a: |\n  one\n  two\n"
                                             << "a";
    QTest::newRow("a folded text") << "a: one\n  two\n"
                                   << "a";
    QTest::newRow("a quoted text of several lines") << "a: \"one\n  two\"\n"
                                                    << "a";
    QTest::newRow("an anchor") << "a: &x 1\nb: *x\n"
                               << "a";
    QTest::newRow("an alias") << "a: &x 1\nb: *x\n"
                              << "b";
    QTest::newRow("inside of what an alias names") << "a: &x\n  c: 1\nb: *x\n"
                                                   << "a.c";
    QTest::newRow("inside of an alias") << "a: &x\n  c: 1\nb: *x\n"
                                        << "b.c";
    QTest::newRow("added to what an alias names") << "a: &x { c: 1 }\nb: *x\n"
                                                  << "a.d";
    QTest::newRow("a tag") << "a: !!str 1\n"
                           << "a";
    QTest::newRow("the same key twice") << "a: 1\na: 2\n"
                                        << "a";
    QTest::newRow("explicit keys") << "? a\n: b: 1\n"
                                   << "a.c.d";
    QTest::newRow("a list at the top") << "- a\n- b\n"
                                       << "a";
}

void TestYamlEdit::refuses()
{
    QFETCH(QString, text);
    QFETCH(QString, path);
    const Result<YamlEdit> edit = YamlEdit::read(text);
    QVERIFY(edit.ok());
    const Result<YamlEdit> after = edit.value().with({ Kind::Set, pathOf(path), QStringLiteral("new") });
    QVERIFY2(!after.ok(), after.ok() ? qUtf8Printable(after.value().text()) : "");
    QVERIFY2(after.error().message.contains(path), qUtf8Printable(after.error().message));
}

void TestYamlEdit::keepsLineEndsAndByteOrderMark()
{
    const QString text = QChar(0xFEFF) + QStringLiteral("a: 1\r\n# x\r\nb:\r\n  c: 2\r\n");
    QCOMPARE(changed(text, { Kind::Set, pathOf(QStringLiteral("b.d")), QStringLiteral("3") }),
        text + QStringLiteral("  d: 3\r\n"));
    QCOMPARE(changed(QStringLiteral("a: 1"), { Kind::Set, { QStringLiteral("b") }, QStringLiteral("2") }),
        QStringLiteral("a: 1\nb: 2\n"));
    QCOMPARE(changed({}, { Kind::Set, pathOf(QStringLiteral("a.b")), QStringLiteral("2") }),
        QStringLiteral("a:\n  b: 2\n"));
    QCOMPARE(
        changed(QStringLiteral("a: 1\n...\n"), { Kind::Set, { QStringLiteral("b") }, QStringLiteral("2") }),
        QStringLiteral("a: 1\nb: 2\n...\n"));
}

void TestYamlEdit::saysWhatIsNoYaml()
{
    const Result<YamlEdit> edit = YamlEdit::read(QStringLiteral("a: 1\nb: [\n"));
    QVERIFY(!edit.ok());
    QVERIFY2(edit.error().message.contains(QStringLiteral("line ")), qUtf8Printable(edit.error().message));
    QVERIFY(!YamlEdit::read(QStringLiteral("a: 1\n---\nb: 2\n")).ok());
    QVERIFY(!YamlEdit::read(QStringLiteral("a:\n\t- b: 1\n\tc: 2\n")).ok());
}

namespace {

/// Texts as people may write them, and changes of them.
class Writer final {
public:
    explicit Writer(quint32 seed)
        : m_random(seed)
    {
    }

    QString file()
    {
        m_paths.clear();
        QString text = chance(3) ? QStringLiteral("# head\n\n") : QString();
        map(text, 0, {}, 0);
        return chance(6) ? text.chopped(1) : text;
    }

    YamlChange change()
    {
        YamlChange change;
        change.kind = static_cast<Kind>(number(3));
        change.path = m_paths.at(number(static_cast<int>(m_paths.size())));
        change.value = value();
        if (change.kind == Kind::Set && chance(3)) {
            change.path.removeLast();
            change.path += { QStringLiteral("added%1").arg(number(5)), QStringLiteral("deep") };
        } else if (change.kind == Kind::Rename) {
            change.value = QStringLiteral("renamed%1").arg(number(1000));
        }
        return change;
    }

private:
    int number(int below) { return static_cast<int>(m_random.bounded(static_cast<quint32>(below))); }
    bool chance(int of) { return number(of) == 0; }

    QString value()
    {
        static const QStringList values { QStringLiteral("true"), QStringLiteral("off"),
            QStringLiteral("30000"), QStringLiteral("http://127.0.0.1:8080"), QStringLiteral("50GB"),
            QStringLiteral("~/x y"), QStringLiteral("#no"), QStringLiteral("a #b"), QStringLiteral("k: v"),
            QString::fromUtf8("größer 中文 🙂"), QStringLiteral("it's"), QStringLiteral("say \"x\"\\"),
            QString(), QStringLiteral("null"), QStringLiteral("- x"), QStringLiteral("a, b]"),
            QStringLiteral("*x"), QStringLiteral("tab\there"), QStringLiteral("two\nlines"),
            QStringLiteral("end:"), QStringLiteral(" padded "), QStringLiteral("!x"), QStringLiteral("%x"),
            QStringLiteral("?") };
        return values.at(number(static_cast<int>(values.size())));
    }

    QString scalar(bool flow)
    {
        static const QStringList plain { QStringLiteral("true"), QStringLiteral("a#b"),
            QStringLiteral("http://127.0.0.1:8080"), QStringLiteral("two words"), QStringLiteral("~"),
            QStringLiteral("'it''s: # x'"), QStringLiteral("\"a \\\" b # c\""), QString::fromUtf8("'größer'"),
            QStringLiteral("''") };
        return flow && chance(2) ? QStringLiteral("x") : plain.at(number(static_cast<int>(plain.size())));
    }

    QString comment()
    {
        return chance(2) ? QString()
                         : QString(1 + number(8), u' ') + QStringLiteral("# c%1").arg(++m_comments);
    }

    void map(QString &text, int indent, const QStringList &path, int depth)
    {
        const int step = 1 + number(4);
        for (int i = 0, count = 1 + number(4); i < count; ++i) {
            if (chance(4)) {
                text += chance(2)
                    ? QStringLiteral("\n")
                    : QString(number(indent + 3), u' ') + QStringLiteral("# c%1\n").arg(++m_comments);
            }
            const QString key
                = chance(8) ? QStringLiteral("k %1").arg(++m_keys) : QStringLiteral("k%1").arg(++m_keys);
            const QStringList here = path + QStringList(key);
            m_paths.append(here);
            text += QString(indent, u' ') + (chance(8) ? u'"' + key + u'"' : key) + QStringLiteral(":");
            const int kind = number(depth < 3 ? 10 : 6);
            if (kind < 4) {
                text += QString(1 + number(3), u' ') + scalar(false) + comment() + u'\n';
            } else if (kind == 4) {
                text += comment() + u'\n'; // nothing
            } else if (kind == 5) {
                flow(text, here);
            } else if (kind == 6) {
                text += QStringLiteral(" |\n") + QString(indent + 2, u' ')
                    + QStringLiteral("literal # no comment\n");
            } else if (kind == 7) {
                text += QStringLiteral("\n") + QString(indent, u' ') + QStringLiteral("- item\n");
            } else {
                text += comment() + u'\n';
                map(text, indent + step, here, depth + 1);
            }
        }
    }

    void flow(QString &text, const QStringList &path)
    {
        text += QStringLiteral(" { ");
        for (int i = 0, count = number(3); i < count; ++i) {
            const QString key = QStringLiteral("f%1").arg(i);
            m_paths.append(path + QStringList(key));
            text += (i > 0 ? QStringLiteral(", ") : QString()) + key + QStringLiteral(": ") + scalar(true);
        }
        text += QStringLiteral(" }") + comment() + u'\n';
    }

    QRandomGenerator m_random;
    QList<QStringList> m_paths;
    int m_comments = 0;
    int m_keys = 0;
};

/// The values in a form to compare, by yaml-cpp's own reader; "" and nothing differ.
QString flat(const YAML::Node &node, const QString &path = {})
{
    QString out;
    if (node.IsMap()) {
        for (const auto &entry : node) {
            out += flat(entry.second, path + u'/' + QString::fromStdString(entry.first.as<std::string>()));
        }
        return node.size() == 0 ? path + QStringLiteral(" nothing\n") : out;
    }
    if (node.IsSequence()) {
        for (const auto &item : node) {
            out += flat(item, path + QStringLiteral("/-"));
        }
        return out;
    }
    return path
        + (node.IsScalar() ? QStringLiteral("=")
                    + QString::fromStdString(node.Scalar()).toHtmlEscaped().replace(u'\n', u'|')
                           : QStringLiteral(" nothing"))
        + u'\n';
}

/// The same change in the flat form; empty: it makes no sense there.
QStringList expectedLines(const QString &before, const YamlChange &change)
{
    const QString path = u'/' + change.path.join(u'/');
    QString value = change.value.toHtmlEscaped();
    value.replace(u'\n', u'|');
    QStringList out;
    bool found = false;
    const QStringList lines = before.split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const bool here = line.startsWith(path)
            && QStringLiteral("/= ").contains(line.at(std::min(path.size(), line.size() - 1)));
        if (!here) {
            out.append(line);
            continue;
        }
        found = true;
        if (change.kind == Kind::Set) {
            out.append(path + u'=' + value);
        } else if (change.kind == Kind::Rename) {
            out.append(path.left(path.lastIndexOf(u'/') + 1) + change.value + line.mid(path.size()));
        }
    }
    if (!found && change.kind == Kind::Set) {
        out.append(path + u'=' + value);
    }
    return out;
}

/// Lines that say that nothing is there come and go with the keys below them.
QStringList comparable(QStringList lines)
{
    lines.removeIf([](const QString &line) { return line.endsWith(QStringLiteral(" nothing")); });
    lines.sort();
    return lines;
}

QStringList commentsOf(const QString &text)
{
    static const QRegularExpression comment(QStringLiteral("# (c\\d+|head)\\b"));
    QStringList out;
    for (auto match = comment.globalMatch(text); match.hasNext();) {
        out.append(match.next().captured(1));
    }
    return out;
}

} // namespace

void TestYamlEdit::randomChangesChangeOnlyThat()
{
    int done = 0;
    int refused = 0;
    for (quint32 seed = 1; seed <= 4000; ++seed) {
        Writer writer(seed);
        const QString before = writer.file();
        const Result<YamlEdit> edit = YamlEdit::read(before);
        QVERIFY2(edit.ok(), qUtf8Printable(before));
        const YamlChange change = writer.change();
        const Result<YamlEdit> after = edit.value().with(change);
        if (!after) {
            ++refused;
            continue;
        }
        ++done;
        const QString text = after.value().text();
        const QString what = QStringLiteral("seed %1, kind %2, %3 = %4\n--- before\n%5\n--- after\n%6")
                                 .arg(seed)
                                 .arg(static_cast<int>(change.kind))
                                 .arg(change.path.join(u'.'), change.value, before, text);
        const QStringList expected
            = comparable(expectedLines(flat(YAML::Load(before.toStdString())), change));
        const QStringList found
            = comparable(flat(YAML::Load(text.toStdString())).split(u'\n', Qt::SkipEmptyParts));
        QVERIFY2(expected == found, qUtf8Printable(what));
        if (change.kind != Kind::Remove) {
            QVERIFY2(commentsOf(text) == commentsOf(before), qUtf8Printable(what));
        }
    }
    qInfo("%d changes done, %d refused", done, refused);
    QVERIFY(done > 3 * refused);
}

QTEST_GUILESS_MAIN(TestYamlEdit)
#include "tst_yamledit.moc"
