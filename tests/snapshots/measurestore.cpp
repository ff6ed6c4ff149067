// SPDX-License-Identifier: MIT
// kv-store-measure [ROWS]: prints as JSON what opening ROWS rows costs in time and memory, and one durable
// write.
#include "storefixture.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QUuid>

#include <cstdio>
#include <ctime>

using namespace kv;
using namespace kv::test;

namespace {

qint64 residentKiB()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) {
        return -1;
    }
    for (const QByteArray &line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:")) {
            return line.mid(6).trimmed().split(' ').first().toLongLong();
        }
    }
    return -1;
}

void fill(const QString &folder, int rows)
{
    SnapshotStore store;
    [[maybe_unused]] const bool opened = store.open(folder).ok();
    const FingerprintPtr print = makeFingerprint(QStringLiteral("m"));
    for (int i = 0; i < rows; ++i) {
        Snapshot s = makeSnapshot(QUuid::createUuid().toString(QUuid::WithoutBraces), 1, print);
        s.name = i;
        s.label = QStringLiteral("a label of usual length %1").arg(i);
        store.submit(put(static_cast<StoreSeq>(i) + 1, QStringLiteral("a"), s));
    }
    [[maybe_unused]] const bool closed = store.close().ok();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int rows = arguments.size() > 1 ? arguments.at(1).toInt() : 10000;
    const QTemporaryDir dir;
    if (arguments.size() < 3) {
        fill(dir.path(), rows);
    }
    const QString folder = arguments.size() < 3 ? dir.path() : arguments.at(2);
    if (arguments.size() == 4) { // fill a folder, to be measured by another process
        fill(folder, rows);
        return 0;
    }
    const qint64 before = residentKiB();
    QElapsedTimer timer;
    const std::clock_t cpuBefore = std::clock();
    timer.start();
    SnapshotStore store;
    const Result<LoadedStore> loaded = store.open(folder);
    const double openMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    const double openCpuMs = static_cast<double>(std::clock() - cpuBefore) * 1e3 / CLOCKS_PER_SEC;
    const qint64 after = residentKiB();
    const std::size_t found = loaded ? loaded.value().server(QStringLiteral("a")).snapshots.size() : 0;
    QObject::connect(&store, &SnapshotStore::done, &app, &QCoreApplication::quit);
    QObject::connect(&store, &SnapshotStore::failed, &app, &QCoreApplication::quit);
    timer.restart();
    store.submit(put(
        1, QStringLiteral("a"), makeSnapshot(QStringLiteral("s"), 1, makeFingerprint(QStringLiteral("m")))));
    QCoreApplication::exec();
    const double putMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    std::printf(
        "{\"rows\": %zu, \"openMs\": %.1f, \"openCpuMs\": %.1f, \"residentKiB\": %lld, \"putMs\": %.2f}\n",
        found, openMs, openCpuMs, static_cast<long long>(after - before), putMs);
    return 0;
}
