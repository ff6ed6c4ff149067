// SPDX-License-Identifier: MIT
#include "promptchain.h"

#include <QtTest>

using namespace kv;

namespace {

PromptChain chainOf(const QByteArray &body, ApiKind api = ApiKind::ChatCompletions)
{
    const auto members = skimObject(body);
    return members ? readChain(api, *members) : PromptChain {};
}

} // namespace

class TestPromptChain final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneHashAMessage()
    {
        const PromptChain chain
            = chainOf("{\"model\":\"m\",\"messages\":[{\"role\":\"system\",\"content\":\"s\"},"
                      "{\"role\":\"user\",\"content\":\"hi\"}],\"stream\":true}");
        QCOMPARE(chain.parts.size(), std::size_t { 2 });
        QCOMPARE(chain.opening, std::size_t { 1 });
        QVERIFY(!chain.hasTools);
        QVERIFY(chain.parts[0] != chain.parts[1]);
    }

    void blanksAndCacheMarksDoNotCount()
    {
        const PromptChain plain = chainOf(
            "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a b\"}]}]}");
        const PromptChain spaced
            = chainOf("{\"messages\": [ {\"role\": \"user\",\n \"content\": [ {\"type\": \"text\", "
                      "\"text\": \"a b\" , \"cache_control\": {\"type\": \"ephemeral\"}} ] } ]}");
        QVERIFY(plain.parts == spaced.parts);
        const PromptChain other = chainOf(
            "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a  b\"}]}]}");
        QVERIFY(plain.parts != other.parts); // blanks inside a text do
    }

    void everyPartOfTheHeadCounts()
    {
        const QByteArray body
            = "{\"model\":\"m\",\"system\":\"s\",\"tools\":[{\"name\":\"t\"}],\"messages\":[]}";
        const PromptChain chain = chainOf(body, ApiKind::Messages);
        QVERIFY(chain.hasTools);
        for (const char *change : { "\"m\"", "\"s\"", "\"t\"" }) {
            QByteArray changed = body;
            changed.replace(change, "\"changed\"");
            QVERIFY2(!chain.sameHead(chainOf(changed, ApiKind::Messages)), change);
        }
        QVERIFY(chain.sameHead(chainOf(body, ApiKind::Messages)));
    }

    void theBaseIsWhatStandsBeforeTheConversation()
    {
        const auto body = [](const char *system, const char *tool, const char *user) {
            return QByteArray("{\"model\":\"m\",\"tools\":[{\"name\":\"") + tool
                + "\"}],\"messages\":[{\"role\":\"system\",\"content\":\"" + system
                + "\"},{\"role\":\"user\",\"content\":\"" + user + "\"}]}";
        };
        const QString base = chainOf(body("s", "t", "hi")).base();
        QCOMPARE(base.size(), 32);
        QCOMPARE(chainOf(body("s", "t", "something else")).base(), base);
        QVERIFY(chainOf(body("s", "t2", "hi")).base() != base);
        QVERIFY(chainOf(body("s2", "t", "hi")).base() != base);
        // Nothing that is known to be shared: none.
        QCOMPARE(chainOf("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}").base(),
            QString());
        QCOMPARE(
            chainOf("{\"prompt\":\"" + QByteArray(2000, 'x') + "\"}", ApiKind::Completion).base(), QString());
        QVERIFY(!chainOf("{\"system\":\"s\",\"messages\":[]}", ApiKind::Messages).base().isEmpty());
    }

    void plainPromptsAreCutIntoBlocks()
    {
        const QByteArray text(700, 'x');
        const PromptChain shorter = chainOf("{\"prompt\":\"" + text + "\"}", ApiKind::Completion);
        const PromptChain longer
            = chainOf("{\"prompt\":\"" + text + QByteArray(300, 'y') + "\"}", ApiKind::Completion);
        QCOMPARE(shorter.parts.size(), std::size_t { 2 });
        QCOMPARE(longer.parts.size(), std::size_t { 3 });
        QCOMPARE(shorter.shared(longer), std::size_t { 2 });
        QByteArray ids;
        for (int i = 0; i < 130; ++i) {
            ids += (i == 0 ? "" : ", ") + QByteArray::number(i);
        }
        const PromptChain tokens = chainOf("{\"prompt\":[" + ids + "]}", ApiKind::Completion);
        QCOMPARE(tokens.parts.size(), std::size_t { 2 });
        QByteArray tight = ids;
        tight.replace(" ", "");
        QVERIFY(tokens.parts == chainOf("{\"prompt\":[" + tight + "]}", ApiKind::Completion).parts);
    }

    void responsesTakeAListOrAText()
    {
        const PromptChain list
            = chainOf("{\"instructions\":\"i\",\"input\":[{\"role\":\"developer\",\"content\":\"d\"},"
                      "{\"role\":\"user\",\"content\":\"u\"}]}",
                ApiKind::Responses);
        QCOMPARE(list.parts.size(), std::size_t { 2 });
        QCOMPARE(list.opening, std::size_t { 1 });
        QCOMPARE(chainOf("{\"input\":\"u\"}", ApiKind::Responses).parts.size(), std::size_t { 1 });
    }

    void theDigestDependsOnAllBefore()
    {
        const PromptChain chain = chainOf("{\"messages\":[{\"a\":1},{\"b\":1}]}");
        const PromptChain other = chainOf("{\"messages\":[{\"a\":2},{\"b\":1}]}");
        QVERIFY(chain.parts[1] == other.parts[1]);
        QVERIFY(chain.digest(2) != other.digest(2));
        QVERIFY(chain.digest(1) != chain.digest(2));
        QCOMPARE(chain.digest(1).size(), 32);
    }
};

QTEST_GUILESS_MAIN(TestPromptChain)
#include "tst_promptchain.moc"
