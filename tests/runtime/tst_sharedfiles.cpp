// SPDX-License-Identifier: MIT
// Snapshot files in a folder that is readable here: their checksums, from the save to the next restore.
#include "eventname.h"
#include "stage.h"

#include <QDir>
#include <QJsonArray>

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_long(400, 'x');
const QByteArray c_other(300, 'y');

/// One server whose folder for slot files is read here too.
class SharedStage final {
public:
    explicit SharedStage(RestoreConfig::Verify verify = RestoreConfig::Verify::Strict)
        : stage(1, savingTo(files))
    {
        shareFolder(stage, files);
        stage.config.restore.verify = verify;
        stage.progressEveryMs = 0;
    }
    /// Opens, and collects the progress that is told.
    [[nodiscard]] bool open()
    {
        if (!stage.open()) {
            return false;
        }
        QObject::connect(
            &stage.service(), &Service::eventEmitted, &stage.service(), [this](const QJsonObject &event) {
                if (event.value(u"name").toString() == eventname::operationProgress) {
                    progress.append(event);
                }
            });
        return true;
    }
    /// A save of `session`, and the checksum of its file.
    [[nodiscard]] bool savedWithChecksum(const QString &session)
    {
        stage.clearEvents();
        const bool saved = stage.saved(session);
        return saved && QTest::qWaitFor([this] {
            return stage.events().contains(eventname::snapshotChanged.toString());
        });
    }
    [[nodiscard]] QString path(const QString &name) const { return files.filePath(name); }
    [[nodiscard]] QString fileOf(const QString &session)
    {
        const Result<QJsonObject> document = stage.service().get(stage.call(session));
        return document ? files.filePath(document.value()
                                             .value(u"manifests")
                                             .toArray()
                                             .at(0)
                                             .toObject()
                                             .value(u"snapshotFilename")
                                             .toString())
                        : QString();
    }
    [[nodiscard]] QString reasonOf(const QString &session)
    {
        const Result<QJsonObject> document = stage.service().get(stage.call(session));
        return document
            ? document.value().value(u"manifests").toArray().at(0).toObject().value(u"reason").toString()
            : QString();
    }

    QTemporaryDir files;
    Stage stage;
    QList<QJsonObject> progress;
};

void flipABit(const QString &path)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.seek(file.size() / 2));
    char byte = 0;
    QVERIFY(file.getChar(&byte));
    QVERIFY(file.seek(file.size() / 2));
    QVERIFY(file.putChar(static_cast<char>(byte ^ 4)));
}

}

class TstSharedFiles final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFlippedBitIsNeverSentToTheServer();
    void theChecksumOutlivesTheDaemon();
    void aFileWithoutAChecksumGetsOneFromItsFirstRestore();
    void progressOfComputingAndCheckingIsTold();
    void whatIsKnownOfAFileIsKeptOverARestart();
};

void TstSharedFiles::aFlippedBitIsNeverSentToTheServer()
{
    SharedStage shared;
    Stage &stage = shared.stage;
    QVERIFY(shared.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(shared.savedWithChecksum(u"A"_qs));
    stage.turn(u"B"_qs, c_other);
    flipABit(shared.fileOf(u"A"_qs));
    stage.takeActions();
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"cold-fallback"_qs);
    QVERIFY(!stage.takeActions().contains(u"restore"_qs));
    QCOMPARE(shared.reasonOf(u"A"_qs), u"FILE_CHECKSUM"_qs);
    const QString status = textOf(stage.serverStatus());
    QVERIFY2(status.contains(QFileInfo(shared.fileOf(u"A"_qs)).fileName()), qPrintable(status));
}

void TstSharedFiles::theChecksumOutlivesTheDaemon()
{
    SharedStage shared;
    Stage &stage = shared.stage;
    QVERIFY(shared.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(shared.savedWithChecksum(u"A"_qs));
    stage.turn(u"B"_qs, c_other);
    const QString file = shared.fileOf(u"A"_qs);
    QVERIFY(stage.stop());
    flipABit(file);
    QVERIFY(shared.open());
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"cold-fallback"_qs);
    QCOMPARE(shared.reasonOf(u"A"_qs), u"FILE_CHECKSUM"_qs);
}

void TstSharedFiles::aFileWithoutAChecksumGetsOneFromItsFirstRestore()
{
    SharedStage shared;
    Stage &stage = shared.stage;
    QVERIFY(shared.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.stop()); // saves A, and does not wait for a checksum
    shared.progress.clear();
    QVERIFY(stage.server().restart());
    QVERIFY(shared.open());
    QVERIFY(shared.progress.isEmpty());
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs);
    QTRY_VERIFY(!shared.progress.isEmpty());
    QCOMPARE(shared.progress.back().value(u"what").toString(), u"checksum"_qs);
}

void TstSharedFiles::progressOfComputingAndCheckingIsTold()
{
    SharedStage shared;
    Stage &stage = shared.stage;
    QVERIFY(shared.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(shared.savedWithChecksum(u"A"_qs));
    QVERIFY(!shared.progress.isEmpty());
    const QJsonObject computed = shared.progress.back();
    QCOMPARE(computed.value(u"what").toString(), u"checksum"_qs);
    QCOMPARE(computed.value(u"permille").toInt(), 1000);
    QCOMPARE(computed.value(u"bytes").toInteger(), QFileInfo(shared.fileOf(u"A"_qs)).size());
    QCOMPARE(computed.value(u"server").toString(), u"a"_qs);
    QVERIFY(computed.value(u"label").toString().contains(u'A'));
    stage.turn(u"B"_qs, c_other);
    shared.progress.clear();
    QCOMPARE(stage.turn(u"A"_qs, c_long + "z"), u"restored"_qs);
    const auto isCheck
        = [](const QJsonObject &event) { return event.value(u"what").toString() == QStringLiteral("check"); };
    const auto check = std::find_if(shared.progress.cbegin(), shared.progress.cend(), isCheck);
    QVERIFY(check != shared.progress.cend());
    QCOMPARE(check->value(u"slot").toInt(-1), 0);
    QCOMPARE(check->value(u"session").toString().size(), 6);
}

void TstSharedFiles::whatIsKnownOfAFileIsKeptOverARestart()
{
    SharedStage shared(RestoreConfig::Verify::Basic);
    Stage &stage = shared.stage;
    QVERIFY(shared.open());
    stage.turn(u"A"_qs, c_long);
    QVERIFY(stage.saved(u"A"_qs));
    const auto invalidated = std::make_shared<Asked<ManualAnswer>>();
    stage.service().invalidate(stage.call(u"A"_qs), u"wrong answers"_qs, Stage::into(invalidated));
    QVERIFY(invalidated->waited());
    QVERIFY(stage.stop());
    QVERIFY(stage.server().restart());
    QVERIFY(shared.open());
    QCOMPARE(shared.reasonOf(u"A"_qs), u"wrong answers"_qs);
    QCOMPARE(stage.turn(u"A"_qs, c_long), u"cold"_qs);
}

QTEST_GUILESS_MAIN(TstSharedFiles)
#include "tst_sharedfiles.moc"
