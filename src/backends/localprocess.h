// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QUrl>

#include <functional>
#include <optional>
#include <vector>

namespace kv {

/// A llama-server process on this machine.
struct LocalProcess {
    qint64 pid = 0;
    quint64 startTicks = 0; ///< with the pid it names a process for ever (until the machine restarts)
    qint64 startWallMs = 0; ///< Unix ms, within some 10 ms
    QStringList argv;
    QHash<QString, QString> environment; ///< only LLAMA_… variables without a key in their name
    bool keyVariable = false; ///< one of the others gives it an API key
    QString workingDirectory;
    qint64 userId = -1; ///< whose rights it has on files; −1: not known
    std::vector<qint64> groupIds; ///< all of them
};

/// The process that listens on a TCP port of this machine, if it is a llama-server that sees the same files
/// as we do. Linux only, best effort: nullopt whenever anything cannot be read. Takes a millisecond or a few;
/// blocking.
std::optional<LocalProcess> findListeningServer(quint16 port);
/// Whether that very process still runs. False also when it cannot be told.
bool stillRuns(const LocalProcess &process);
/// Whether a URL names this machine by a loopback address.
bool isLoopback(const QUrl &url);

/// How the process behind a port is looked for; a test gives its own.
using ProcessFinder = std::function<std::optional<LocalProcess>(quint16 port)>;

} // namespace kv
