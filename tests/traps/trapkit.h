// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "stage.h"

#include <QTemporaryDir>

#include <functional>

namespace kv::test {

/// Sessions that share no beginning.
inline QByteArray wordsOf(char letter, int tokens = 400) { return QByteArray(tokens, letter); }

/// What a snapshot file of the fake holds, one byte a token.
QByteArray tokensIn(const QByteArray &file);

/// Does `deed` once, when the next request of that action ("save", "restore", "erase", "slots", "props") has
/// arrived and nothing has come of it yet: the moment between a look and what is sent after it.
void onceCalled(FakeLlamaServer &server, const QString &action, std::function<void()> deed);

/// Somebody who knows nothing of kv-persist: a request that runs until engine().endInference(slot).
void strangerBegins(FakeLlamaServer &server, const QByteArray &prompt, int slot = -1);

/// As if the fake were a llama-server of this machine, started `startedMsAgo` ago with these arguments.
ProcessFinder localServer(const QStringList &arguments = {}, qint64 startedMsAgo = 0);

void manageSlots(Stage &stage);

/// The system's clock, which a test can put forward.
class TrapClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override
    {
        Instant now = m_system.now();
        now.monoMs += m_aheadMs;
        now.wallMs += m_aheadMs;
        return now;
    }
    void skip(qint64 ms) { m_aheadMs += ms; }
    /// Long enough that the last sign of life of a server does not count any more.
    void skipSignOfLife() { skip(6000); }

private:
    SystemClock m_system;
    qint64 m_aheadMs = 0;
};

/// A session's newest snapshot as kv.get tells it.
QJsonObject manifestOf(Stage &stage, const QString &session);
/// The tokens in that snapshot's file.
QByteArray savedTokens(Stage &stage, const QString &session);

} // namespace kv::test
