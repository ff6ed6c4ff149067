// SPDX-License-Identifier: MIT
// The database of a process that was killed: this program starts itself as the one to kill.
#include "storefixture.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace kv;
using namespace kv::test;

namespace {

const QString c_server = QStringLiteral("a");
const QString c_writerFlag = QStringLiteral("--writer");
constexpr int c_sessions = 5;

QString session(StoreSeq seq) { return QStringLiteral("s%1").arg(seq % c_sessions); }

/// Moves pointers for ever and prints the number of each move that was confirmed.
int writeForEver(const QString &folder)
{
    SnapshotStore store;
    if (!store.open(folder)) {
        return 1;
    }
    const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
    StoreSeq next = 1;
    const auto submitNext = [&] {
        store.submit(put(next, c_server, makeSnapshot(session(next), static_cast<NameNumber>(next), print)));
        ++next;
    };
    QObject::connect(&store, &SnapshotStore::done, &store, [&](const QString &, StoreSeq seq) {
        std::printf("%llu\n", static_cast<unsigned long long>(seq));
        std::fflush(stdout);
        submitNext();
    });
    // A few at once, so that the kill meets a busy writer.
    for (int i = 0; i < 4; ++i) {
        submitNext();
    }
    return QCoreApplication::exec();
}

} // namespace

class TestStoreCrash final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyConfirmedPointerSurvivesKill9_data()
    {
        QTest::addColumn<int>("confirmed");
        for (const int confirmed : { 1, 3, 17, 60, 150 }) {
            QTest::addRow("after %d", confirmed) << confirmed;
        }
    }

    void everyConfirmedPointerSurvivesKill9()
    {
        QFETCH(int, confirmed);
        const QTemporaryDir dir;
        QProcess writer;
        writer.start(QCoreApplication::applicationFilePath(), { c_writerFlag, dir.path() });
        QVERIFY(writer.waitForStarted());
        QByteArray output;
        while (output.count('\n') < confirmed) {
            QVERIFY2(writer.waitForReadyRead(10000), writer.readAllStandardError().constData());
            output += writer.readAllStandardOutput();
        }
        writer.kill();
        QVERIFY(writer.waitForFinished());
        output += writer.readAllStandardOutput();
        const qsizetype end = output.lastIndexOf('\n');
        const StoreSeq last = output.first(end).split('\n').last().toULongLong();

        SnapshotStore store;
        const Result<LoadedStore> loaded = store.open(dir.path());
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
        QVERIFY(!loaded.value().cleanStop);
        QCOMPARE(loaded.value().notices, QStringList());
        // Each session's row is the last confirmed one, or a later one that was under way; never torn.
        for (StoreSeq seq = last < c_sessions ? 1 : last - c_sessions + 1; seq <= last; ++seq) {
            const Snapshot row = find(loaded.value(), c_server, session(seq));
            QVERIFY(row.name >= static_cast<NameNumber>(seq));
            QVERIFY(row.name <= static_cast<NameNumber>(last) + 2 * c_sessions);
            QCOMPARE(differences(row, makeSnapshot(row.session, row.name, row.fingerprint)), QStringList());
        }
    }
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 3 && arguments.at(1) == c_writerFlag) {
        return writeForEver(arguments.at(2));
    }
    TestStoreCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_storecrash.moc"
