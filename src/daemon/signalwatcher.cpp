// SPDX-License-Identifier: MIT
#include "signalwatcher.h"

#include <QSocketNotifier>

#include <array>
#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace kv {

namespace {

constexpr std::array<int, 3> c_watched { SIGTERM, SIGINT, SIGHUP };

/// A signal handler can reach nothing else.
volatile std::sig_atomic_t s_writeEnd = -1;

extern "C" void onSignal(int number)
{
    const int savedErrno = errno;
    const auto byte = static_cast<unsigned char>(number);
    // A full pair means that there is enough to read already.
    [[maybe_unused]] const ssize_t written = ::write(s_writeEnd, &byte, 1);
    errno = savedErrno;
}

} // namespace

SignalWatcher::SignalWatcher(QObject *parent)
    : QObject(parent)
{
}

SignalWatcher::~SignalWatcher()
{
    if (m_readEnd < 0) {
        return;
    }
    for (const int number : c_watched) {
        ::signal(number, SIG_DFL);
    }
    ::close(s_writeEnd);
    s_writeEnd = -1;
    ::close(m_readEnd);
}

bool SignalWatcher::install()
{
    std::array<int, 2> ends {};
    if (m_readEnd >= 0
        || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) {
        return false;
    }
    m_readEnd = ends[0];
    s_writeEnd = ends[1];
    auto *notifier = new QSocketNotifier(m_readEnd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &SignalWatcher::readSignals);
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (const int number : c_watched) {
        if (::sigaction(number, &action, nullptr) != 0) {
            return false;
        }
    }
    return true;
}

void SignalWatcher::readSignals()
{
    std::array<unsigned char, 64> numbers {};
    const ssize_t count = ::read(m_readEnd, numbers.data(), numbers.size());
    for (ssize_t i = 0; i < count; ++i) {
        if (numbers.at(static_cast<std::size_t>(i)) == SIGHUP) {
            Q_EMIT reloadRequested();
        } else {
            Q_EMIT stopRequested();
        }
    }
}

} // namespace kv
