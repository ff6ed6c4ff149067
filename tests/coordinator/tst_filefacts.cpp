// SPDX-License-Identifier: MIT
// Checksums of snapshot files in a shared folder: whose they are, and when they are compared.
#include "coordinatortest.h"

using namespace kv;
using namespace kv::test;

namespace {

Policy sharedPolicy(RestoreVerify verify = RestoreVerify::Strict)
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = true;
    policy.verify = verify;
    return policy;
}

void fill(CoordinatorHarness &h)
{
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.takeOps();
}

ChecksumKnown checksumOf(const CoordinatorHarness &h, QStringView session, const QString &checksum)
{
    const Snapshot &row = *h.row(session);
    return { row.session, row.name, checksum };
}

/// The shell's answer: the file as it is now.
void computed(CoordinatorHarness &h, QStringView session)
{
    h.send(checksumOf(h, session, h.server.files[h.row(session)->name].checksum));
}

}

class TstFileFacts final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aChecksumIsKeptByTheRowThatNamesItsFile();
    void aChecksumOfAnotherFileIsNobodys();
    void theBaseOfASessionHasItsFilesChecksum();
    void strictComparesIt();
    void basicDoesNot();
    void strictLetsPassWhatHasNoneYet();
    void aFileThatChangedIsColdInvalidAndNamed();
    void afterAPowerCutItIsComparedWhateverVerifySays();
    void noSaveBeginsThatWouldGoUnderTheFloor();
    void aManualSaveIsToldWhy();
    void oneWarningNotOneARequest();
    void withStrictNobodyPushesOutWhatHasNoRoom();
    void whatWasRefusedIsTriedAgainWhenThereIsRoom();
    void aManualCommandDoesNotThrowAwayWhatHasNoRoom();
    void whatIsNotKnownRefusesNothing();
    void savesCountUntilTheNextMeasurement();
    void writingOverAnOldFileNeedsNoRoom();
};

void TstFileFacts::aChecksumIsKeptByTheRowThatNamesItsFile()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    QCOMPARE(h.row(u"A")->checksum, QString());
    const int before = h.storeCount();
    h.send(checksumOf(h, u"A", u"00ff"_qs));
    QCOMPARE(h.row(u"A")->checksum, u"00ff"_qs);
    QCOMPARE(h.storeCount(), before + 1);
    h.send(checksumOf(h, u"A", u"00ff"_qs)); // told twice: nothing to write
    QCOMPARE(h.storeCount(), before + 1);
    VERIFY_RULES(h);
}

void TstFileFacts::aChecksumOfAnotherFileIsNobodys()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    const ChecksumKnown former = checksumOf(h, u"A", u"00ff"_qs);
    QCOMPARE(h.turn(u"A", 1200), u"restored"_qs);
    h.turn(u"B", 2100); // A's next save went into another file
    QVERIFY(h.row(u"A")->name != former.name);
    h.send(former);
    QCOMPARE(h.row(u"A")->checksum, QString());
    h.send(ChecksumKnown { u"nobody"_qs, former.name, former.checksum });
    VERIFY_RULES(h);
}

void TstFileFacts::theBaseOfASessionHasItsFilesChecksum()
{
    const auto base = u"hash"_qs;
    for (const bool movedOn : { false, true }) {
        Policy policy = sharedPolicy();
        policy.coldStart = ColdStart::Base;
        CoordinatorHarness h(policy);
        h.turn(u"A", 1000, false, [&](BeginRequest &event) { event.base = base; });
        h.holdStore = true;
        h.advance(600);
        QVERIFY(h.answerStore()); // the session's row; the base's is on its way
        const ChecksumKnown known = checksumOf(h, u"A", u"00ff"_qs);
        if (!movedOn) {
            h.send(known);
        }
        while (h.answerStore()) { }
        h.holdStore = false;
        if (movedOn) {
            h.turn(u"A", 1200);
            h.turn(u"B", 2000);
            QVERIFY(h.row(u"A")->name != known.name);
            h.send(known);
            QCOMPARE(h.row(u"A")->checksum, QString());
        }
        QCOMPARE(h.row(base)->name, known.name);
        QCOMPARE(h.row(base)->checksum, u"00ff"_qs);
        VERIFY_RULES(h);
    }
}

void TstFileFacts::strictComparesIt()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    computed(h, u"A");
    h.hold(OpKind::CheckFile);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.pendingOps().front().expectedChecksum, h.row(u"A")->checksum);
    QVERIFY(!h.row(u"A")->checksum.isEmpty());
    h.unhold(OpKind::CheckFile);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    VERIFY_RULES(h);
}

void TstFileFacts::basicDoesNot()
{
    CoordinatorHarness h(sharedPolicy(RestoreVerify::Basic));
    fill(h);
    computed(h, u"A");
    h.hold(OpKind::CheckFile);
    h.begin(u"A");
    QCOMPARE(h.pending(OpKind::CheckFile), 1);
    QCOMPARE(h.pendingOps().front().expectedChecksum, QString());
}

void TstFileFacts::strictLetsPassWhatHasNoneYet()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"restored"_qs);
    QVERIFY(h.takeOps().contains(u"check"_qs));
}

void TstFileFacts::aFileThatChangedIsColdInvalidAndNamed()
{
    CoordinatorHarness h(sharedPolicy());
    fill(h);
    computed(h, u"A");
    h.server.files[h.row(u"A")->name].checksum = u"another"_qs;
    QCOMPARE(h.outcomeOf(h.begin(u"A")), u"cold-fallback"_qs);
    QVERIFY(!h.takeOps().contains(u"restore"_qs));
    QCOMPARE(toString(h.row(u"A")->state), u"invalid"_qs);
    QCOMPARE(h.row(u"A")->reason, u"FILE_CHECKSUM"_qs);
    QCOMPARE(h.coordinator->trouble(), u"the file has another checksum"_qs);
    VERIFY_RULES(h);
}

void TstFileFacts::afterAPowerCutItIsComparedWhateverVerifySays()
{
    CoordinatorHarness before(sharedPolicy());
    fill(before);
    computed(before, u"A");
    InitialState initial;
    initial.highWater = before.coordinator->highWater();
    initial.snapshots = { *before.row(u"A") };
    initial.snapshots.front().state = SnapshotState::Suspect;
    initial.snapshots.front().reason = c_uncleanStop.toString();
    CoordinatorHarness h(sharedPolicy(RestoreVerify::Off), 1, initial);
    h.server.files = before.server.files;
    h.hold(OpKind::CheckFile);
    const RequestId a = h.begin(u"A");
    QCOMPARE(h.pending(OpKind::CheckFile), 1);
    QCOMPARE(h.pendingOps().front().expectedChecksum, before.row(u"A")->checksum);
    h.unhold(OpKind::CheckFile);
    QCOMPARE(h.outcomeOf(a), u"restored"_qs);
    QCOMPARE(toString(h.row(u"A")->state) + h.row(u"A")->reason, u"valid"_qs); // once is enough
    VERIFY_RULES(h);
}

namespace {
constexpr qint64 c_floor = 1'000'000'000;
Policy flooredPolicy(bool shared = true)
{
    Policy policy = CoordinatorHarness::defaultPolicy();
    policy.sharedFiles = shared;
    policy.minFreeBytes = c_floor;
    return policy;
}
qint64 bytesOf(const CoordinatorHarness &h, QStringView session) { return h.row(session)->bytes; }
}

void TstFileFacts::noSaveBeginsThatWouldGoUnderTheFloor()
{
    CoordinatorHarness h(flooredPolicy());
    fill(h); // A saved: bytes per token are known; B is dirty, twice as long
    const qint64 needed = 2 * bytesOf(h, u"A");
    h.send(DiskFree { c_floor + needed - 1 });
    const Snapshot before = *h.row(u"A");
    h.turn(u"C", 500);
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    QVERIFY(h.row(u"B") == nullptr);
    QCOMPARE(h.row(u"A")->name, before.name);
    QVERIFY(h.coordinator->diskRoom().isShort());
    h.turn(u"B", 2000);
    h.send(DiskFree { c_floor + needed });
    h.turn(u"C", 500);
    QVERIFY(h.row(u"B") != nullptr);
    VERIFY_RULES(h);
}

void TstFileFacts::aManualSaveIsToldWhy()
{
    CoordinatorHarness h(flooredPolicy());
    fill(h);
    h.send(DiskFree { c_floor });
    const RequestId save = h.manual(ManualRequest::Kind::Save, u"B");
    QCOMPARE(h.errorOf(save), u"KV_SAVE_FAILED"_qs);
    const RequestId flush = h.manual(ManualRequest::Kind::Flush);
    QVERIFY(h.answered(flush));
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    QCOMPARE(h.state(), u"dirty"_qs);
    VERIFY_RULES(h);
}

void TstFileFacts::oneWarningNotOneARequest()
{
    CoordinatorHarness h(flooredPolicy());
    fill(h);
    h.send(DiskFree { c_floor });
    for (int i = 0; i < 5; ++i) {
        h.turn(u"C", 500);
        h.turn(u"D", 500);
    }
    QCOMPARE(h.notices(eventname::saveFailed).size(), 1);
    h.send(DiskFree { 100 * c_floor });
    QVERIFY(!h.coordinator->diskRoom().isShort());
    h.send(DiskFree { c_floor });
    h.turn(u"E", 500);
    h.turn(u"F", 500);
    QCOMPARE(h.notices(eventname::saveFailed).size(), 2); // it happened again
    VERIFY_RULES(h);
}

void TstFileFacts::withStrictNobodyPushesOutWhatHasNoRoom()
{
    Policy policy = flooredPolicy();
    policy.strict = true;
    CoordinatorHarness h(policy);
    fill(h);
    h.send(DiskFree { c_floor });
    const RequestId next = h.begin(u"C");
    QCOMPARE(h.errorOf(next), u"KV_SAVE_FAILED"_qs);
    QCOMPARE(h.owner(), u"B"_qs);
    QCOMPARE(h.server.contents[0].tokens, 2000);
    VERIFY_RULES(h);
}

void TstFileFacts::whatWasRefusedIsTriedAgainWhenThereIsRoom()
{
    CoordinatorHarness h(flooredPolicy());
    fill(h);
    h.send(DiskFree { c_floor });
    h.manual(ManualRequest::Kind::Save, u"B");
    QVERIFY(h.row(u"B") == nullptr);
    h.send(DiskFree { c_floor + 1 }); // still too little
    QVERIFY(h.coordinator->diskRoom().isShort());
    QVERIFY(!h.takeOps().contains(u"save"_qs));
    h.send(DiskFree { 100 * c_floor });
    QVERIFY(h.row(u"B") != nullptr);
    QVERIFY(!h.coordinator->diskRoom().isShort());
    VERIFY_RULES(h);
}

void TstFileFacts::aManualCommandDoesNotThrowAwayWhatHasNoRoom()
{
    CoordinatorHarness h(flooredPolicy());
    fill(h);
    h.send(DiskFree { c_floor });
    for (const auto kind : { ManualRequest::Kind::Restore, ManualRequest::Kind::Erase }) {
        const RequestId manual = h.manual(kind, u"A");
        QCOMPARE(h.errorOf(manual), u"KV_SAVE_FAILED"_qs);
        QCOMPARE(h.owner(), u"B"_qs);
        QCOMPARE(h.server.contents[0].tokens, 2000);
    }
    VERIFY_RULES(h);
}

void TstFileFacts::whatIsNotKnownRefusesNothing()
{
    CoordinatorHarness h(flooredPolicy(false));
    fill(h);
    h.send(DiskFree { -1 });
    h.turn(u"C", 500);
    QVERIFY(h.row(u"B") != nullptr);
    QCOMPARE(h.notices(eventname::saveFailed).size(), 0);
    Policy off = flooredPolicy();
    off.minFreeBytes = 0;
    CoordinatorHarness without(off);
    fill(without);
    without.send(DiskFree { 1 });
    without.turn(u"C", 500);
    QVERIFY(without.row(u"B") != nullptr);
}

void TstFileFacts::savesCountUntilTheNextMeasurement()
{
    CoordinatorHarness h(flooredPolicy());
    fill(h);
    h.send(DiskFree { c_floor + 2 * bytesOf(h, u"A") + 10 }); // room for B, and for nothing after it
    h.turn(u"C", 500);
    QVERIFY(h.row(u"B") != nullptr);
    h.turn(u"D", 500);
    QVERIFY(h.row(u"C") == nullptr);
    VERIFY_RULES(h);
}

void TstFileFacts::writingOverAnOldFileNeedsNoRoom()
{
    CoordinatorHarness h(flooredPolicy(false)); // the server's own: nobody deletes them
    fill(h);
    h.turn(u"A", 1000);
    h.turn(u"B", 2000);
    h.turn(u"A", 1000); // A and B have two files each by now, of which one may be written over
    h.send(DiskFree { c_floor });
    const NameNumber before = h.row(u"B")->name;
    QCOMPARE(h.turn(u"B", 1000), u"restored"_qs);
    h.turn(u"A", 900);
    QVERIFY(h.row(u"B")->name != before);
    QCOMPARE(h.notices(eventname::saveFailed).size(), 0);
    VERIFY_RULES(h);
}

QTEST_GUILESS_MAIN(TstFileFacts)
#include "tst_filefacts.moc"
