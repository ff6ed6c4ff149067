// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QUrl>

namespace kv {

/// Where a llama-server is and how it is asked.
struct ServerEndpoint {
    QUrl base; ///< "http://127.0.0.1:8080", perhaps with a path before the server's own; a "/v1" at its end
               ///< is dropped
    QByteArray apiKey; ///< empty: none is sent. Never in a message or a log
    QString routerModel; ///< router mode: the model that every call names; else empty
    int requestTimeoutMs = 15000; ///< total time of a GET that wakes nobody
    int wakeTimeoutMs = 600'000; ///< total time of a GET that may load the model
    int operationSafetyMs
        = 1'800'000; ///< when a save, restore or erase without an answer is given up as lost
};

} // namespace kv
