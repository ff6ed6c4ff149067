// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace kv::test {

/// How a fake llama-server was started, and what kind it is. One token is one byte of text.
struct FakeOptions {
    int slotCount = 1;
    qint64 slotContext = 8192; ///< tokens a slot holds
    bool slotsEndpoint = true; ///< false: --no-slots
    bool savePath = true; ///< false: no --slot-save-path
    QString saveFolder; ///< empty: snapshot files live in memory, else in this folder
    QByteArray apiKey;
    QString modelPath = QStringLiteral("/models/tiny.gguf");
    QString alias = QStringLiteral("tiny");
    QString build = QStringLiteral("b11669-Debian");
    QString weights = QStringLiteral("weights-a"); ///< another: restores with 200, into wrong output
    QString shape = QStringLiteral("shape-a"); ///< another: refused by a restore
    QString processStart; ///< /metrics is served with this Process-Start-Time-Unix; empty: 501
    QByteArray lora = "[]";
    bool hasMarker = true; ///< media_marker in /props
    bool tellsSlotsEndpoint = true; ///< endpoint_slots in /props
    bool wrapsIds = true; ///< a slot id out of range acts on id modulo slots; false: 400
    bool idleClearing = false; ///< --cache-idle-slots: another slot's task clears idle slots
    bool unified = false; ///< all slots share one pool of slotContext tokens
    bool hostCache = false; ///< --cache-ram
    bool truncatesOverlong = false; ///< a prompt above the context is cut instead of refused
    bool reuseAfterRestore = true; ///< false: a restore answers well and is worth nothing
    bool restoresNothing = false; ///< a restore answers well and leaves the slot empty
    bool eraseKeeps = false; ///< an erase answers well and leaves the slot as it was
    double promptMsPerToken = 0;
    double predictMsPerToken = 0;
    int batchTokens = 2048;
    qint64 bytesPerToken = 4; ///< of a snapshot file
    qint64 appendixBytes = 0; ///< checkpoints behind the tokens (recurrent and sliding-window models)
    quint32 stateVersion = 4;
    int loadMs = 0; ///< waking from sleep takes this long
    QStringList routerModels; ///< not empty: a router with these models, none loaded
    int modelsMax = 1;
};

} // namespace kv::test
