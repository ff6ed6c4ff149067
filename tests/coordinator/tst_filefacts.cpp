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
    return { row.session, row.fingerprint->hash(), row.name, checksum };
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
    void strictComparesIt();
    void basicDoesNot();
    void strictLetsPassWhatHasNoneYet();
    void aFileThatChangedIsColdInvalidAndNamed();
    void afterAPowerCutItIsComparedWhateverVerifySays();
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
    h.send(ChecksumKnown { u"nobody"_qs, former.fingerprintHash, former.name, former.checksum });
    VERIFY_RULES(h);
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

QTEST_GUILESS_MAIN(TstFileFacts)
#include "tst_filefacts.moc"
