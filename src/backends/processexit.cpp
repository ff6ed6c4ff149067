// SPDX-License-Identifier: MIT
#include "processexit.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace kv {

ProcessExit::ProcessExit(QObject *parent)
    : QObject(parent)
{
}

ProcessExit::~ProcessExit() { forget(); }

void ProcessExit::forget()
{
    m_notifier.reset();
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        m_descriptor = -1;
    }
}

void ProcessExit::watch(qint64 pid)
{
    if (pid == m_pid) {
        return;
    }
    forget();
    m_pid = pid;
    if (pid <= 0) {
        return;
    }
#ifdef SYS_pidfd_open
    m_descriptor = static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0U));
#endif
    if (m_descriptor < 0) {
        return; // the watcher's polls notice it a little later
    }
    m_notifier = std::make_unique<QSocketNotifier>(m_descriptor, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false); // readable for ever from now on
        m_notifier.release()->deleteLater(); // this is a call of its own
        forget();
        Q_EMIT ended();
    });
}

} // namespace kv
