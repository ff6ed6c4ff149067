// SPDX-License-Identifier: MIT
#pragma once

#include "fingerprint.h"

#include <QString>

#include <vector>

namespace kv::sim {

// Who computed tokens: a session's index (0 …), or one of these.
inline constexpr int c_system = -1; ///< the system prompt that all share
inline constexpr int c_auxiliary = 100; ///< a title or the like
inline constexpr int c_stranger = 101; ///< a client that kv-persist knows nothing of

/// A stream is an endless line of tokens; a prompt is a beginning of one. Streams fork: up to `fork` tokens a
/// stream is its parent's, so that common beginnings are what they are in truth.
using StreamId = int;
class Streams final {
public:
    Streams();
    StreamId add(int owner, StreamId parent, qint64 fork);
    [[nodiscard]] int owner(StreamId stream) const { return m_streams.at(index(stream)).owner; }
    /// Tokens that the beginnings of two streams have in common.
    [[nodiscard]] qint64 common(StreamId a, qint64 tokensOfA, StreamId b, qint64 tokensOfB) const;

private:
    struct Stream {
        int owner = c_system;
        StreamId parent = -1;
        qint64 fork = 0;
    };
    static std::size_t index(StreamId stream) { return static_cast<std::size_t>(stream); }
    std::vector<Stream> m_streams;
};

/// What a slot or a file holds in truth.
struct Content {
    StreamId stream = 0;
    qint64 tokens = 0; ///< 0: nothing
    int model = 0; ///< the weights that computed it
    quint64 born = 0; ///< when its last request was granted (the world's count of steps)
    bool useless = false; ///< restored from a file without its appendix: right count, nothing is reused

    [[nodiscard]] bool empty() const { return tokens == 0; }
};

/// Models 0 and 1 have one shape, so that the server takes the state of one for that of the other.
inline constexpr int c_models = 3;
[[nodiscard]] inline int shapeOf(int model) { return model == 2 ? 1 : 0; }
const FingerprintPtr &fingerprintOfModel(int model);
[[nodiscard]] int modelOf(const Fingerprint &fingerprint); ///< −1: none of ours

/// Names of sessions: "A", "B", …
const QString &nameOfSession(int session);
[[nodiscard]] int sessionOfName(const QString &name);

} // namespace kv::sim
