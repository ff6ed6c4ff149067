// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace kv {

/// Tells at once when a process of this machine has ended, without asking it anything. Linux 5.3 and later
/// (pidfd); elsewhere, or when the process cannot be watched, it stays silent. Lives in one thread.
class ProcessExit final : public QObject {
    Q_OBJECT

public:
    explicit ProcessExit(QObject *parent = nullptr);
    ~ProcessExit() override;
    Q_DISABLE_COPY_MOVE(ProcessExit)

    /// Watches this process instead of a former one; 0: none. The caller has made sure that the pid is the
    /// process it means; one that ended before is told from the event loop.
    void watch(qint64 pid);

Q_SIGNALS:
    void ended();

private:
    void forget();

    qint64 m_pid = 0;
    int m_descriptor = -1;
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace kv
