// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"
#include "discovery.h"
#include "fingerprint.h"
#include "folderprobe.h"
#include "slotfolder.h"
#include "types.h"

#include <QJsonObject>
#include <QString>

#include <optional>
#include <vector>

namespace kv {

// What the doctor says of facts that somebody else collected. Pure: no file, no network, no clock. The names
// of the checks are for programs and never change; PROTOCOL.md lists them.

/// One line of a doctor.
struct DoctorFinding {
    enum class Result { Passed, Warning, Failed };
    QString name;
    Result result = Result::Passed;
    QString message; ///< what was found, and what it means
    QString remedy; ///< a command, a flag or a setting; empty when passed

    /// As PROTOCOL.md has it. `server`: empty: the daemon's own.
    [[nodiscard]] QJsonObject toJson(const QString &server) const;
};
using DoctorFindings = std::vector<DoctorFinding>;

DoctorFinding passed(const QString &name, const QString &message);
DoctorFinding warned(const QString &name, const QString &message, const QString &remedy);
DoctorFinding failed(const QString &name, const QString &message, const QString &remedy);

/// A server to be looked at, and what the daemon knows of it without asking.
struct DoctorSubject {
    QString server; ///< name in the configuration; empty: not configured
    ServerEndpoint endpoint;
    bool managed = false; ///< mode: managed-slots
    int slotId = 0;
    bool shared = false; ///< snapshotBinaryManagement: shared-filesystem
    bool runtimeKey = false; ///< one is configured
    qint64 ownUserId = -1; ///< the daemon's; −1: not known
    qint64 idleCheckpointMs = 30'000; ///< 0: off
    qint64 minFreeBytes = 0;
    QString slotFolder; ///< as far as configured or known; empty: what the look at the server finds
    // What work has shown so far
    QString boot; ///< of the process that showed it; empty: none was seen
    QString knownTrouble; ///< "started without --slot-save-path"
    bool savedBefore = false; ///< an operation has shown that saving works
    int pinless = 0; ///< requests that named no slot although the server has several
    bool clearsIdleSlots = false;
    bool startedAnew = false; ///< that process is gone: see forgetProcess()
    bool enabled = true; ///< the configuration's `enabled`
    bool routed = true; ///< some entry of `providers` leads to it
    bool restores = true; ///< the configuration's `restore.enabled`
    bool paused = false;
    QString lastTrouble; ///< the last operation failed, and why; empty: it did not
    QString resting; ///< why slots are left alone since the last failures; empty: they are not
    qint64 expectedBytes = 0; ///< the largest save that is to come
    FingerprintPtr fingerprint; ///< null: not known
    QString identityTrouble;
    Compatibility compatibility = Compatibility::Unknown;
    bool restoresStopped = false;
    bool rested = false; ///< some model or build that ran here was not restored any more; perhaps this one
    SlotFolderFinding folderFinding;
};

/// The daemon knows another process than the one that was found: what it knows of that one is not said of
/// this one.
void forgetProcess(DoctorSubject &subject);
/// All but the slot folder. Ends early where nothing more can be said.
DoctorFindings checkServer(const DoctorSubject &subject, const ServerFindings &found);
/// Those of them that the server's command line decides.
DoctorFindings checkSettings(const DoctorSubject &subject, const ServerFindings &found);
/// A router that is asked as such, not for one of its models.
bool isRouterItself(const DoctorSubject &subject, const ServerFindings &found);
/// Whether checkServer() came as far as the slots.
bool mayCheckFolder(const DoctorSubject &subject, const ServerFindings &found);
/// The folder that the server saves to, as seen from here (`folder`). Nothing: it is not known where it is.
DoctorFindings checkSlotFolder(const DoctorSubject &subject, const ServerFindings &found, const QString &path,
    const FolderFacts &folder);

/// Who has talked to the daemon's socket.
struct DoctorClient {
    QString name; ///< as `hello` told; empty: it said none
    QString version;
    bool pins = false;
    bool connected = false;
};
struct DaemonFacts {
    QString version;
    int protocol = 0;
    QString socketPath; ///< empty: not served on a socket
    FolderFacts socket; ///< of the socket itself: mode and owner
    FolderFacts socketFolder;
    QString metadataPath;
    FolderFacts metadata;
    qint64 ownUserId = -1;
    std::vector<DoctorClient> clients;
    bool anyServer = true; ///< configured or found
    std::optional<ListenAddress> proxy; ///< as configured; nullopt: none
    std::optional<ListenAddress> metrics;
    QString configPath;
};
/// The daemon's own.
DoctorFindings checkDaemon(const DaemonFacts &facts);

/// How a server that empties idle slots is to be started so that it does not: "with …". Both values as
/// ServerCommandLine has them; empty: not known.
QString wayToKeepIdleSlots(const QString &kvUnified, const QString &streams);
/// Whether others than this machine reach what listens at `host`, a name or an address.
bool isOpenToOthers(const QString &host);
/// Whether a process of this user and these groups may make files there, by the folder's rights alone.
/// nullopt: it cannot be told.
std::optional<bool> mayWrite(const FolderFacts &folder, qint64 userId, const std::vector<qint64> &groupIds);
/// Below zero: `a` is the older version; 0: equal, or one of them is no version ("1.2.3").
int compareVersions(const QString &a, const QString &b);

} // namespace kv
