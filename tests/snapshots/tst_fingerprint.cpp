// SPDX-License-Identifier: MIT
#include "fingerprint.h"

#include <QTest>

#include <algorithm>

using namespace kv;

namespace {

FieldList full()
{
    FieldList fields;
    for (const QStringView name :
        { field::backend, field::build, field::modelPath, field::nParams, field::modelSize, field::nVocab,
            field::nEmbd, field::nCtxTrain, field::lora, field::runtimeKey, field::schema, field::fileSize,
            field::fileMtime, field::fileSample, field::typeK, field::typeV, field::flashAttention,
            field::rope, field::draftModel, field::swaFull, field::kvUnified, field::streams }) {
        fields.emplace_back(name.toString(), QStringLiteral("value of %1").arg(name));
    }
    return fields;
}

FieldList with(FieldList fields, QStringView name, const QString &value)
{
    for (auto &[key, old] : fields) {
        if (key == name) {
            old = value;
        }
    }
    return fields;
}

FieldList without(FieldList fields, QStringView name)
{
    std::erase_if(fields, [&](const auto &entry) { return entry.first == name; });
    return fields;
}

} // namespace

class TestFingerprint final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theOrderOfFieldsDoesNotMatter()
    {
        FieldList fields = full();
        const Fingerprint one(fields, {}, 8192);
        std::reverse(fields.begin(), fields.end());
        const Fingerprint other(fields, {}, 8192);
        QCOMPARE(one.hash(), other.hash());
        QCOMPARE(one.compared(), other.compared());
        QVERIFY(std::is_sorted(one.compared().begin(), one.compared().end()));
        QCOMPARE(one.hash().size(), 64);
    }

    void theHashIsTheOneOfEarlierVersions()
    {
        // printf '7:backend9:llama.cpp9:modelPath7:/m.gguf' | sha256sum. It is on record in databases.
        const Fingerprint print({ { QStringLiteral("modelPath"), QStringLiteral("/m.gguf") },
                                    { QStringLiteral("backend"), QStringLiteral("llama.cpp") } },
            {}, 0);
        QCOMPARE(
            print.hash(), QStringLiteral("a18d2ec6cd2f7a761e37a32f1f718e0b1a9ae229e6728a31f893c19688074559"));
    }

    void whatIsShownOnlyAndTheContextAreNotHashed()
    {
        const Fingerprint plain(full(), {}, 0);
        const Fingerprint shown(full(), { { field::alias.toString(), QStringLiteral("x") } }, 4096);
        QCOMPARE(plain.hash(), shown.hash());
        QCOMPARE(shown.value(field::alias), QStringLiteral("x"));
        QVERIFY(!compareFingerprints(plain, shown, 100).has_value());
    }

    void fieldsDoNotRunIntoEachOther()
    {
        const QString a = QStringLiteral("a");
        const Fingerprint one({ { a, QStringLiteral("b1:c1:d") } }, {}, 0);
        const Fingerprint two(
            { { a, QStringLiteral("b") }, { QStringLiteral("c"), QStringLiteral("d") } }, {}, 0);
        QVERIFY(one.hash() != two.hash());
    }

    void anEmptyValueIsAnUnknownOne()
    {
        const Fingerprint absent(without(full(), field::rope), {}, 0);
        const Fingerprint empty(with(full(), field::rope, {}), {}, 0);
        QCOMPARE(absent.hash(), empty.hash());
        QVERIFY(empty.value(field::rope).isEmpty());
    }

    void eachChangeHasItsReason_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        const auto rows = [](const char *reason, std::initializer_list<QStringView> names) {
            for (const QStringView name : names) {
                QTest::addRow("%s", qPrintable(name.toString()))
                    << name.toString() << QString::fromLatin1(reason);
            }
        };
        rows("MODEL_CHANGED",
            { field::modelPath, field::nParams, field::modelSize, field::nVocab, field::nEmbd,
                field::nCtxTrain, field::fileSize, field::fileMtime, field::fileSample, field::draftModel });
        rows("BUILD_CHANGED", { field::build, field::backend });
        rows("LORA_CHANGED", { field::lora });
        rows("KV_TYPE_CHANGED",
            { field::typeK, field::typeV, field::flashAttention, field::rope, field::swaFull });
        rows("RUNTIME_KEY_CHANGED", { field::runtimeKey });
        rows("SCHEMA_CHANGED", { field::schema });
        rows("SLOTS_CHANGED", { field::kvUnified, field::streams });
    }

    void eachChangeHasItsReason()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        const Fingerprint saved(full(), {}, 8192);
        const Fingerprint running(with(full(), name, QStringLiteral("new")), {}, 8192);
        QVERIFY(saved.hash() != running.hash());
        const auto mismatch = compareFingerprints(saved, running, 100);
        QVERIFY(mismatch.has_value());
        QCOMPARE(mismatch->reason, reason);
        QCOMPARE(mismatch->field, name);
        QCOMPARE(mismatch->was, QStringLiteral("value of %1").arg(name));
        QCOMPARE(mismatch->is, QStringLiteral("new"));
        // Not known on one side: no reason of its own, whichever side that is.
        const Fingerprint unknown(without(full(), name), {}, 8192);
        QVERIFY(!compareFingerprints(saved, unknown, 100).has_value());
        QVERIFY(!compareFingerprints(unknown, running, 100).has_value());
    }

    void theWeightiestChangeIsTold()
    {
        const Fingerprint saved(full(), {}, 8192);
        FieldList changed = with(full(), field::typeK, QStringLiteral("q4"));
        changed = with(changed, field::build, QStringLiteral("b2"));
        QCOMPARE(compareFingerprints(saved, Fingerprint(changed, {}, 8192), 1)->reason,
            QStringLiteral("BUILD_CHANGED"));
        changed = with(changed, field::modelPath, QStringLiteral("/other"));
        QCOMPARE(compareFingerprints(saved, Fingerprint(changed, {}, 10), 100)->reason,
            QStringLiteral("MODEL_CHANGED"));
        changed = with(changed, field::runtimeKey, QStringLiteral("k"));
        QCOMPARE(compareFingerprints(saved, Fingerprint(changed, {}, 8192), 1)->reason,
            QStringLiteral("RUNTIME_KEY_CHANGED"));
    }

    void theContextComparesAsCapacity()
    {
        const Fingerprint saved(full(), {}, 8192);
        const Fingerprint smaller(full(), {}, 4096);
        const Fingerprint unknown(full(), {}, 0);
        QVERIFY(!compareFingerprints(saved, smaller, 4096).has_value());
        const auto mismatch = compareFingerprints(saved, smaller, 4097);
        QVERIFY(mismatch.has_value());
        QCOMPARE(mismatch->reason, QStringLiteral("CONTEXT_TOO_SMALL"));
        QCOMPARE(mismatch->was, QStringLiteral("4097"));
        QCOMPARE(mismatch->is, QStringLiteral("4096"));
        QVERIFY(!compareFingerprints(saved, unknown, 1'000'000).has_value());
    }
};

QTEST_GUILESS_MAIN(TestFingerprint)
#include "tst_fingerprint.moc"
