// SPDX-License-Identifier: MIT
#pragma once

#include "callresult.h"

#include <QJsonObject>
#include <QObject>

#include <functional>

namespace kv {

/// The daemon as the tray program sees it: calls, events, and whether it is there. Implementations: the
/// socket, the sample state that screenshots show, the fake of the tests. Belongs to the GUI thread and never
/// blocks.
class Daemon : public QObject {
    Q_OBJECT

public:
    enum class Link {
        Connecting, ///< the first attempt runs
        Connected,
        Away, ///< nobody answers, or it went away; attempts go on
    };
    using Callback = std::function<void(const CallResult &)>;
    using CallId = quint64;
    static constexpr int c_deadlineMs = 30'000;
    static constexpr int c_noDeadline = 0; ///< for what may take minutes: a restore that waits, a doctor

    using QObject::QObject;

    [[nodiscard]] virtual Link link() const = 0;
    /// Why the link is not Connected, one sentence; empty when it is.
    [[nodiscard]] virtual QString linkReason() const = 0;
    /// The daemon's answer to `hello`, of the last connection.
    [[nodiscard]] virtual QJsonObject hello() const = 0;
    /// The path of its socket, as shown to people.
    [[nodiscard]] virtual QString socketPath() const = 0;

    /// `callback` is called exactly once, after this function has returned, unless `context` is deleted
    /// before. Without a link it is answered NotSent. Methods and fields: src/protocol/PROTOCOL.md.
    virtual CallId call(const QString &method, const QJsonObject &params, QObject *context,
        const Callback &callback, int deadlineMs = c_deadlineMs)
        = 0;
    /// Asks the daemon to end a call, which is then answered KV_CANCELLED.
    virtual void cancel(CallId id) = 0;

Q_SIGNALS:
    void linkChanged();
    /// The document of kv.status: once after each connection, then whenever it changed.
    void statusReceived(const QJsonObject &status);
    /// An event of kv.subscribe, but for `status` and `doctor`. With a field `lost`, that many before it are
    /// missing: who keeps a list of its own reads it anew.
    void eventReceived(const QJsonObject &event);
    /// A check of a doctor that this program started; `id` is the CallId.
    void doctorCheck(quint64 id, const QJsonObject &check);
};

} // namespace kv
