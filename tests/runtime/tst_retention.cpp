// SPDX-License-Identifier: MIT
// Which snapshots the rules let go, in which order, and which never.
#include "retention.h"

#include <QTest>

#include <deque>

using namespace kv;

namespace {

constexpr qint64 c_dayMs = 24LL * 3600 * 1000;
constexpr qint64 c_now = 1000 * c_dayMs;

class Shelf final {
public:
    Snapshot &add(const QString &session, qint64 usedDaysAgo, qint64 bytes = 100,
        const QString &server = QStringLiteral("a"))
    {
        Snapshot row;
        row.session = session;
        row.bytes = bytes;
        row.name = static_cast<NameNumber>(m_rows.size());
        row.updatedWallMs = c_now - usedDaysAgo * c_dayMs;
        row.fingerprint = std::make_shared<const Fingerprint>(
            FieldList { { QStringLiteral("build"), QString::number(m_rows.size()) } }, FieldList {}, 0);
        m_rows.push_back(row);
        m_given.push_back({ server, &m_rows.back(), false, false, {} });
        return m_rows.back();
    }
    /// A session's snapshot, and the base that shares its file.
    void addWithBase(const QString &session, qint64 usedDaysAgo, qint64 baseUsedDaysAgo)
    {
        const NameNumber name = add(session, usedDaysAgo).name;
        Snapshot &base = add(QStringLiteral("base of ") + session, baseUsedDaysAgo);
        base.base = true;
        base.source = session;
        base.name = name;
    }
    void onDevice(const QString &device)
    {
        for (RetentionRow &one : m_given) {
            one.device = device;
        }
    }
    [[nodiscard]] qint64 freed(const RetentionConfig &rules) const
    {
        qint64 bytes = 0;
        for (const Removal &one : chooseRemovals(m_given, rules, facts)) {
            bytes += one.bytes;
        }
        return bytes;
    }
    RetentionFacts facts { c_now, {}, {}, true };
    RetentionRow &last() { return m_given.back(); }
    /// "session:reason …" in the order of removal.
    [[nodiscard]] QString removed(const RetentionConfig &rules) const
    {
        QStringList out;
        for (const Removal &one : chooseRemovals(m_given, rules, facts)) {
            out.append(one.session + QLatin1Char(':') + one.reason);
        }
        return out.join(QLatin1Char(' '));
    }

private:
    std::deque<Snapshot> m_rows; // rows keep their place
    std::vector<RetentionRow> m_given;
};

RetentionConfig noRules()
{
    RetentionConfig rules;
    rules.maxTotalBytes.reset();
    rules.minFreeBytes.reset();
    return rules;
}

}

class TstRetention final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void withoutRulesOnlyInvalidOnesGo();
    void invalidOnesStayToBeSeenAndGoFirstWhenSomethingPresses();
    void pinnedAndActiveOnesStayWhateverTheyAre();
    void sizeTakesTheOldestUnused();
    void aRestoreCountsAsUse();
    void countIsOfSessionsNotOfRows();
    void aSessionWithAPinIsNoRoomForAnother();
    void ageTakesATenthAtMost();
    void theEdgeOfAnAge();
    void daysOnWhichNobodyRanAgeNothing();
    void subagentsThatAreDoneGoBeforeOthers();
    void aFullDiskTakesTheOldestUnusedOfItsOwnFiles();
    void whatWentForAnotherReasonCountsForTheDisk();
    void nothingIsTakenTwice();
    void aClockThatWentBackTakesNothing();
    void noRowsNoRemovals();
    void anUnusedBaseGoesByItself();
    void aBaseIsNoSessionAndItsSharedFileCountsOnce();
    void aFileIsAsOldAsTheLastUseOfEitherRow();
    void whatIsForgottenLeavesTheFileToItsBase();
};

void TstRetention::anUnusedBaseGoesByItself()
{
    Shelf shelf;
    shelf.add(QStringLiteral("session"), 400);
    shelf.add(QStringLiteral("new base"), c_baseUnusedDays - 1).base = true;
    shelf.add(QStringLiteral("old base"), c_baseUnusedDays).base = true;
    Snapshot &used = shelf.add(QStringLiteral("used base"), c_baseUnusedDays);
    used.base = true;
    used.lastRestoreWallMs = c_now - c_dayMs;
    Snapshot &pinned = shelf.add(QStringLiteral("pinned base"), 400);
    pinned.base = true;
    pinned.pinned = true;
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("old base:unused"));
}

void TstRetention::aBaseIsNoSessionAndItsSharedFileCountsOnce()
{
    Shelf shelf;
    shelf.addWithBase(QStringLiteral("A"), 5, 2);
    RetentionConfig rules = noRules();
    rules.maxSessions = 1;
    rules.maxTotalBytes = 100;
    QCOMPARE(shelf.removed(rules), QString());
    // Letting one of them go would free nothing.
    rules.maxTotalBytes = 99;
    QCOMPARE(shelf.removed(rules), QStringLiteral("A:size base of A:size"));
    QCOMPARE(shelf.freed(rules), 100);
}

void TstRetention::aFileIsAsOldAsTheLastUseOfEitherRow()
{
    Shelf shelf;
    shelf.addWithBase(QStringLiteral("A"), 9, 0); // others begin with it every day
    shelf.add(QStringLiteral("B"), 5);
    RetentionConfig rules = noRules();
    rules.maxTotalBytes = 100;
    QCOMPARE(shelf.removed(rules), QStringLiteral("B:size"));
    // Without room it frees nothing to take one of them.
    shelf.addWithBase(QStringLiteral("C"), 8, 8);
    shelf.last().active = true;
    QCOMPARE(shelf.removed(rules), QStringLiteral("B:size A:size base of A:size"));
    shelf.facts.shortages = { { QStringLiteral("disk"), 150 } };
    shelf.onDevice(QStringLiteral("disk"));
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("B:free-space A:free-space base of A:free-space"));
    QCOMPARE(shelf.freed(noRules()), 200);
}

void TstRetention::whatIsForgottenLeavesTheFileToItsBase()
{
    Shelf shelf;
    shelf.addWithBase(QStringLiteral("A"), 40, 1);
    RetentionConfig rules = noRules();
    rules.maxAgeDays = 30;
    QCOMPARE(shelf.removed(rules), QStringLiteral("A:age"));
    QCOMPARE(shelf.freed(rules), 0);
    rules.maxAgeDays.reset();
    rules.maxSessions = 1;
    shelf.add(QStringLiteral("B"), 5); // used by itself since, as A was not
    QCOMPARE(shelf.removed(rules), QStringLiteral("A:count"));
    QCOMPARE(shelf.freed(rules), 0);
}

void TstRetention::withoutRulesOnlyInvalidOnesGo()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 900);
    shelf.add(QStringLiteral("B"), 0);
    shelf.last().invalid = true;
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("B:invalid"));
}

void TstRetention::invalidOnesStayToBeSeenAndGoFirstWhenSomethingPresses()
{
    Shelf shelf;
    shelf.facts.invalidGo = false;
    shelf.add(QStringLiteral("old"), 9);
    shelf.add(QStringLiteral("bad"), 1);
    shelf.last().invalid = true;
    RetentionConfig rules = noRules();
    QCOMPARE(shelf.removed(rules), QString());
    rules.maxTotalBytes = 100;
    QCOMPARE(shelf.removed(rules), QStringLiteral("bad:size"));
}

void TstRetention::pinnedAndActiveOnesStayWhateverTheyAre()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 900).pinned = true;
    shelf.last().invalid = true;
    shelf.add(QStringLiteral("B"), 800);
    shelf.last().active = true;
    shelf.add(QStringLiteral("C"), 1);
    RetentionConfig rules = noRules();
    rules.maxTotalBytes = 1;
    rules.maxSessions = 1;
    rules.maxAgeDays = 30;
    QCOMPARE(shelf.removed(rules), QStringLiteral("C:count"));
}

void TstRetention::sizeTakesTheOldestUnused()
{
    Shelf shelf;
    shelf.add(QStringLiteral("young"), 1);
    shelf.add(QStringLiteral("old"), 9);
    shelf.add(QStringLiteral("middle"), 5);
    RetentionConfig rules = noRules();
    rules.maxTotalBytes = 300;
    QCOMPARE(shelf.removed(rules), QString());
    rules.maxTotalBytes = 299;
    QCOMPARE(shelf.removed(rules), QStringLiteral("old:size"));
    rules.maxTotalBytes = 100;
    QCOMPARE(shelf.removed(rules), QStringLiteral("old:size middle:size"));
}

void TstRetention::aRestoreCountsAsUse()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 9).lastRestoreWallMs = c_now;
    shelf.add(QStringLiteral("B"), 5);
    RetentionConfig rules = noRules();
    rules.maxTotalBytes = 100;
    QCOMPARE(shelf.removed(rules), QStringLiteral("B:size"));
}

void TstRetention::countIsOfSessionsNotOfRows()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 9);
    shelf.add(QStringLiteral("A"), 2); // of another identity
    shelf.add(QStringLiteral("B"), 5);
    RetentionConfig rules = noRules();
    rules.maxSessions = 2;
    QCOMPARE(shelf.removed(rules), QString());
    rules.maxSessions = 1;
    QCOMPARE(shelf.removed(rules), QStringLiteral("B:count")); // A was used later
    shelf.add(QStringLiteral("C"), 1);
    QCOMPARE(shelf.removed(rules), QStringLiteral("A:count B:count A:count"));
}

void TstRetention::aSessionWithAPinIsNoRoomForAnother()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 9).pinned = true;
    shelf.add(QStringLiteral("A"), 8);
    shelf.add(QStringLiteral("B"), 5);
    RetentionConfig rules = noRules();
    rules.maxSessions = 1;
    QCOMPARE(shelf.removed(rules), QStringLiteral("B:count"));
}

void TstRetention::ageTakesATenthAtMost()
{
    Shelf shelf;
    for (int i = 0; i < 30; ++i) {
        shelf.add(QStringLiteral("S%1").arg(i), 100 + i);
    }
    RetentionConfig rules = noRules();
    rules.maxAgeDays = 30;
    QCOMPARE(shelf.removed(rules), QStringLiteral("S29:age S28:age S27:age"));
}

void TstRetention::theEdgeOfAnAge()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 30).updatedWallMs += 1;
    RetentionConfig rules = noRules();
    rules.maxAgeDays = 30;
    QCOMPARE(shelf.removed(rules), QString());
    shelf.add(QStringLiteral("B"), 30);
    QCOMPARE(shelf.removed(rules), QStringLiteral("B:age"));
}

void TstRetention::daysOnWhichNobodyRanAgeNothing()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), 400);
    RetentionConfig rules = noRules();
    rules.maxAgeDays = 30;
    shelf.facts.daysRun
        = [](qint64 sinceWallMs) -> qint64 { return sinceWallMs == c_now - 400 * c_dayMs ? 29 : 0; };
    QCOMPARE(shelf.removed(rules), QString());
    shelf.facts.daysRun = [](qint64) -> qint64 { return 30; };
    QCOMPARE(shelf.removed(rules), QStringLiteral("A:age"));
    // Days that began while less than that went by do not count double.
    Shelf young;
    young.add(QStringLiteral("B"), 29);
    young.facts.daysRun = [](qint64) -> qint64 { return 30; };
    QCOMPARE(young.removed(rules), QString());
}

void TstRetention::subagentsThatAreDoneGoBeforeOthers()
{
    Shelf shelf;
    shelf.add(QStringLiteral("old"), 90);
    shelf.add(QStringLiteral("agent"), 2).subagent = true;
    shelf.add(QStringLiteral("elder agent"), 3).subagent = true;
    shelf.add(QStringLiteral("working agent"), 0).subagent = true; // it may come back any minute
    shelf.add(QStringLiteral("bad"), 1);
    shelf.last().invalid = true;
    RetentionConfig rules = noRules();
    rules.maxTotalBytes = 100;
    QCOMPARE(shelf.removed(rules), QStringLiteral("bad:invalid elder agent:size agent:size old:size"));
    rules = noRules();
    rules.maxSessions = 3;
    QCOMPARE(shelf.removed(rules), QStringLiteral("bad:invalid elder agent:count"));
}

void TstRetention::aFullDiskTakesTheOldestUnusedOfItsOwnFiles()
{
    Shelf shelf;
    const QString disk = QStringLiteral("disk");
    for (const auto &[name, days] : { std::pair("young", 1), std::pair("pinned", 9), std::pair("old", 8),
             std::pair("active", 7), std::pair("middle", 6) }) {
        shelf.add(QString::fromLatin1(name), days).pinned = QLatin1String(name) == QLatin1String("pinned");
        shelf.last().active = QLatin1String(name) == QLatin1String("active");
        shelf.last().device = disk;
    }
    shelf.add(QStringLiteral("elsewhere"), 99);
    shelf.last().device = QStringLiteral("other disk");
    shelf.add(QStringLiteral("server's own"), 99);
    shelf.facts.shortages = { { disk, 1 } };
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("old:free-space"));
    shelf.facts.shortages = { { disk, 101 } };
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("old:free-space middle:free-space"));
    shelf.facts.shortages = { { disk, 99'999 } };
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("old:free-space middle:free-space young:free-space"));
}

void TstRetention::whatWentForAnotherReasonCountsForTheDisk()
{
    Shelf shelf;
    for (int i = 0; i < 3; ++i) {
        shelf.add(QStringLiteral("S%1").arg(i), i);
        shelf.last().device = QStringLiteral("disk");
        shelf.last().invalid = i == 0;
    }
    shelf.facts.shortages = { { QStringLiteral("disk"), 100 } };
    QCOMPARE(shelf.removed(noRules()), QStringLiteral("S0:invalid"));
    RetentionConfig rules = noRules();
    rules.maxSessions = 1;
    shelf.facts.shortages = { { QStringLiteral("disk"), 200 } };
    QCOMPARE(shelf.removed(rules), QStringLiteral("S0:invalid S2:count"));
}

void TstRetention::nothingIsTakenTwice()
{
    Shelf shelf;
    for (int i = 0; i < 10; ++i) {
        shelf.add(QStringLiteral("S%1").arg(i), 100 + i);
        shelf.last().invalid = i == 5;
    }
    RetentionConfig rules = noRules();
    rules.maxAgeDays = 1;
    rules.maxSessions = 3;
    rules.maxTotalBytes = 100;
    const QStringList removed = shelf.removed(rules).split(QLatin1Char(' '));
    QCOMPARE(removed.size(), 9);
    QSet<QString> sessions;
    for (const QString &one : removed) {
        sessions.insert(one.section(QLatin1Char(':'), 0, 0));
    }
    QCOMPARE(sessions.size(), 9);
    QCOMPARE(removed.front(), QStringLiteral("S5:invalid"));
}

void TstRetention::aClockThatWentBackTakesNothing()
{
    Shelf shelf;
    shelf.add(QStringLiteral("A"), -400); // used in the future
    RetentionConfig rules = noRules();
    rules.maxAgeDays = 1;
    QCOMPARE(shelf.removed(rules), QString());
}

void TstRetention::noRowsNoRemovals()
{
    RetentionConfig rules;
    rules.maxAgeDays = 1;
    rules.maxSessions = 1;
    QVERIFY(chooseRemovals({}, rules, {}).empty());
}

QTEST_APPLESS_MAIN(TstRetention)
#include "tst_retention.moc"
