// SPDX-License-Identifier: MIT
// Which snapshots are not trusted after the machine stopped without warning.
#include "storefixture.h"
#include "uncleanstop.h"

#include <QTest>

using namespace kv;
using namespace kv::test;

namespace {

constexpr qint64 c_life = 1'800'000'000'000;

Snapshot aged(qint64 ageMs, const QString &checksum = {}, SnapshotState state = SnapshotState::Valid)
{
    Snapshot row = makeSnapshot(QStringLiteral("s"), 1, makeFingerprint(QStringLiteral("m")));
    row.updatedWallMs = c_life - ageMs;
    row.checksum = checksum;
    row.state = state;
    row.reason.clear();
    return row;
}

QString after(const Snapshot &before, FilesAt files)
{
    std::vector<Snapshot> rows { before };
    const std::vector<Snapshot> changed = markAfterUncleanStop(rows, files, { c_life });
    const bool same = rows.front().state == before.state && rows.front().reason == before.reason;
    if (changed.size() != (same ? 0U : 1U)) {
        return QStringLiteral("told wrongly");
    }
    return toString(rows.front().state) + QLatin1Char(' ') + rows.front().reason;
}

}

class TstUncleanStop final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLocalServersYoungSnapshotIsNotTrusted()
    {
        QCOMPARE(after(aged(59'999), FilesAt::LocalServer), QStringLiteral("invalid UNCLEAN_STOP"));
        QCOMPARE(after(aged(60'000), FilesAt::LocalServer), QStringLiteral("valid "));
        // Saved after the last sign of life: it cannot be told how long before the stop.
        QCOMPARE(after(aged(-5), FilesAt::LocalServer), QStringLiteral("invalid UNCLEAN_STOP"));
        // What the server has written is not read here, so a checksum of former times helps nothing.
        QCOMPARE(after(aged(10, QStringLiteral("00ff")), FilesAt::LocalServer),
            QStringLiteral("invalid UNCLEAN_STOP"));
    }

    void anotherMachinesSnapshotsAreAsGoodAsBefore()
    {
        QCOMPARE(after(aged(10), FilesAt::Elsewhere), QStringLiteral("valid "));
    }

    void aSharedFileIsComparedIfItHasAChecksum()
    {
        QCOMPARE(after(aged(10, QStringLiteral("00ff")), FilesAt::SharedFolder),
            QStringLiteral("suspect UNCLEAN_STOP"));
        QCOMPARE(after(aged(99'999'999, QStringLiteral("00ff")), FilesAt::SharedFolder),
            QStringLiteral("suspect UNCLEAN_STOP"));
        QCOMPARE(after(aged(10), FilesAt::SharedFolder), QStringLiteral("invalid UNCLEAN_STOP"));
        QCOMPARE(after(aged(60'000), FilesAt::SharedFolder), QStringLiteral("valid "));
    }

    void whatIsInvalidKeepsItsReason()
    {
        Snapshot manual = aged(10, {}, SnapshotState::Invalid);
        manual.reason = QStringLiteral("MANUAL");
        QCOMPARE(after(manual, FilesAt::LocalServer), QStringLiteral("invalid MANUAL"));
    }

    void theLastLifeIsTheLatestSign()
    {
        LoadedStore loaded;
        QCOMPARE(lastLifeOf(loaded, 5).lastLifeWallMs, 5);
        Snapshot restored = aged(1000);
        restored.lastRestoreWallMs = c_life + 3;
        loaded.servers[QStringLiteral("a")].snapshots = { aged(0) };
        loaded.servers[QStringLiteral("b")].snapshots = { restored };
        QCOMPARE(lastLifeOf(loaded, 5).lastLifeWallMs, c_life + 3);
        QCOMPARE(lastLifeOf(loaded, c_life + 9).lastLifeWallMs, c_life + 9);
    }
};

QTEST_APPLESS_MAIN(TstUncleanStop)
#include "tst_uncleanstop.moc"
