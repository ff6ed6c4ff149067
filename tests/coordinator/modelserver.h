// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace kv::test {

inline constexpr qint64 c_contextTokens = 32768;

/// What one slot of the model server holds: whose tokens, how many, computed under which runtime.
struct ModelSlot {
    QString content; ///< session whose tokens these are; empty: none
    qint64 tokens = 0;
    QString runtime; ///< hash of the fingerprint they were computed under
    std::optional<qint64> idTask; ///< absent: no task ran there in this process
    qint64 reused = 0; ///< by its last request
    bool processing = false;
};

struct ModelFile {
    QString content;
    qint64 tokens = 0;
    qint64 bytes = 0;
    QString runtime;
    QString checksum; ///< of what was written
};

/// A llama-server as far as the coordinator can tell: slots, processes, files, sleep. It answers an operation
/// as the real one does at the moment when it executes it (facts/llama-server.md).
class ModelServer final {
public:
    explicit ModelServer(int slotCount = 1);

    [[nodiscard]] OpReply execute(const Op &op);
    [[nodiscard]] Identity identity() const;
    void restart(); ///< another process: other boot id, empty slots
    void setContext(qint64 tokens); ///< of one slot; after this, restart()
    void setModel(const QString &modelPath); ///< takes effect for what is computed from now on
    void sleep();
    void infer(int slot, const QString &content, qint64 tokens); ///< the slot holds this when it is done
    void setSlotCount(int count);
    /// Started without --parallel: unified memory, and idle slots are cleared when another one gets a task.
    void startWithoutParallel();
    void keepIdleSlots() { m_clearsIdle = false; }

    std::vector<ModelSlot> contents;
    std::map<NameNumber, ModelFile> files;
    bool alive = true;
    bool sleeping = false;
    int nudges = 0; ///< so many came
    bool truncatesPrompts = false; ///< a prompt that is too long is cut and processed, not refused

private:
    void listSlots(const Op &op, OpReply &reply);
    void save(const Op &op, OpReply &reply);
    void restore(const Op &op, OpReply &reply);

    int m_boot = 1;
    qint64 m_context = c_contextTokens;
    qint64 m_nextTask = 1;
    QString m_model;
    QString m_streams;
    bool m_clearsIdle = false;
    FingerprintPtr m_fingerprint;
};

/// `streams`: the number of slots on its command line; empty: none is given.
FingerprintPtr fingerprintOf(const QString &modelPath, const QString &lora = {},
    const QString &streams = QStringLiteral("1"), qint64 slotContext = c_contextTokens);

} // namespace kv::test
