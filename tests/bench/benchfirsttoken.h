// SPDX-License-Identifier: MIT
#pragma once

#include "benchkit.h"

namespace kv::test {
class RpcClient;
}

/// Turns whose time to the first token is taken, one after the other on a server with one slot.
namespace kv::bench {

struct TimedTurn {
    QString outcome; ///< of its begin; bare: there was none
    double waitedMs = 0; ///< for the grant
    Completion done;

    [[nodiscard]] double firstTokenMs() const { return waitedMs + done.firstChunkMs; }
};

/// With a context of 16 384 tokens and one slot.
QStringList firstTokenFlags(const Sizes &sizes, bool hostCache);
/// On the bare server.
TimedTurn timedTurn(const QUrl &server, const QString &prompt);
/// Through the daemon; `begin`: session, and what else the client says.
TimedTurn timedTurn(
    test::RpcClient &client, const QUrl &server, const QJsonObject &begin, const QString &prompt);
/// Beginnings that have nothing in common, for the first 26.
QString otherBeginning(int number);

} // namespace kv::bench
