// SPDX-License-Identifier: MIT
#pragma once

#include "httphead.h"
#include "httpresponsereader.h"

#include <QObject>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>

#include <functional>
#include <memory>

namespace kv {

/// One request to the server, over a connection of its own: so it is never sent twice, as a kept connection
/// that broke would ask for, and an abort is one closed socket. Nothing of it may be deleted from within a
/// callback: abort() does what is wanted there.
///
/// The answer is read only while `mayRead` says so, so that a slow client slows the server down.
class UpstreamCall final : public QObject {
    Q_OBJECT

public:
    /// What becomes of the answer. Called from the event loop, never from within start() or resume().
    struct Taker {
        std::function<void(const HttpResponseHead &)> head;
        std::function<void(QByteArrayView framed)> framed; ///< the body as it came
        std::function<void(QByteArrayView body)> body; ///< and without its framing, told before those bytes
        std::function<bool()> mayRead;
        std::function<void()> done; ///< the answer is complete; nothing comes after it
        /// It broke; nothing comes after it. `sentence` is for the client.
        std::function<void(const QString &sentence)> failed;
    };

    UpstreamCall(const QUrl &server, Taker taker, QObject *parent);
    ~UpstreamCall() override;
    Q_DISABLE_COPY_MOVE(UpstreamCall)

    /// `head.target` is put behind the path of the server's URL; connection headers and Host are made here.
    void start(HttpRequestHead head, const QByteArray &body);
    void resume(); ///< mayRead() may be true again
    void abort(); ///< nothing is wanted any more, nor told

private:
    void connectNow();
    void read();
    void take(const QByteArray &bytes);
    void tellHead();
    void ended();
    void fail(const QString &sentence);
    void finish();

    QUrl m_server;
    Taker m_taker;
    QTcpSocket *m_socket;
    bool m_tls;
    QTimer m_patience;
    std::unique_ptr<HttpResponseReader> m_reader;
    QByteArray m_request;
    bool m_connected = false;
    bool m_headTold = false;
    bool m_ended = false; ///< the connection; bytes may still be unread
    bool m_over = false;
};

} // namespace kv
