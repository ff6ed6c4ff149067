// SPDX-License-Identifier: MIT
// What the doctor says of folders and of the daemon itself.
#include "bytesize.h"
#include "doctorchecks.h"
#include "metadatafolder.h"

#include <QVersionNumber>

#include <algorithm>
#include <array>

namespace kv {

namespace {

constexpr qint64 c_leastMetadataRoom = 64LL << 20;
constexpr int c_othersMay = 0077;
constexpr int c_strangersMay = 0007; ///< neither owner nor group
constexpr int c_othersMayWrite = 0022;

QString octal(int mode) { return QStringLiteral("0%1").arg(mode, 3, 8, QLatin1Char('0')); }

DoctorFinding checkDaemonVersion(const DaemonFacts &facts)
{
    return passed(QStringLiteral("daemon"),
        QStringLiteral("kv-persistd %1, protocol %2.").arg(facts.version).arg(facts.protocol));
}

DoctorFinding checkSocket(const DaemonFacts &facts)
{
    const QString name = QStringLiteral("socket");
    if (facts.socketPath.isEmpty()) {
        return passed(name, QStringLiteral("None is served."));
    }
    if (!facts.socket.exists) {
        return failed(name,
            QStringLiteral("The socket %1 is gone, so no new client finds the daemon.").arg(facts.socketPath),
            QStringLiteral("Restart the daemon: systemctl --user restart kv-persist"));
    }
    if (facts.socket.mode >= 0 && (facts.socket.mode & c_othersMay) != 0) {
        return warned(name,
            QStringLiteral("Others may connect to the socket %1 (mode %2); they are refused all the same.")
                .arg(facts.socketPath, octal(facts.socket.mode)),
            QStringLiteral("chmod 600 %1").arg(facts.socketPath));
    }
    if (facts.socketFolder.mode >= 0 && (facts.socketFolder.mode & c_othersMayWrite) != 0
        && (facts.socketFolder.mode & 01000) == 0) {
        return warned(name,
            QStringLiteral("Others may write to the folder of the socket %1, so they could replace it.")
                .arg(facts.socketPath),
            QStringLiteral("chmod go-w %1").arg(facts.socketFolder.canonical));
    }
    return passed(name, QStringLiteral("%1, for this user only.").arg(facts.socketPath));
}

DoctorFinding checkMetadata(const DaemonFacts &facts)
{
    const QString name = QStringLiteral("metadata folder");
    const FolderFacts &folder = facts.metadata;
    const QString &path = facts.metadataPath;
    if (!folder.folder || folder.readOnly || !mayWrite(folder, facts.ownUserId, {}).value_or(true)) {
        return failed(name,
            QStringLiteral("%1 is missing or cannot be written to: nothing new can be kept.").arg(path),
            QStringLiteral("Make the folder writable for this user (chmod 700 %1), or set metadata.path.")
                .arg(path));
    }
    if (isNetworkFileSystem(folder.fileSystem.toLocal8Bit())) {
        return failed(name,
            QStringLiteral("%1 is on a network file system (%2), where a database can be damaged.")
                .arg(path, folder.fileSystem),
            QStringLiteral("Set metadata.path to a folder on a disk of this machine."));
    }
    if (folder.mode >= 0 && (folder.mode & c_othersMay) != 0) {
        return warned(name,
            QStringLiteral("Others may look into %1 (mode %2), which names sessions and models.")
                .arg(path, octal(folder.mode)),
            QStringLiteral("chmod 700 %1").arg(path));
    }
    if (folder.freeBytes >= 0 && folder.freeBytes < c_leastMetadataRoom) {
        return warned(name,
            QStringLiteral("The disk of %1 has %2 free: soon nothing new can be recorded.")
                .arg(path, formatBytes(folder.freeBytes)),
            QStringLiteral("Free some space there, or set metadata.path."));
    }
    return passed(name,
        folder.freeBytes < 0
            ? QStringLiteral("%1 can be written to.").arg(path)
            : QStringLiteral("%1 can be written to, %2 free.").arg(path, formatBytes(folder.freeBytes)));
}

/// Programs that come with the daemon: theirs is the same version.
bool isOurs(const QString &client)
{
    return client == QStringView(u"dsh") || client.startsWith(QStringLiteral("kv-persist"));
}

DoctorFinding checkClients(const DaemonFacts &facts)
{
    const QString name = QStringLiteral("clients");
    QStringList seen;
    QStringList older;
    for (const DoctorClient &client : facts.clients) {
        const QString who
            = QStringLiteral("%1 %2")
                  .arg(client.name.isEmpty() ? QStringLiteral("unnamed") : client.name, client.version)
                  .trimmed();
        QStringList more;
        if (client.pins) {
            more.append(QStringLiteral("names its slot"));
        }
        if (!client.connected) {
            more.append(QStringLiteral("gone"));
        }
        seen.append(
            more.isEmpty() ? who : QStringLiteral("%1 (%2)").arg(who, more.join(QStringLiteral(", "))));
        if (isOurs(client.name) && compareVersions(client.version, facts.version) < 0) {
            older.append(who);
        }
    }
    if (!older.isEmpty()) {
        return warned(name,
            QStringLiteral("Older than this daemon (%1): %2. What is new may not work through it.")
                .arg(facts.version, older.join(QStringLiteral(", "))),
            QStringLiteral("Update it to %1, and start its program again.").arg(facts.version));
    }
    return passed(name,
        seen.isEmpty() ? QStringLiteral("None has said who it is yet.")
                       : QStringLiteral("Seen: %1.").arg(seen.join(QStringLiteral(", "))));
}

/// `key`: of the configuration. `means`: what others can do there.
void checkListener(DoctorFindings &out, const std::optional<ListenAddress> &listens, const QString &key,
    const QString &means)
{
    if (!listens) {
        return;
    }
    const QString name = QStringLiteral("exposure");
    const QString host
        = listens->host.contains(u':') ? QStringLiteral("[%1]").arg(listens->host) : listens->host;
    const QString where = QStringLiteral("%1: { listen: %2:%3 }").arg(key, host).arg(listens->port);
    if (isOpenToOthers(listens->host)) {
        out.push_back(warned(name,
            QStringLiteral(
                "The daemon listens for others than this machine (%1) and asks for no key of its own: %2.")
                .arg(where, means),
            QStringLiteral(
                "Set listen: 127.0.0.1:%2 under %1:, or keep others off that port with a firewall.")
                .arg(key)
                .arg(listens->port)));
    } else {
        out.push_back(passed(name, QStringLiteral("Only this machine reaches %1.").arg(where)));
    }
}

QString slotFolderName() { return QStringLiteral("slot folder"); }

/// The owner's rights are not enough: the server's user, or with shared files the daemon's, is another one.
bool needsGroup(const DoctorSubject &subject, const ServerFindings &found, const FolderFacts &folder)
{
    const auto other = [&](qint64 user) {
        return user > 0 && folder.userId >= 0 && user != folder.userId;
    }; // root may all
    const bool unknown = subject.shared && found.userId < 0; // of another machine, or in a container
    return unknown || other(found.userId) || (subject.shared && other(subject.ownUserId));
}

QString shareByGroup(const QString &path)
{
    return QStringLiteral(
        "chgrp GROUP %1 && chmod 2770 %1, with a GROUP that the users of the server and the daemon are in")
        .arg(path);
}

/// Why nothing can be saved there; nothing: it can.
std::optional<DoctorFinding> whyUnusable(
    const DoctorSubject &subject, const ServerFindings &found, const QString &path, const FolderFacts &folder)
{
    if (!folder.folder) {
        return failed(slotFolderName(),
            folder.exists ? QStringLiteral("%1 is no folder.").arg(path)
                          : QStringLiteral("The slot folder %1 does not exist here.").arg(path),
            subject.shared && !found.local
                ? QStringLiteral("Set slotSavePath to where this machine sees the server's folder.")
                : QStringLiteral("mkdir -m 700 %1").arg(path));
    }
    if (folder.readOnly) {
        return failed(slotFolderName(),
            QStringLiteral("%1 is on a file system that is mounted read-only, so nothing can be saved.")
                .arg(path),
            QStringLiteral(
                "Start llama-server with --slot-save-path on another disk, or mount it writable."));
    }
    if (!mayWrite(folder, found.userId, found.groupIds).value_or(true)) {
        const bool alone = !subject.shared || subject.ownUserId <= 0 || subject.ownUserId == found.userId;
        return failed(slotFolderName(),
            QStringLiteral(
                "The server's user may not write to %1 (mode %2, owner %3), so nothing can be saved.")
                .arg(path, octal(folder.mode))
                .arg(folder.userId),
            alone ? QStringLiteral("chown %1 %2 && chmod 700 %2").arg(found.userId).arg(path)
                  : shareByGroup(path));
    }
    return std::nullopt;
}

std::optional<DoctorFinding> checkRoom(
    const DoctorSubject &subject, const QString &path, const FolderFacts &folder)
{
    const qint64 room = folder.freeBytes - subject.minFreeBytes;
    if (folder.freeBytes < 0 || subject.server.isEmpty()
        || room >= std::max<qint64>(subject.expectedBytes, 1)) {
        return std::nullopt;
    }
    const QString message = QStringLiteral("The disk of %1 has %2 free: too little to save a session%3 and "
                                           "still keep retention.minFreeBytes (%4) free.")
                                .arg(path, formatBytes(folder.freeBytes),
                                    subject.expectedBytes > 0
                                        ? QStringLiteral(" of about ") + formatBytes(subject.expectedBytes)
                                        : QString(),
                                    formatBytes(subject.minFreeBytes));
    return failed(slotFolderName(), message,
        QStringLiteral("Free some space there, lower retention.minFreeBytes, or run: kv-persist gc"));
}

/// With shared files the daemon reads what the server saved, and removes what is not kept.
std::optional<DoctorFinding> checkOwnRights(
    const DoctorSubject &subject, const QString &path, const FolderFacts &folder)
{
    if (!subject.shared || folder.writable) {
        return std::nullopt;
    }
    const QString told = QStringLiteral("The daemon may not %1 the files in %2 (mode %3, owner %4), so %5.")
                             .arg(folder.readable ? QStringLiteral("remove") : QStringLiteral("read"), path,
                                 octal(folder.mode), QString::number(folder.userId),
                                 folder.readable ? QStringLiteral("those that are not kept stay there")
                                                 : QStringLiteral("nothing that is saved can be kept"));
    const QString remedy
        = shareByGroup(path) + QStringLiteral("; or set snapshotBinaryManagement: server-owned.");
    return folder.readable ? warned(slotFolderName(), told, remedy) : failed(slotFolderName(), told, remedy);
}

std::optional<DoctorFinding> checkOthers(
    const DoctorSubject &subject, const ServerFindings &found, const QString &path, const FolderFacts &folder)
{
    const bool group = needsGroup(subject, found, folder);
    if (folder.mode < 0 || (folder.mode & (group ? c_strangersMay : c_othersMay)) == 0) {
        return std::nullopt;
    }
    // Whoever writes there only because everybody may needs the group first.
    FolderFacts closed = folder;
    closed.mode &= ~c_strangersMay;
    const bool member = mayWrite(closed, found.userId, found.groupIds).value_or(false);
    return warned(slotFolderName(),
        QStringLiteral(
            "Others may look into %1 (mode %2): snapshots hold the tokens of whole prompts and are "
            "written readable for all.")
            .arg(path, octal(folder.mode)),
        !group       ? QStringLiteral("chmod 700 %1").arg(path)
            : member ? QStringLiteral("chmod o-rwx %1").arg(path)
                     : shareByGroup(path));
}

} // namespace

QJsonObject DoctorFinding::toJson(const QString &server) const
{
    const QString text = result == Result::Passed ? QStringLiteral("passed")
        : result == Result::Warning               ? QStringLiteral("warning")
                                                  : QStringLiteral("failed");
    QJsonObject out { { QStringLiteral("name"), name }, { QStringLiteral("result"), text },
        { QStringLiteral("message"), message } };
    if (!remedy.isEmpty()) {
        out.insert(QStringLiteral("remedy"), remedy);
    }
    if (!server.isEmpty()) {
        out.insert(QStringLiteral("server"), server);
    }
    return out;
}

DoctorFinding passed(const QString &name, const QString &message)
{
    return { name, DoctorFinding::Result::Passed, message, {} };
}

DoctorFinding warned(const QString &name, const QString &message, const QString &remedy)
{
    return { name, DoctorFinding::Result::Warning, message, remedy };
}

DoctorFinding failed(const QString &name, const QString &message, const QString &remedy)
{
    return { name, DoctorFinding::Result::Failed, message, remedy };
}

std::optional<bool> mayWrite(const FolderFacts &folder, qint64 userId, const std::vector<qint64> &groupIds)
{
    if (folder.readOnly) {
        return false;
    }
    if (folder.mode < 0 || userId < 0) {
        return std::nullopt;
    }
    if (userId == 0) {
        return true;
    }
    const bool group = std::find(groupIds.begin(), groupIds.end(), folder.groupId) != groupIds.end();
    const int shift = folder.userId == userId ? 6 : group ? 3 : 0;
    return ((folder.mode >> shift) & 03) == 03; // to make a file, and to reach it
}

int compareVersions(const QString &a, const QString &b)
{
    const QVersionNumber left = QVersionNumber::fromString(a);
    const QVersionNumber right = QVersionNumber::fromString(b);
    return left.isNull() || right.isNull() ? 0 : QVersionNumber::compare(left, right);
}

DoctorFindings checkSlotFolder(
    const DoctorSubject &subject, const ServerFindings &found, const QString &path, const FolderFacts &folder)
{
    if (path.isEmpty()) {
        return {};
    }
    if (const std::optional<DoctorFinding> why = whyUnusable(subject, found, path, folder)) {
        return { *why };
    }
    DoctorFindings out;
    const std::array checks { checkRoom(subject, path, folder), checkOwnRights(subject, path, folder),
        checkOthers(subject, found, path, folder) };
    for (const std::optional<DoctorFinding> &one : checks) {
        if (one) {
            out.push_back(*one);
        }
    }
    const SlotFolderFinding &finding = subject.folderFinding;
    if (finding.kind == SlotFolderFinding::Kind::Other) {
        out.push_back(warned(slotFolderName(), finding.message, finding.remedy));
    }
    if (out.empty()) {
        const bool known = subject.savedBefore || mayWrite(folder, found.userId, found.groupIds).has_value();
        QString message = known
            ? QStringLiteral("%1 can be written to by the server, %2 free.")
            : QStringLiteral("%1 is there, %2 free. Whether the server may write to it is not "
                             "known from here.");
        message = message.arg(
            path, folder.freeBytes < 0 ? QStringLiteral("unknown how much") : formatBytes(folder.freeBytes));
        if (finding.kind == SlotFolderFinding::Kind::Offer) {
            message += QLatin1Char(' ') + finding.remedy;
        }
        out.push_back(passed(slotFolderName(), message));
    }
    return out;
}

DoctorFindings checkDaemon(const DaemonFacts &facts)
{
    DoctorFindings out { checkDaemonVersion(facts), checkSocket(facts), checkMetadata(facts),
        checkClients(facts) };
    checkListener(out, facts.proxy, QStringLiteral("proxy"),
        QStringLiteral("whoever reaches it can use the server behind it"));
    checkListener(out, facts.metrics, QStringLiteral("metrics"),
        QStringLiteral("whoever reaches it sees how much is used, and the names of servers"));
    if (!facts.anyServer) {
        out.push_back(failed(QStringLiteral("configuration"),
            QStringLiteral("No server is configured, and none was found on the usual ports of this machine."),
            QStringLiteral(
                "Start llama-server with --slot-save-path FOLDER, or name it under servers: in %1.")
                .arg(facts.configPath)));
    }
    return out;
}

} // namespace kv
