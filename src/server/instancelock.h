// SPDX-License-Identifier: MIT
#pragma once

#include <QLockFile>
#include <QString>

namespace kv {

/// "One daemon a socket": a lock file beside the socket that names its holder. Taken before anything else is
/// touched, the socket included; given back by the destructor. The lock of a dead process is taken over.
class InstanceLock final {
public:
    enum class State {
        Taken,
        HeldByOther, ///< another daemon runs
        Failed, ///< the lock file cannot be made
    };
    struct Attempt {
        State state = State::Failed;
        QString message; ///< for the user, unless taken
        qint64 pid = 0; ///< of the holder, when it is known
        QString host; ///< likewise
    };

    explicit InstanceLock(const QString &socketPath);

    /// Blocks, at start-up only, for at most about two seconds: while a racing start has made the file but
    /// not yet written its name into it.
    [[nodiscard]] Attempt take();
    [[nodiscard]] const QString &path() const { return m_path; }

private:
    QString m_path;
    QLockFile m_lock;
};

} // namespace kv
