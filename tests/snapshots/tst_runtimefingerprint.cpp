// SPDX-License-Identifier: MIT
#include "runtimefingerprint.h"
#include "snapshot.h"

#include <QTest>

#include <algorithm>

using namespace kv;

namespace {

const QString c_path = QStringLiteral("/models/m.gguf");
constexpr qint64 c_start = 1'700'000'000'000;
constexpr qint64 c_now = c_start + 60'000;
constexpr qint64 c_slack = 2000;

RuntimeFingerprint::ServerSeen seen(const QString &boot = QStringLiteral("boot-1"), bool complete = true)
{
    RuntimeFingerprint::ServerSeen s;
    s.boot = boot;
    s.complete = complete;
    s.compared = { { field::backend.toString(), QStringLiteral("llama.cpp") },
        { field::build.toString(), QStringLiteral("b1") }, { field::modelPath.toString(), c_path },
        { field::typeK.toString(), QStringLiteral("q8_0") } };
    s.shown = { { field::alias.toString(), QStringLiteral("m") } };
    s.slotContext = 8192;
    s.processStartWallMs = c_start;
    return s;
}

void set(RuntimeFingerprint::ServerSeen &s, QStringView name, const QString &value)
{
    std::erase_if(s.compared, [&](const auto &entry) { return entry.first == name; });
    s.compared.emplace_back(name.toString(), value);
}

ModelFileFacts file(qint64 mtimeMs = c_start - 100'000, const QString &sample = QStringLiteral("aa"))
{
    return ModelFileFacts { true, {}, 1000, mtimeMs, sample };
}

ModelFileFacts notReadable()
{
    ModelFileFacts facts;
    facts.why = QStringLiteral("no such file");
    return facts;
}

/// One that has seen everything.
RuntimeFingerprint known()
{
    RuntimeFingerprint runtime(QStringLiteral("key"), true);
    runtime.serverSeen(seen(), c_now);
    runtime.modelFileSeen(c_path, file(), c_now);
    return runtime;
}

QString hashOf(const RuntimeFingerprint &runtime)
{
    const Identity identity = runtime.identity();
    return identity.known() ? identity.fingerprint->hash() : QString();
}

} // namespace

class TestRuntimeFingerprint final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allFactsAreInIt()
    {
        const RuntimeFingerprint runtime = known();
        const Identity identity = runtime.identity();
        QVERIFY(identity.known());
        QVERIFY(runtime.unknownReason().isEmpty());
        QCOMPARE(identity.boot, QStringLiteral("boot-1"));
        const Fingerprint &print = *identity.fingerprint;
        QCOMPARE(print.value(field::backend), QStringLiteral("llama.cpp"));
        QCOMPARE(print.value(field::runtimeKey), QStringLiteral("key"));
        QCOMPARE(print.value(field::schema), QString::number(c_manifestSchema));
        QCOMPARE(print.value(field::fileSize), QStringLiteral("1000"));
        QCOMPARE(print.value(field::fileSample), QStringLiteral("aa"));
        QVERIFY(!print.value(field::fileMtime).isEmpty());
        QCOMPARE(print.value(field::alias), QStringLiteral("m"));
        QCOMPARE(print.compared().size(), 9U);
        QCOMPARE(print.slotContext(), 8192);
    }

    void theOrderOfFieldsAndOfAnswersDoesNotMatter()
    {
        RuntimeFingerprint::ServerSeen s = seen();
        std::reverse(s.compared.begin(), s.compared.end());
        RuntimeFingerprint other(QStringLiteral("key"), true);
        other.serverSeen(s, c_now);
        other.modelFileSeen(c_path, file(), c_now);
        QCOMPARE(hashOf(other), hashOf(known()));
        // In two pieces.
        RuntimeFingerprint pieces({}, true);
        RuntimeFingerprint::ServerSeen first = seen(QStringLiteral("boot-1"), false);
        first.compared.resize(3);
        pieces.serverSeen(first, c_now);
        pieces.modelFileSeen(c_path, file(), c_now);
        RuntimeFingerprint::ServerSeen second = seen();
        second.compared.erase(second.compared.begin(), second.compared.begin() + 3);
        pieces.serverSeen(second, c_now);
        pieces.setRuntimeKey(QStringLiteral("key"));
        QCOMPARE(hashOf(pieces), hashOf(known()));
    }

    void theSameRuntimeInANewBootHasTheSameFingerprint()
    {
        RuntimeFingerprint runtime = known();
        const QString hash = hashOf(runtime);
        RuntimeFingerprint::ServerSeen restarted = seen(QStringLiteral("boot-2"));
        restarted.processStartWallMs = c_start + 1'000'000;
        restarted.compared.emplace_back(QStringLiteral("media_marker"), QStringLiteral("random-2"));
        restarted.shown.emplace_back(QStringLiteral("media_marker"), QStringLiteral("random-2"));
        runtime.serverSeen(restarted, c_now + 1'000'000);
        runtime.modelFileSeen(c_path, file(), c_now + 1'000'000);
        QCOMPARE(hashOf(runtime), hash);
        QCOMPARE(runtime.identity().boot, QStringLiteral("boot-2"));
        QVERIFY(runtime.identity().fingerprint->value(u"media_marker").isEmpty());
    }

    void fieldsNobodyListedAreShownAndNotCompared()
    {
        RuntimeFingerprint runtime = known();
        const QString hash = hashOf(runtime);
        RuntimeFingerprint::ServerSeen s = seen();
        s.compared.emplace_back(QStringLiteral("uptime"), QStringLiteral("5"));
        s.compared.emplace_back(field::alias.toString(), QStringLiteral("renamed"));
        s.compared.emplace_back(field::runtimeKey.toString(), QStringLiteral("not the server's to tell"));
        runtime.serverSeen(s, c_now);
        QCOMPARE(hashOf(runtime), hash);
        QCOMPARE(runtime.identity().fingerprint->value(u"uptime"), QStringLiteral("5"));
        QCOMPARE(runtime.identity().fingerprint->value(field::runtimeKey), QStringLiteral("key"));
    }

    void noIdentityBeforeEverySourceHasAnswered()
    {
        RuntimeFingerprint runtime({}, true);
        QVERIFY(!runtime.identity().known());
        QVERIFY(!runtime.unknownReason().isEmpty());
        runtime.serverSeen(seen(QStringLiteral("boot-1"), false), c_now);
        QVERIFY(!runtime.identity().known());
        runtime.modelFileSeen(c_path, file(), c_now);
        QVERIFY(!runtime.identity().known()); // the server's own sources are not all there
        runtime.serverSeen(seen(), c_now);
        QVERIFY(runtime.identity().known());

        RuntimeFingerprint waiting({}, true);
        waiting.serverSeen(seen(), c_now);
        QVERIFY(!waiting.identity().known()); // the file's answer is missing
        QVERIFY(waiting.unknownReason().contains(c_path));
        waiting.modelFileSeen(QStringLiteral("/another/path"), file(), c_now);
        QVERIFY(!waiting.identity().known());
        waiting.modelFileSeen(c_path, notReadable(), c_now);
        QVERIFY(waiting.identity().known()); // "not readable" is an answer
        QVERIFY(waiting.identity().fingerprint->value(field::fileSample).isEmpty());

        RuntimeFingerprint remote({}, false);
        remote.serverSeen(seen(), c_now);
        QVERIFY(remote.identity().known()); // no file is expected of a server elsewhere
    }

    void aNewBootStartsFromNothing()
    {
        RuntimeFingerprint runtime = known();
        RuntimeFingerprint::ServerSeen next = seen(QStringLiteral("boot-2"), false);
        next.compared = { { field::modelPath.toString(), c_path } };
        runtime.serverSeen(next, c_now);
        QVERIFY(!runtime.identity().known());
        next.complete = true;
        runtime.serverSeen(next, c_now);
        QVERIFY(!runtime.identity().known()); // the file has to be looked at again, too
        runtime.modelFileSeen(c_path, file(), c_now);
        QVERIFY(runtime.identity().known());
        QVERIFY(runtime.identity().fingerprint->value(field::typeK).isEmpty()); // of the former process
    }

    void onceKnownItStaysKnownForThatBoot()
    {
        RuntimeFingerprint runtime = known();
        const FingerprintPtr before = runtime.identity().fingerprint;
        RuntimeFingerprint::ServerSeen poor = seen(QStringLiteral("boot-1"), false);
        poor.compared = { { field::modelPath.toString(), c_path }, { field::typeK.toString(), QString() } };
        poor.shown.clear();
        poor.slotContext = 0;
        poor.processStartWallMs = 0;
        runtime.serverSeen(poor, c_now);
        QCOMPARE(runtime.identity().fingerprint, before); // the very same object
        runtime.modelFileSeen(c_path, notReadable(), c_now);
        QCOMPARE(runtime.identity().fingerprint, before);
    }

    void aServerThatCannotBeNamedHasNoIdentityUntilItIsNamedAgain()
    {
        RuntimeFingerprint runtime = known();
        const QString hash = hashOf(runtime);
        runtime.serverSeen({}, c_now);
        QVERIFY(!runtime.identity().known());
        QVERIFY(runtime.identity().boot.isEmpty());
        runtime.serverSeen(seen(), c_now);
        QCOMPARE(hashOf(runtime), hash);
    }

    void aValueThatChangesWithinABootIsTaken()
    {
        RuntimeFingerprint runtime = known();
        const QString hash = hashOf(runtime);
        RuntimeFingerprint::ServerSeen s = seen();
        set(s, field::lora, QStringLiteral("adapter 0.5"));
        runtime.serverSeen(s, c_now);
        QVERIFY(hashOf(runtime) != hash);
        set(s, field::lora, QStringLiteral("adapter 1"));
        runtime.serverSeen(s, c_now);
        QCOMPARE(runtime.identity().fingerprint->value(field::lora), QStringLiteral("adapter 1"));
    }

    void eachFactIsComparedByTheCore_data()
    {
        QTest::addColumn<QString>("name");
        for (const QStringView name : { field::backend, field::build, field::modelPath, field::nParams,
                 field::modelSize, field::nVocab, field::nEmbd, field::nCtxTrain, field::lora, field::typeK,
                 field::typeV, field::flashAttention, field::rope, field::draftModel, field::swaFull,
                 field::kvUnified, field::streams }) {
            QTest::addRow("%s", qPrintable(name.toString())) << name.toString();
        }
    }

    void eachFactIsComparedByTheCore()
    {
        QFETCH(QString, name);
        const auto formed = [&](const QString &value) {
            RuntimeFingerprint runtime({}, false);
            RuntimeFingerprint::ServerSeen s = seen();
            set(s, name, value);
            runtime.serverSeen(s, c_now);
            return runtime.identity().fingerprint;
        };
        const auto mismatch
            = compareFingerprints(*formed(QStringLiteral("x")), *formed(QStringLiteral("y")), 1);
        QVERIFY(mismatch.has_value());
        QCOMPARE(mismatch->field, name);
    }

    void fileKeyAndSchemaAreComparedByTheCore()
    {
        const FingerprintPtr before = known().identity().fingerprint;
        RuntimeFingerprint other = known();
        other.setRuntimeKey(QStringLiteral("other"));
        QCOMPARE(compareFingerprints(*before, *other.identity().fingerprint, 1)->reason,
            QStringLiteral("RUNTIME_KEY_CHANGED"));
        RuntimeFingerprint swapped(QStringLiteral("key"), true);
        swapped.serverSeen(seen(), c_now);
        swapped.modelFileSeen(c_path, file(c_start - 100'000, QStringLiteral("bb")), c_now);
        const auto mismatch = compareFingerprints(*before, *swapped.identity().fingerprint, 1);
        QCOMPARE(mismatch->reason, QStringLiteral("MODEL_CHANGED"));
        QCOMPARE(mismatch->field, field::fileSample.toString());
        // What one side never learned says nothing.
        RuntimeFingerprint remote(QStringLiteral("key"), false);
        remote.serverSeen(seen(), c_now);
        QVERIFY(!compareFingerprints(*before, *remote.identity().fingerprint, 1).has_value());
    }

    void aFileWrittenAfterTheProcessStartedMakesTheIdentityUnknownUntilANewBoot()
    {
        RuntimeFingerprint runtime({}, true);
        runtime.serverSeen(seen(), c_now);
        const qint64 later = c_start + c_slack + 1;
        runtime.modelFileSeen(c_path, file(later), c_now);
        QVERIFY(!runtime.identity().known());
        QVERIFY(runtime.modelFileChanged());
        QVERIFY(runtime.unknownReason().contains(c_path));
        // Not even the old time brings it back.
        runtime.modelFileSeen(c_path, file(), c_now);
        runtime.serverSeen(seen(), c_now);
        QVERIFY(!runtime.identity().known());
        RuntimeFingerprint::ServerSeen restarted = seen(QStringLiteral("boot-2"));
        restarted.processStartWallMs = later + 5000;
        runtime.serverSeen(restarted, c_now);
        runtime.modelFileSeen(c_path, file(later), c_now);
        QVERIFY(runtime.identity().known());
    }

    void aFileWrittenJustBeforeTheStartIsFine()
    {
        RuntimeFingerprint runtime({}, true);
        runtime.serverSeen(seen(), c_now);
        runtime.modelFileSeen(c_path, file(c_start + c_slack), c_now); // clocks differ by that much
        QVERIFY(runtime.identity().known());
    }

    void aFileSwappedForAnOlderOneIsNoticedToo()
    {
        for (const ModelFileFacts &other :
            { file(c_start - 200'000), file(c_start - 100'000, QStringLiteral("bb")) }) {
            RuntimeFingerprint runtime = known();
            runtime.modelFileSeen(c_path, other, c_now);
            QVERIFY(!runtime.identity().known());
            QVERIFY(runtime.modelFileChanged());
        }
    }

    void withoutAProcessStartTheFirstSightOfTheBootCounts()
    {
        RuntimeFingerprint::ServerSeen s = seen();
        s.processStartWallMs = 0;
        RuntimeFingerprint runtime({}, true);
        runtime.serverSeen(s, c_now);
        runtime.modelFileSeen(c_path, file(c_now - 1000), c_now + 10'000);
        QVERIFY(runtime.identity().known());
        RuntimeFingerprint other({}, true);
        other.serverSeen(s, c_now);
        other.modelFileSeen(c_path, file(c_now + c_slack + 1), c_now + 10'000);
        QVERIFY(!other.identity().known());
        // And one learned later judges what was seen before it.
        RuntimeFingerprint late({}, true);
        late.serverSeen(s, c_now);
        late.modelFileSeen(c_path, file(c_start + 30'000), c_now);
        QVERIFY(late.identity().known());
        late.serverSeen(seen(), c_now);
        QVERIFY(!late.identity().known());
    }

    void aFileTimeInTheFutureIsAWrongClock()
    {
        RuntimeFingerprint runtime({}, true);
        runtime.serverSeen(seen(), c_now);
        const qint64 future = c_now + 3'600'000;
        runtime.modelFileSeen(c_path, file(future), c_now);
        QVERIFY(runtime.identity().known());
        runtime.modelFileSeen(c_path, file(future + 1), c_now + 1000);
        QVERIFY(!runtime.identity().known()); // it did change, whatever the clock says
    }

    void aSwapWhileTheDaemonWasDownIsNoticed()
    {
        const RuntimeFingerprint before = known();
        QVERIFY(before.firstModelFile().has_value());
        RuntimeFingerprint same(QStringLiteral("key"), true);
        same.assumeModelFile(before.identity().boot, *before.firstModelFile());
        same.serverSeen(seen(), c_now);
        same.modelFileSeen(c_path, file(), c_now);
        QVERIFY(same.identity().sameAs(before.identity()));
        RuntimeFingerprint swapped(QStringLiteral("key"), true);
        swapped.assumeModelFile(before.identity().boot, *before.firstModelFile());
        swapped.serverSeen(seen(), c_now);
        swapped.modelFileSeen(c_path, file(c_start - 500'000, QStringLiteral("bb")), c_now);
        QVERIFY(!swapped.identity().known());
        RuntimeFingerprint newBoot(QStringLiteral("key"), true);
        newBoot.assumeModelFile(before.identity().boot, *before.firstModelFile());
        newBoot.serverSeen(seen(QStringLiteral("boot-2")), c_now);
        newBoot.modelFileSeen(c_path, file(c_start - 500'000, QStringLiteral("bb")), c_now);
        QVERIFY(newBoot.identity().known());
    }
};

QTEST_GUILESS_MAIN(TestRuntimeFingerprint)
#include "tst_runtimefingerprint.moc"
