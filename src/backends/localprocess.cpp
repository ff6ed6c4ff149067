// SPDX-License-Identifier: MIT
#include "localprocess.h"

#include "servercommandline.h"

#include <QDir>
#include <QFile>
#include <QHostAddress>
#include <QSet>

#ifdef Q_OS_LINUX
#include <unistd.h>
#endif

namespace kv {

#ifdef Q_OS_LINUX
namespace {

QByteArray readAll(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList zeroSeparated(const QByteArray &data)
{
    QStringList out;
    for (const QByteArray &part : data.split('\0')) {
        out.append(QString::fromLocal8Bit(part));
    }
    if (!out.isEmpty() && out.last().isEmpty()) {
        out.removeLast();
    }
    return out;
}

// Columns of /proc/net/tcp: number, local address:port (hex), remote, state (0A: listening), …, inode (10th).
void addListeners(QSet<QByteArray> &inodes, const QString &table, quint16 port)
{
    const QByteArray wanted = ':' + QByteArray::number(port, 16).rightJustified(4, '0').toUpper();
    const QList<QByteArray> lines = readAll(table).split('\n');
    for (const QByteArray &line : lines) {
        const QList<QByteArray> columns = line.simplified().split(' ');
        if (columns.size() > 9 && columns.at(3) == "0A" && columns.at(1).endsWith(wanted)) {
            inodes.insert("socket:[" + columns.at(9) + ']');
        }
    }
}

bool holdsOneOf(const QString &processFolder, const QSet<QByteArray> &sockets)
{
    const QString folder = processFolder + QStringLiteral("/fd/");
    const QStringList names = QDir(folder).entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot);
    std::array<char, 64> target {};
    for (const QString &name : names) {
        const auto length
            = ::readlink(QFile::encodeName(folder + name).constData(), target.data(), target.size());
        if (length > 0 && sockets.contains(QByteArray(target.data(), static_cast<qsizetype>(length)))) {
            return true;
        }
    }
    return false;
}

quint64 startTicks(qint64 pid)
{
    const QByteArray stat = readAll(QStringLiteral("/proc/%1/stat").arg(pid));
    // The name in parentheses may hold anything; the start time is the 20th column after it.
    const QList<QByteArray> columns = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
    return columns.size() > 19 ? columns.at(19).toULongLong() : 0;
}

qint64 wallMsOfTicks(quint64 ticks)
{
    const QByteArray stat = readAll(QStringLiteral("/proc/stat"));
    const qsizetype at = stat.indexOf("btime ");
    const long perSecond = ::sysconf(_SC_CLK_TCK);
    if (at < 0 || perSecond <= 0) {
        return 0;
    }
    const qint64 bootSeconds = stat.mid(at + 6, stat.indexOf('\n', at) - at - 6).toLongLong();
    return bootSeconds * 1000 + static_cast<qint64>(ticks) * 1000 / perSecond;
}

bool sameFilesAsOurs(const QString &processFolder)
{
    // Namespace links are no paths: compare what they say.
    std::array<char, 64> theirs {};
    std::array<char, 64> ours {};
    const QByteArray path = QFile::encodeName(processFolder + QStringLiteral("/ns/mnt"));
    const auto n = ::readlink(path.constData(), theirs.data(), theirs.size());
    const auto m = ::readlink("/proc/self/ns/mnt", ours.data(), ours.size());
    return n > 0 && n == m && std::equal(theirs.begin(), theirs.begin() + n, ours.begin());
}

QHash<QString, QString> llamaVariables(const QString &processFolder)
{
    QHash<QString, QString> out;
    const QStringList all = zeroSeparated(readAll(processFolder + QStringLiteral("/environ")));
    for (const QString &entry : all) {
        const qsizetype equals = entry.indexOf(u'=');
        const QString name = entry.left(equals);
        if (equals > 0 && name.startsWith(QStringLiteral("LLAMA_")) && !name.contains(QStringLiteral("KEY"))
            && !name.contains(QStringLiteral("TOKEN"))) {
            out.insert(name, entry.mid(equals + 1));
        }
    }
    return out;
}

bool hasKeyVariable(const QString &processFolder)
{
    const QByteArray all = '\0' + readAll(processFolder + QStringLiteral("/environ"));
    const qsizetype at = all.indexOf(QByteArray("\0LLAMA_API_KEY=", 15));
    return at >= 0 && at + 15 < all.size() && all.at(at + 15) != '\0';
}

/// The ids behind `key` in /proc/PID/status.
std::vector<qint64> idsOf(const QByteArray &status, const QByteArray &key)
{
    std::vector<qint64> out;
    const qsizetype at = status.indexOf('\n' + key);
    if (at < 0) {
        return out;
    }
    const qsizetype from = at + 1 + key.size();
    const QList<QByteArray> words
        = status.mid(from, status.indexOf('\n', from) - from).simplified().split(' ');
    for (const QByteArray &word : words) {
        bool isNumber = false;
        const qint64 id = word.toLongLong(&isNumber);
        if (isNumber) {
            out.push_back(id);
        }
    }
    return out;
}

void readUser(LocalProcess &process, const QString &processFolder)
{
    // "Uid:" and "Gid:" tell the real, effective, saved and file system ids.
    const QByteArray status = readAll(processFolder + QStringLiteral("/status"));
    const std::vector<qint64> user = idsOf(status, "Uid:");
    const std::vector<qint64> group = idsOf(status, "Gid:");
    process.userId = user.size() == 4 ? user[3] : -1;
    process.groupIds = idsOf(status, "Groups:");
    if (group.size() == 4) {
        process.groupIds.push_back(group[3]);
    }
}

} // namespace

std::optional<LocalProcess> findListeningServer(quint16 port)
{
    QSet<QByteArray> sockets;
    addListeners(sockets, QStringLiteral("/proc/net/tcp"), port);
    addListeners(sockets, QStringLiteral("/proc/net/tcp6"), port);
    if (sockets.isEmpty()) {
        return std::nullopt;
    }
    const QStringList names = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &name : names) {
        bool isNumber = false;
        LocalProcess process;
        process.pid = name.toLongLong(&isNumber);
        if (!isNumber) {
            continue;
        }
        const QString folder = QStringLiteral("/proc/") + name;
        process.argv = zeroSeparated(readAll(folder + QStringLiteral("/cmdline")));
        // The name first: it costs one small read, while a browser may have thousands of open files.
        if (!isLlamaServer(process.argv) || !holdsOneOf(folder, sockets) || !sameFilesAsOurs(folder)) {
            continue;
        }
        process.startTicks = startTicks(process.pid);
        process.startWallMs = wallMsOfTicks(process.startTicks);
        process.environment = llamaVariables(folder);
        process.keyVariable = hasKeyVariable(folder);
        readUser(process, folder);
        process.workingDirectory = QFile::symLinkTarget(folder + QStringLiteral("/cwd"));
        if (process.startTicks > 0) {
            return process;
        }
    }
    return std::nullopt;
}

bool stillRuns(const LocalProcess &process)
{
    return process.pid > 0 && startTicks(process.pid) == process.startTicks;
}

#else

std::optional<LocalProcess> findListeningServer(quint16 /*port*/) { return std::nullopt; }

bool stillRuns(const LocalProcess & /*process*/) { return false; }

#endif

bool isLoopback(const QUrl &url)
{
    const QString host = url.host();
    return host == QStringView(u"localhost") || QHostAddress(host).isLoopback();
}

} // namespace kv
