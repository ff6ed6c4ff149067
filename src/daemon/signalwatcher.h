// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace kv {

/// SIGTERM, SIGINT and SIGHUP as Qt signals, delivered by the event loop: the handler only writes the number
/// into a socket pair. One per process; signals that come before the event loop runs are kept.
class SignalWatcher final : public QObject {
    Q_OBJECT

public:
    explicit SignalWatcher(QObject *parent = nullptr);
    ~SignalWatcher() override;
    Q_DISABLE_COPY_MOVE(SignalWatcher)

    /// False: the system would not (no descriptor free).
    [[nodiscard]] bool install();

Q_SIGNALS:
    void stopRequested();
    void reloadRequested();

private:
    void readSignals();

    int m_readEnd = -1;
};

} // namespace kv
