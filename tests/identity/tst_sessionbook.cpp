// SPDX-License-Identifier: MIT
#include "sessionbook.h"

#include <QSet>
#include <QtTest>

using namespace kv;

namespace {

QByteArray message(const QByteArray &role, const QByteArray &text)
{
    return "{\"role\":\"" + role + "\",\"content\":\"" + text + "\"}";
}

/// The first word is the system message's text; users and assistants take turns after it.
PromptChain chat(const QList<QByteArray> &texts, const QByteArray &tools = {}, const QByteArray &model = "m")
{
    QByteArray messages;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        messages += (i == 0 ? "" : ",")
            + message(i == 0     ? "system"
                    : i % 2 == 1 ? "user"
                                 : "assistant",
                texts[i]);
    }
    const QByteArray body = "{\"model\":\"" + model + "\""
        + (tools.isEmpty() ? QByteArray() : ",\"tools\":[" + tools + "]") + ",\"messages\":[" + messages
        + "]}";
    return readChain(ApiKind::ChatCompletions, *skimObject(body));
}

SessionClaim named(const char *session)
{
    SessionClaim claim;
    claim.session = QString::fromLatin1(session);
    claim.why = QStringLiteral("header x");
    return claim;
}

const QByteArray c_tools = "{\"name\":\"t\"}";

} // namespace

class TestSessionBook final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPromptThatGoesOnIsTheSameSession()
    {
        SessionBook book;
        const Sighting first = book.see({}, chat({ "s", "u1" }));
        QVERIFY(first.session.startsWith(u"prompt-"));
        QVERIFY(!first.known);
        const Sighting second = book.see({}, chat({ "s", "u1", "a1", "u2" }));
        QCOMPARE(second.session, first.session);
        QVERIFY(second.known && second.fork.isEmpty() && !second.drift);
        QCOMPARE(second.shared, std::size_t { 2 });
        QCOMPARE(book.see({}, chat({ "s", "u1", "a1", "u2" })).session, first.session); // said again
    }

    void anotherConversationIsAnotherSession()
    {
        SessionBook book;
        const QString first = book.see({}, chat({ "s", "u1" })).session;
        const Sighting other = book.see({}, chat({ "s", "v1" }));
        QVERIFY(other.session != first);
        QVERIFY(other.fork.isEmpty()); // a system message in common is no sign of a fork
        QVERIFY(book.see({}, chat({ "s", "u1" }, {}, "other model")).session != first);
        QVERIFY(book.see({}, chat({ "s", "u1" }, c_tools)).session != first);
        QCOMPARE(book.see({}, chat({ "s", "u1", "a", "u" })).session, first);
    }

    void aForkIsASessionOfItsOwn()
    {
        SessionBook book;
        const QString trunk = book.see({}, chat({ "s", "u1", "a1", "u2" })).session;
        const Sighting fork = book.see({}, chat({ "s", "u1", "a1", "v2" }));
        QVERIFY(fork.session != trunk);
        QCOMPARE(fork.fork, trunk);
        QCOMPARE(fork.shared, std::size_t { 3 });
        QCOMPARE(book.see({}, chat({ "s", "u1", "a1", "v2", "b2", "v3" })).session, fork.session);
        QCOMPARE(book.see({}, chat({ "s", "u1", "a1", "u2", "a2", "u3" })).session, trunk);
    }

    void twoThatBeginAlikeAreKeptApart()
    {
        SessionBook book;
        const QString first = book.see({}, chat({ "s", "hi" })).session;
        QCOMPARE(book.see({}, chat({ "s", "hi", "a", "u" })).session, first);
        const Sighting again = book.see({}, chat({ "s", "hi" }));
        QVERIFY(again.session != first);
        QCOMPARE(again.fork, first);
    }

    void isFoundAgainAfterARestart()
    {
        QSet<QString> onRecord;
        QString first;
        {
            SessionBook book;
            first = book.see({}, chat({ "s", "u1" })).session;
        }
        onRecord.insert(first);
        SessionBook book(SessionBook::Limits(), [&](const QString &name) { return onRecord.contains(name); });
        const Sighting found = book.see({}, chat({ "s", "u1", "a1", "u2", "a2", "u3" }));
        QCOMPARE(found.session, first);
        QVERIFY(found.known);
        QVERIFY(book.see({}, chat({ "s", "x" })).session != first);
    }

    void aTitleUnderTheConversationsIdIsAuxiliary()
    {
        SessionBook book;
        QVERIFY(!book.see(named("ses"), chat({ "s", "u1" }, c_tools)).auxiliary);
        const Sighting title = book.see(named("ses"), chat({ "title!", "Generate", "u1" }));
        QVERIFY(title.auxiliary);
        QCOMPARE(title.session, QStringLiteral("ses"));
        const Sighting next = book.see(named("ses"), chat({ "s", "u1", "a1", "u2" }, c_tools));
        QVERIFY(!next.auxiliary && !next.drift);
        QVERIFY(book.see(named("ses"), chat({ "title!", "Generate", "u2" })).auxiliary);
    }

    void theTitleMayComeFirst()
    {
        SessionBook book;
        book.see(named("ses"), chat({ "title!", "Generate", "u1" }));
        QVERIFY(!book.see(named("ses"), chat({ "s", "u1" }, c_tools)).auxiliary);
        QVERIFY(!book.see(named("ses"), chat({ "s", "u1", "a1", "u2" }, c_tools)).auxiliary);
        QVERIFY(book.see(named("ses"), chat({ "title!", "Generate", "u1" })).auxiliary);
    }

    void aConversationBegunAnewUnderItsIdIsFollowed()
    {
        SessionBook book;
        book.see(named("ses"), chat({ "s", "u1", "a1", "u2" }));
        QVERIFY(book.see(named("ses"), chat({ "t", "v1" })).auxiliary);
        QVERIFY(!book.see(named("ses"), chat({ "t", "v1", "b1", "v2" })).auxiliary);
        QVERIFY(!book.see(named("ses"), chat({ "t", "v1", "b1", "v2", "b2", "v3" })).auxiliary);
    }

    void driftSaysWhichMessageChanged()
    {
        SessionBook book;
        book.see(named("ses"), chat({ "s", "u1" }));
        QVERIFY(!book.see(named("ses"), chat({ "s", "u1", "a1", "u2" })).drift);
        const Sighting drifted = book.see(named("ses"), chat({ "s", "u1", "A1", "u2", "a2", "u3" }));
        QVERIFY(!drifted.auxiliary);
        QVERIFY(drifted.drift.has_value());
        QCOMPARE(drifted.drift->text(), QStringLiteral("turn 3: message 3 of 4 changed"));
        QVERIFY(!book.see(named("ses"), chat({ "s", "u1", "A1" })).drift); // cut short: nothing is another
    }

    void aSystemPromptWithADateInItDrifts()
    {
        SessionBook book;
        book.see(named("a"), chat({ "monday", "u1" }));
        const Sighting byMessages = book.see(named("a"), chat({ "tuesday", "u1", "a1", "u2" }));
        QVERIFY(!byMessages.auxiliary);
        QCOMPARE(byMessages.drift->text(), QStringLiteral("turn 2: message 1 of 2 changed"));
        book.see(named("b"), chat({ "monday", "u1" }, c_tools));
        const Sighting byTools = book.see(named("b"), chat({ "tuesday", "compacted" }, c_tools));
        QVERIFY(!byTools.auxiliary);
    }

    void toolsThatChangeDrift()
    {
        SessionBook book;
        book.see(named("a"), chat({ "s", "u1" }, c_tools));
        const Sighting seen = book.see(named("a"), chat({ "s", "u1", "a1", "u2" }, "{\"name\":\"other\"}"));
        QCOMPARE(seen.drift->text(), QStringLiteral("turn 2: the list of tools changed"));
    }

    void aCompactionIsTheConversationAndNoDrift()
    {
        SessionBook book;
        book.see(named("a"), chat({ "s", "u1" }));
        SessionClaim compaction = named("a");
        compaction.compaction = true;
        const Sighting seen = book.see(compaction, chat({ "s", "u1", "a1", "shorten" }));
        QVERIFY(seen.compaction && !seen.auxiliary && !seen.drift);
        QVERIFY(!book.see(named("a"), chat({ "s", "u1", "a1", "u2" })).drift);
    }

    void withoutIdAndWithoutPromptThereIsNoSession()
    {
        SessionBook book;
        const Sighting seen
            = book.see({}, readChain(ApiKind::Completion, *skimObject("{\"prompt\":\"short\"}")));
        QVERIFY(seen.session.isEmpty());
        QCOMPARE(book.sessions(), std::size_t { 0 });
    }

    void theBookIsBounded()
    {
        SessionBook book(SessionBook::Limits { 8, 100 });
        for (int i = 0; i < 50; ++i) {
            book.see({}, chat({ "s", QByteArray::number(i) }));
        }
        QCOMPARE(book.sessions(), std::size_t { 8 });
        const QString kept = book.see({}, chat({ "s", "42" })).session; // used again, so not the oldest
        for (int i = 0; i < 7; ++i) {
            book.see({}, chat({ "s", "x" + QByteArray::number(i) }));
        }
        QCOMPARE(book.see({}, chat({ "s", "42", "a", "u" })).session, kept);
        QList<QByteArray> many(90, "m");
        book.see({}, chat(many));
        QVERIFY(book.sessions() < 8);
        for (int i = 0; i < 50; ++i) {
            book.see(named("one"), chat({ "s" + QByteArray::number(i), "u" })); // replaced, not piled up
        }
        QVERIFY(book.sessions() >= 1);
    }
};

QTEST_GUILESS_MAIN(TestSessionBook)
#include "tst_sessionbook.moc"
