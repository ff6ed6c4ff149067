// SPDX-License-Identifier: MIT
// The journal on disk: two segments, each to be replayed by itself, whatever happens to files and folder.
#include "journalkeeper.h"
#include "replay.h"
#include "stage.h"

#include <QSignalSpy>

#include <csignal>
#include <sys/resource.h>

using namespace kv;
using namespace kv::test;

namespace {

struct Replayed {
    ReplaySummary summary;
    QString problem;
    qint64 bytes = -1; ///< −1: no such file

    explicit Replayed(const QString &path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) {
            problem = u"there is no file"_qs;
            return;
        }
        bytes = file.size();
        Result<JournalReader> reader = JournalReader::open(file.readAll());
        if (!reader) {
            problem = reader.error().message;
            return;
        }
        Replay replay(std::move(reader).value());
        while (replay.next()) { }
        summary = replay.summary();
        problem = replay.problem();
    }
    [[nodiscard]] bool good() const { return problem.isEmpty() && summary.otherwise == 0; }
};

/// A coordinator that lives, with its journal.
struct Subject {
    QTemporaryDir folder;
    QThreadPool pool;
    SystemClock clock;
    Coordinator coordinator { Policy {}, InitialState {} };
    JournalKeeper::Place place;
    std::unique_ptr<JournalKeeper> keeper;
    quint64 fed = 0;

    explicit Subject(qint64 segmentBytes = 1 << 20)
    {
        place.folder = folder.filePath(u"journal"_qs);
        place.server = u"local"_qs;
        place.segmentBytes = segmentBytes;
        place.everyMs = 1;
    }
    void open() { keeper = std::make_unique<JournalKeeper>(place, &coordinator, &pool, &clock); }
    void feed(int events)
    {
        for (int i = 0; i < events; ++i) {
            SessionHint hint; // moves nothing, so the state stays small
            hint.session = u"s%1"_qs.arg(++fed);
            const Instant now = clock.now();
            keeper->add(hint, now, coordinator.handle(hint, now));
        }
    }
    [[nodiscard]] QString path() const { return folder.filePath(u"journal/local.kvjournal"_qs); }
    [[nodiscard]] QString oldPath() const { return path() + u".old"_qs; }
};

QByteArray bytesOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TstJournalKeeper final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatAServerDidReplaysAsItWas();
    void nothingIsWrittenOnTheRequestsPath();
    void aNewSegmentNeedsNothingOfTheOld();
    void aRunGoesOnInTheSameFile();
    void aTornEndIsCutOffBeforeItGoesOn();
    void anotherVersionsJournalIsKeptAside();
    void aVanishedFolderIsMadeAnew();
    void whereNothingCanBeWrittenItGivesUpOnce();
    void aFullDiskLeavesWholeRecords();
    void namesOfServersBecomeNamesOfFiles();
};

void TstJournalKeeper::whatAServerDidReplaysAsItWas()
{
    Stage stage;
    stage.watched = true;
    QVERIFY(stage.open());
    (void)stage.turn(u"secret A"_qs, QByteArray(400, 'x'));
    (void)stage.turn(u"secret B"_qs, QByteArray(300, 'y'));
    (void)stage.turn(u"secret A"_qs, QByteArray(450, 'x'));
    QVERIFY(stage.stop());
    const QString path = stage.metadata() + u"/journal/a.kvjournal"_qs;
    const Replayed replayed(path);
    QVERIFY2(replayed.good(), qPrintable(replayed.problem));
    QCOMPARE(replayed.summary.runs, 1U);
    QVERIFY(replayed.summary.events > 10);
    QCOMPARE(replayed.summary.grants.at(Outcome::Cold), 2U);
    QCOMPARE(replayed.summary.grants.at(Outcome::Restored), 1U);
    QVERIFY(replayed.summary.saves >= 2);
    QCOMPARE(QFile::permissions(path)
            & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
        QFile::Permissions());
    QVERIFY(!bytesOf(path).contains("secret"));
}

void TstJournalKeeper::nothingIsWrittenOnTheRequestsPath()
{
    Subject subject;
    subject.place.everyMs = 60'000;
    subject.open();
    subject.feed(100);
    QVERIFY(!QFileInfo::exists(subject.path()));
    subject.keeper->close();
    const Replayed replayed(subject.path());
    QVERIFY2(replayed.good(), qPrintable(replayed.problem));
    QCOMPARE(replayed.summary.events, 100U);
    subject.feed(1); // after close(): nothing
    QCOMPARE(Replayed(subject.path()).summary.events, 100U);
}

void TstJournalKeeper::aNewSegmentNeedsNothingOfTheOld()
{
    Subject subject(100'000);
    subject.open();
    quint64 rounds = 0;
    QByteArray first;
    while (++rounds < 2000
        && !(QFileInfo::exists(subject.oldPath()) && !first.isEmpty()
            && bytesOf(subject.oldPath()) != first)) {
        subject.feed(20);
        QTest::qWait(2);
        if (first.isEmpty()) {
            first = bytesOf(subject.oldPath());
        }
    }
    QVERIFY2(rounds < 2000, "it was never begun anew twice");
    subject.keeper->close();
    for (const QString &path : { subject.path(), subject.oldPath() }) {
        const Replayed replayed(path);
        QVERIFY2(replayed.good(), qPrintable(path + replayed.problem));
        QVERIFY(replayed.bytes < 2 * subject.place.segmentBytes);
    }
    QVERIFY(Replayed(subject.oldPath()).summary.events > 0);
    QCOMPARE(QDir(subject.place.folder).entryList(QDir::Files).size(), 2);
}

void TstJournalKeeper::aRunGoesOnInTheSameFile()
{
    Subject subject;
    for (int run = 1; run <= 3; ++run) {
        subject.open();
        subject.feed(10);
        subject.keeper.reset();
    }
    const Replayed replayed(subject.path());
    QVERIFY2(replayed.good(), qPrintable(replayed.problem));
    QCOMPARE(replayed.summary.runs, 3U);
    QCOMPARE(replayed.summary.events, 30U);
    QVERIFY(!QFileInfo::exists(subject.oldPath()));
}

void TstJournalKeeper::aTornEndIsCutOffBeforeItGoesOn()
{
    Subject subject;
    subject.open();
    subject.feed(10);
    subject.keeper.reset();
    QFile file(subject.path());
    QVERIFY(file.resize(file.size() - 3)); // a crash in the middle of a write
    subject.open();
    subject.feed(5);
    subject.keeper.reset();
    const Replayed replayed(subject.path());
    QVERIFY2(replayed.good(), qPrintable(replayed.problem));
    QCOMPARE(replayed.summary.events, 14U);
}

void TstJournalKeeper::anotherVersionsJournalIsKeptAside()
{
    Subject subject;
    QVERIFY(QDir().mkpath(subject.place.folder));
    QFile other(subject.path());
    QVERIFY(other.open(QIODevice::WriteOnly) && other.write("kv-persist journal\nof another time") > 0);
    other.close();
    subject.open();
    subject.feed(5);
    subject.keeper.reset();
    QVERIFY(Replayed(subject.path()).good());
    QCOMPARE(bytesOf(subject.oldPath()), QByteArray("kv-persist journal\nof another time"));
}

void TstJournalKeeper::aVanishedFolderIsMadeAnew()
{
    Subject subject;
    subject.open();
    const QSignalSpy gaveUp(subject.keeper.get(), &JournalKeeper::gaveUp);
    subject.feed(10);
    QTRY_VERIFY(QFileInfo::exists(subject.path()));
    QTRY_VERIFY(QDir(subject.place.folder).removeRecursively()); // while it writes there
    QTRY_VERIFY_WITH_TIMEOUT((subject.feed(1), QFileInfo::exists(subject.path())), 10'000);
    subject.feed(10);
    subject.keeper->close();
    const Replayed replayed(subject.path());
    QVERIFY2(replayed.good(), qPrintable(replayed.problem));
    QVERIFY(replayed.summary.events >= 10);
    QCOMPARE(gaveUp.size(), 0);
}

void TstJournalKeeper::whereNothingCanBeWrittenItGivesUpOnce()
{
    Subject subject;
    QFile inTheWay(subject.place.folder);
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    subject.open();
    const QSignalSpy gaveUp(subject.keeper.get(), &JournalKeeper::gaveUp);
    subject.feed(10);
    QTRY_COMPARE_WITH_TIMEOUT(gaveUp.size(), 1, 10'000);
    QVERIFY(gaveUp.first().first().toString().contains(u"journal of server local"_qs));
    subject.feed(100);
    QTest::qWait(20);
    subject.keeper->close();
    QCOMPARE(gaveUp.size(), 1);
}

void TstJournalKeeper::aFullDiskLeavesWholeRecords()
{
    Subject subject;
    subject.open();
    const QSignalSpy gaveUp(subject.keeper.get(), &JournalKeeper::gaveUp);
    subject.feed(10);
    QTRY_VERIFY(QFileInfo(subject.path()).size() > 0);
    QTest::qWait(20);
    rlimit before {};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit full = before;
    full.rlim_cur = static_cast<rlim_t>(QFileInfo(subject.path()).size() + 100);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &full), 0);
    subject.feed(1000);
    const bool told = QTest::qWaitFor([&] { return gaveUp.size() == 1; }, 10'000);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)std::signal(SIGXFSZ, handler);
    QVERIFY(told);
    const Replayed replayed(subject.path());
    QVERIFY2(replayed.good(), qPrintable(replayed.problem));
    QVERIFY(replayed.summary.events >= 10 && replayed.summary.events < 1010);
}

void TstJournalKeeper::namesOfServersBecomeNamesOfFiles()
{
    QCOMPARE(journalFileName(u"local-3060"_qs), u"local-3060.kvjournal"_qs);
    QStringList seen;
    for (const QString &server : { u"../../etc/x"_qs, u"......etc.x"_qs, u"ä"_qs, u"ö"_qs, QString(),
             QString(300, u'a'), QString(301, u'a') }) {
        const QString name = journalFileName(server);
        QVERIFY2(!name.contains(u'/') && (!name.startsWith(u'.') || server.isEmpty()), qPrintable(name));
        QVERIFY(!seen.contains(name) && name.size() < 100);
        seen << name;
    }
}

QTEST_GUILESS_MAIN(TstJournalKeeper)
#include "tst_journalkeeper.moc"
