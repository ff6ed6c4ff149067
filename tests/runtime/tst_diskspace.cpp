// SPDX-License-Identifier: MIT
// Little room on the disk of the slot files: what is not saved, what goes, and what is said.
#include "stage.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonArray>

#include <atomic>

using namespace kv;
using namespace kv::test;

namespace {

const QByteArray c_long(4000, 'x');

qint64 sizeOf(const QString &folder)
{
    qint64 bytes = 0;
    for (QDirIterator files(folder, QDir::Files); files.hasNext();) {
        files.next();
        bytes += files.fileInfo().size();
    }
    return bytes;
}

/// One server whose slot files lie on a small disk.
class SmallDisk final {
public:
    explicit SmallDisk(bool shared)
        : stage(1, savingTo(files))
    {
        if (shared) {
            shareFolder(stage, files);
        } else {
            stage.finder = [folder = files.path()](quint16) {
                LocalProcess process;
                process.pid = 1;
                process.startTicks = 1;
                process.argv = QStringList { u"llama-server"_qs, u"--slot-save-path"_qs, u"."_qs };
                process.workingDirectory = folder;
                return std::optional(process);
            };
        }
        stage.folderLook = [this](const QString &folder) {
            FolderFacts facts;
            facts.readable = true;
            facts.canonical = folder;
            facts.device = u"small disk"_qs;
            facts.freeBytes = folder == files.path() ? capacity - sizeOf(folder) : 1'000'000'000;
            return facts;
        };
        stage.config.retention.minFreeBytes = c_floor;
    }
    /// A session with a snapshot of its own.
    [[nodiscard]] bool fill(const QString &session)
    {
        stage.turn(session, session.toLatin1() + c_long);
        return stage.saved(session);
    }
    [[nodiscard]] bool isKnown(const QString &session)
    {
        return stage.service().get(stage.call(session)).ok();
    }

    static constexpr qint64 c_floor = 100'000;
    std::atomic<qint64> capacity = 10'000'000;
    QTemporaryDir files;
    Stage stage;
};

}

class TstDiskSpace final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void retentionMakesRoomAndTheSaveFollows();
    void noRoomIsSaidAndNothingIsWritten();
    void aServersOwnFolderIsWatchedWhereItIsKnownAndNothingGoesForIt();
    void whereNothingIsKnownNothingIsRefused();
    void theDatabasesOwnDiskIsWatchedToo();
};

void TstDiskSpace::retentionMakesRoomAndTheSaveFollows()
{
    SmallDisk disk(true);
    Stage &stage = disk.stage;
    QVERIFY(stage.open());
    for (const QString &session : { u"A"_qs, u"B"_qs, u"C"_qs }) {
        QVERIFY(disk.fill(session));
    }
    const qint64 each = sizeOf(disk.files.path()) / 3;
    QTRY_COMPARE(stage.serverStatus().value(u"freeBytes").toInteger(), disk.capacity - 3 * each);
    stage.turn(u"D"_qs, "D" + c_long);
    // Full but for the floor and half a file: one has to go for D, the one that was not used for longest.
    disk.capacity = SmallDisk::c_floor + 3 * each + each / 2;
    QVERIFY(stage.service().gc(false).ok());
    QVERIFY(stage.save(u"D"_qs)->waited()); // perhaps refused, perhaps in time
    QTRY_VERIFY(!disk.isKnown(u"A"_qs));
    QTRY_VERIFY(disk.isKnown(u"D"_qs) && stage.rows() == 3);
    QTRY_COMPARE(QDir(disk.files.path()).entryList(QDir::Files).size(), 3);
    QTest::qWait(300); // and no more
    QVERIFY(disk.isKnown(u"B"_qs) && disk.isKnown(u"C"_qs) && disk.isKnown(u"D"_qs));
    QTRY_VERIFY(stage.serverStatus().value(u"freeBytes").toInteger() >= SmallDisk::c_floor);
}

void TstDiskSpace::noRoomIsSaidAndNothingIsWritten()
{
    SmallDisk disk(true);
    Stage &stage = disk.stage;
    QVERIFY(stage.open());
    QVERIFY(disk.fill(u"A"_qs));
    stage.turn(u"A"_qs, "A" + c_long + "more"); // active: never let go
    disk.capacity = SmallDisk::c_floor + sizeOf(disk.files.path()) + 10;
    QVERIFY(stage.service().gc(false).ok()); // looks at the disk
    QTRY_COMPARE(stage.serverStatus().value(u"freeBytes").toInteger(), SmallDisk::c_floor + 10);
    stage.takeActions();
    stage.clearEvents();
    const AskedPtr<ManualAnswer> asked = stage.save(u"A"_qs);
    QVERIFY(asked->waited());
    QVERIFY(asked->error.has_value());
    QVERIFY2(
        asked->error->message.startsWith(u"Not saved, disk-space: "_qs), qPrintable(asked->error->message));
    QCOMPARE(stage.takeActions(), QString());
    QVERIFY(disk.isKnown(u"A"_qs)); // what it had is still there
    QVERIFY(textOf(stage.serverStatus()).contains(u"retention.minFreeBytes"_qs));
    QCOMPARE(stage.events().count(u"kv.session.save.failed"_qs), 1);
}

void TstDiskSpace::aServersOwnFolderIsWatchedWhereItIsKnownAndNothingGoesForIt()
{
    SmallDisk disk(false);
    Stage &stage = disk.stage;
    QVERIFY(stage.open());
    QVERIFY(disk.fill(u"A"_qs));
    QVERIFY(disk.fill(u"B"_qs));
    QTRY_COMPARE(
        stage.serverStatus().value(u"freeBytes").toInteger(), disk.capacity - sizeOf(disk.files.path()));
    QVERIFY(textOf(stage.serverStatus()).contains(u"slotSavePath: "_qs + disk.files.path())); // offered
    stage.turn(u"C"_qs, "C" + c_long);
    disk.capacity = SmallDisk::c_floor + sizeOf(disk.files.path()) + 10;
    stage.turn(u"D"_qs, "D" + c_long); // C is saved, as this was not known: the disk is measured after it
    QTRY_VERIFY(stage.serverStatus().value(u"freeBytes").toInteger() < SmallDisk::c_floor);
    const AskedPtr<ManualAnswer> asked = stage.save(u"D"_qs);
    QVERIFY(asked->waited());
    QVERIFY(asked->error.has_value());
    QTest::qWait(300);
    QVERIFY(disk.isKnown(u"A"_qs) && disk.isKnown(u"B"_qs) && disk.isKnown(u"C"_qs)); // it would free nothing
}

void TstDiskSpace::whereNothingIsKnownNothingIsRefused()
{
    SmallDisk disk(false);
    Stage &stage = disk.stage;
    stage.finder = {};
    disk.capacity = 0;
    QVERIFY(stage.open());
    QVERIFY(disk.fill(u"A"_qs));
    QVERIFY(!stage.serverStatus().contains(u"freeBytes"));
}

void TstDiskSpace::theDatabasesOwnDiskIsWatchedToo()
{
    Stage stage;
    std::atomic<qint64> bytes = 99'000'000;
    stage.folderLook = [&](const QString &folder) {
        FolderFacts facts;
        facts.readable = true;
        facts.canonical = folder;
        facts.freeBytes = folder == stage.metadata() ? bytes.load() : -1;
        facts.device = u"d"_qs;
        return facts;
    };
    QVERIFY(stage.open());
    QTRY_VERIFY(textOf(stage.status()).contains(u"are free where"_qs));
}

QTEST_GUILESS_MAIN(TstDiskSpace)
#include "tst_diskspace.moc"
