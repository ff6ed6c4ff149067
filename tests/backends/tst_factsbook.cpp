// SPDX-License-Identifier: MIT
#include "factsbook.h"
#include "fingerprint.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

using namespace kv;

namespace {

PropsAnswer props(const QString &marker)
{
    PropsAnswer out;
    out.totalSlots = 2;
    out.slotContext = 4096;
    out.build = QStringLiteral("b1");
    out.modelPath = QStringLiteral("m.gguf");
    out.mediaMarker = marker;
    return out;
}

ProcessFinder nobody()
{
    return [](quint16) { return std::optional<LocalProcess>(); };
}

std::vector<ModelEntry> models()
{
    ModelEntry entry;
    entry.id = QStringLiteral("m");
    entry.nParams = 5;
    return { entry };
}

QString fieldOf(const FieldList &fields, QStringView name)
{
    for (const auto &[key, value] : fields) {
        if (key == name) {
            return value;
        }
    }
    return {};
}

void fill(FactsBook &book)
{
    book.noteModels(book.boot(), models());
    book.noteLora(book.boot(), QStringLiteral("none"));
}

SlotObservation slot(int id, std::optional<qint64> task, std::optional<qint64> tokens)
{
    SlotObservation out;
    out.id = id;
    out.idTask = task;
    out.promptTokens = tokens;
    return out;
}

/// A process that runs: this one.
LocalProcess ourselves()
{
    LocalProcess out;
    out.pid = QCoreApplication::applicationPid();
    QFile stat(QStringLiteral("/proc/self/stat"));
    if (stat.open(QIODevice::ReadOnly)) {
        const QByteArray text = stat.readAll();
        out.startTicks = text.mid(text.lastIndexOf(')') + 2).split(' ').at(19).toULongLong();
    }
    out.argv = QStringList { QStringLiteral("llama-server"), QStringLiteral("-ctk"), QStringLiteral("q8_0"),
        QStringLiteral("--slot-save-path"), QStringLiteral("kv") };
    out.workingDirectory = QStringLiteral("/srv");
    out.startWallMs = 1000;
    return out;
}

} // namespace

class TestFactsBook final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void completeOnlyWhenEverySourceHasAnswered();
    void whatIsKnownStaysKnownForTheBoot();
    void aNewMarkerForgetsEverything();
    void anAnswerOfAnOlderBootIsDropped();
    void missingEndpointsCountAsAnswered();
    void theCommandLineGivesFieldsAndPaths();
    void withoutMarkerTheProcessIsTheBoot();
    void withoutMarkerAndProcessTheMetricsHeaderIsTheBoot();
    void aGeneratedIdStaysWhileSlotsKeepTheirTokens();
    void aGeneratedIdChangesWhenUsedSlotsLookUnused_data();
    void aGeneratedIdChangesWhenUsedSlotsLookUnused();
    void aGeneratedIdChangesWhenNobodyListened();
    void aGeneratedIdChangesWithTheRuntime();
    void generatedIdsOfTwoBooksDiffer();
    void aMarkerIsNotDoubtedByUnusedSlots();
    void aRouterItselfHasNoBoot();
    void anUnloadedModelHasNoBoot();
    void anotherChildPortIsAnotherBoot();
};

void TestFactsBook::completeOnlyWhenEverySourceHasAnswered()
{
    FactsBook book(0, {}, nobody());
    QVERIFY(!book.facts().complete);
    book.noteProps(props(QStringLiteral("A")));
    QVERIFY(!book.facts().complete);
    book.noteModels(QStringLiteral("A"), models());
    QVERIFY(!book.facts().complete);
    book.noteLora(QStringLiteral("A"), QStringLiteral("none"));
    QVERIFY(book.facts().complete);
    QCOMPARE(book.facts().boot, QStringLiteral("A"));
    QCOMPARE(fieldOf(book.facts().compared, field::nParams), QStringLiteral("5"));
    QCOMPARE(fieldOf(book.facts().compared, field::lora), QStringLiteral("none"));
}

void TestFactsBook::whatIsKnownStaysKnownForTheBoot()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props(QStringLiteral("A")));
    fill(book);
    PropsAnswer bare;
    bare.mediaMarker = QStringLiteral("A");
    bare.totalSlots = 2;
    bare.sleeping = true;
    const FieldList before = book.facts().compared;
    book.noteProps(bare);
    QCOMPARE(book.facts().compared, before);
    QVERIFY(book.facts().complete);
    QVERIFY(book.facts().sleeping);
    QCOMPARE(book.facts().slotContext, 4096);
}

void TestFactsBook::aNewMarkerForgetsEverything()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props(QStringLiteral("A")));
    fill(book);
    book.noteProps(props(QStringLiteral("B")));
    QCOMPARE(book.facts().boot, QStringLiteral("B"));
    QVERIFY(!book.facts().complete);
    QVERIFY(fieldOf(book.facts().compared, field::nParams).isEmpty());
    QVERIFY(book.wantsModels());
}

void TestFactsBook::anAnswerOfAnOlderBootIsDropped()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props(QStringLiteral("B")));
    book.noteModels(QStringLiteral("A"), models());
    book.noteLora(QStringLiteral("A"), QStringLiteral("none"));
    QVERIFY(!book.facts().complete);
    QVERIFY(fieldOf(book.facts().compared, field::nParams).isEmpty());
    QVERIFY(fieldOf(book.facts().compared, field::lora).isEmpty());
}

void TestFactsBook::missingEndpointsCountAsAnswered()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props(QStringLiteral("A")));
    book.noteModelsMissing(QStringLiteral("A"));
    book.noteLora(QStringLiteral("A"), {});
    QVERIFY(book.facts().complete);
    QVERIFY(fieldOf(book.facts().compared, field::lora).isEmpty());
}

void TestFactsBook::theCommandLineGivesFieldsAndPaths()
{
    int asked = 0;
    FactsBook book(8080, {}, [&asked](quint16 port) {
        ++asked;
        return port == 8080 ? std::optional<LocalProcess>(ourselves()) : std::nullopt;
    });
    book.noteProps(props(QStringLiteral("A")));
    book.noteProps(props(QStringLiteral("A")));
    QCOMPARE(asked, 1); // once per boot
    const ServerFacts facts = book.facts();
    QVERIFY(facts.local);
    QCOMPARE(facts.serverPid, QCoreApplication::applicationPid());
    QCOMPARE(facts.serverStartWallMs, 1000);
    QCOMPARE(facts.modelFile, QStringLiteral("/srv/m.gguf"));
    QCOMPARE(facts.slotSavePath, QStringLiteral("/srv/kv"));
    QCOMPARE(fieldOf(facts.compared, field::typeK), QStringLiteral("q8_0"));
    QVERIFY(fieldOf(facts.compared, field::slotSavePath).isEmpty()); // shown only
    QCOMPARE(fieldOf(facts.shown, field::slotSavePath), QStringLiteral("/srv/kv"));
    book.noteProps(props(QStringLiteral("B")));
    QCOMPARE(asked, 2);
}

void TestFactsBook::withoutMarkerTheProcessIsTheBoot()
{
#ifndef Q_OS_LINUX
    QSKIP("only Linux tells which process listens on a port");
#endif
    LocalProcess process = ourselves();
    FactsBook book(8080, {}, [&process](quint16) { return std::optional<LocalProcess>(process); });
    book.noteProps(props({}));
    fill(book);
    const QString first = book.boot();
    QVERIFY(first.startsWith(QStringLiteral("pid-")));
    QVERIFY(book.facts().complete);
    book.noteProps(props({}));
    QCOMPARE(book.boot(), first);
    QVERIFY(book.facts().complete);
    // A process that ended: the book sees that itself.
    LocalProcess other = process;
    other.startTicks += 1;
    FactsBook restarted(8080, {}, [&other, &process, calls = 0](quint16) mutable {
        return std::optional<LocalProcess>(calls++ == 0 ? other : process);
    });
    restarted.noteProps(props({}));
    const QString before = restarted.boot();
    restarted.noteProps(props({}));
    QVERIFY(restarted.boot() != before);
    QVERIFY(!restarted.facts().complete);
}

void TestFactsBook::withoutMarkerAndProcessTheMetricsHeaderIsTheBoot()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props({}));
    QVERIFY(book.wantsMetrics());
    book.noteMetrics(book.boot(), QStringLiteral("100"));
    fill(book);
    QCOMPARE(book.boot(), QStringLiteral("start-100"));
    QVERIFY(book.facts().complete);
    book.noteProps(props({}));
    QVERIFY(book.wantsMetrics()); // the only sign of a restart
    book.noteMetrics(book.boot(), QStringLiteral("100"));
    QCOMPARE(book.boot(), QStringLiteral("start-100"));
    QVERIFY(book.facts().complete);
    book.noteProps(props({}));
    book.noteMetrics(book.boot(), QStringLiteral("200"));
    QCOMPARE(book.boot(), QStringLiteral("start-200"));
    QVERIFY(!book.facts().complete);
    QCOMPARE(book.facts().build, QStringLiteral("b1"));
    fill(book);
    QVERIFY(book.facts().complete);
}

void TestFactsBook::aGeneratedIdStaysWhileSlotsKeepTheirTokens()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props({}));
    book.noteMetrics(book.boot(), {});
    fill(book);
    const QString boot = book.boot();
    QVERIFY(!boot.isEmpty());
    QVERIFY(book.facts().complete);
    book.noteSlots({ slot(0, std::nullopt, std::nullopt), slot(1, 4, 20) });
    book.noteSlots({ slot(0, 5, 100), slot(1, 4, 20) });
    book.noteSlots({ slot(0, 6, 0), slot(1, 4, 20) }); // emptied, not restarted
    book.noteProps(props({}));
    QCOMPARE(book.boot(), boot);
    QVERIFY(book.facts().complete);
    QVERIFY(!book.wantsMetrics());
}

void TestFactsBook::aGeneratedIdChangesWhenUsedSlotsLookUnused_data()
{
    QTest::addColumn<bool>("hasTask");
    QTest::addColumn<qint64>("task");
    QTest::newRow("fresh") << false << qint64(0);
    QTest::newRow("task number went down") << true << qint64(2);
}

void TestFactsBook::aGeneratedIdChangesWhenUsedSlotsLookUnused()
{
    QFETCH(const bool, hasTask);
    QFETCH(const qint64, task);
    FactsBook book(0, {}, nobody());
    book.noteProps(props({}));
    book.noteMetrics(book.boot(), {});
    const QString boot = book.boot();
    book.noteSlots({ slot(0, 5, 100) });
    book.noteSlots({ hasTask ? slot(0, task, 3) : slot(0, std::nullopt, std::nullopt) });
    QVERIFY(!book.facts().complete);
    book.noteProps(props({}));
    QVERIFY(!book.boot().isEmpty());
    QVERIFY(book.boot() != boot);
}

void TestFactsBook::aGeneratedIdChangesWhenNobodyListened()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props({}));
    const QString boot = book.boot();
    book.noteRefused();
    book.noteProps(props({}));
    QVERIFY(book.boot() != boot);
}

void TestFactsBook::aGeneratedIdChangesWithTheRuntime()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props({}));
    const QString boot = book.boot();
    PropsAnswer other = props({});
    other.modelPath = QStringLiteral("other.gguf");
    book.noteProps(other);
    QVERIFY(book.boot() != boot);
    QCOMPARE(book.facts().modelPath, QStringLiteral("other.gguf"));
}

void TestFactsBook::generatedIdsOfTwoBooksDiffer()
{
    FactsBook one(0, {}, nobody());
    FactsBook other(0, {}, nobody());
    one.noteProps(props({}));
    other.noteProps(props({}));
    QVERIFY(one.boot() != other.boot());
}

void TestFactsBook::aMarkerIsNotDoubtedByUnusedSlots()
{
    FactsBook book(0, {}, nobody());
    book.noteProps(props(QStringLiteral("A")));
    fill(book);
    book.noteSlots({ slot(0, 5, 100) });
    book.noteSlots({ slot(0, std::nullopt, std::nullopt) }); // slept in between
    book.noteRefused();
    QCOMPARE(book.boot(), QStringLiteral("A"));
    QVERIFY(book.facts().complete);
}

void TestFactsBook::aRouterItselfHasNoBoot()
{
    FactsBook book(0, {}, nobody());
    PropsAnswer router;
    router.router = true;
    router.build = QStringLiteral("b1");
    book.noteProps(router);
    QVERIFY(book.facts().router);
    QVERIFY(book.facts().boot.isEmpty());
    QVERIFY(!book.facts().complete);
}

void TestFactsBook::anUnloadedModelHasNoBoot()
{
    FactsBook book(0, QStringLiteral("m"), nobody());
    book.noteProps(props(QStringLiteral("A")));
    fill(book);
    QVERIFY(book.facts().complete);
    QVERIFY(book.facts().modelLoaded);
    QVERIFY(book.facts().router);
    book.noteUnloaded();
    QVERIFY(book.facts().boot.isEmpty());
    QVERIFY(!book.facts().modelLoaded);
    QVERIFY(!book.facts().complete);
}

void TestFactsBook::anotherChildPortIsAnotherBoot()
{
    FactsBook book(0, QStringLiteral("m"), nobody());
    ModelEntry child;
    child.id = QStringLiteral("m");
    child.status = QStringLiteral("loaded");
    child.args = QStringList { QStringLiteral("llama-server"), QStringLiteral("--port"),
        QStringLiteral("5000"), QStringLiteral("-ctv"), QStringLiteral("q4_0") };
    book.noteProps(props(QStringLiteral("A")));
    book.noteModels(book.boot(), { child });
    book.noteLora(book.boot(), QStringLiteral("none"));
    QVERIFY(book.facts().complete);
    QCOMPARE(fieldOf(book.facts().compared, field::typeV), QStringLiteral("q4_0"));
    book.noteRouterModel(child);
    QCOMPARE(book.boot(), QStringLiteral("A"));
    child.args[2] = QStringLiteral("5001");
    book.noteRouterModel(child);
    QVERIFY(book.boot().isEmpty());
    QVERIFY(book.facts().modelLoaded);
}

QTEST_GUILESS_MAIN(TestFactsBook)
#include "tst_factsbook.moc"
