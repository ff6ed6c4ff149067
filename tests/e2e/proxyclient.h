// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QString>

namespace kv::test {

/// An answer as it came over the wire.
struct WireReply {
    int status = 0; ///< 0: no answer
    QByteArray head;
    QList<QByteArray> chunks; ///< of a chunked body; else the body as one
    bool whole = false; ///< it came to its end

    [[nodiscard]] QByteArray body() const { return chunks.join(); }
    /// What the answer tells of its work, of whichever API.
    [[nodiscard]] QJsonObject timings() const;
    [[nodiscard]] int cached() const;
    [[nodiscard]] int prompt() const; ///< tokens, all of them
    [[nodiscard]] QString text() const; ///< what the model said
};

/// POSTs over a connection of its own and waits for the end of the answer.
WireReply post(
    quint16 port, const QByteArray &target, const QByteArray &body, const QByteArray &headers = {});
/// `headers` one a line, each with its CR LF.
QByteArray postBytes(const QByteArray &target, const QByteArray &body, const QByteArray &headers = {});
WireReply readReply(const QByteArray &bytes);

/// A chat as a client without a plugin keeps it: it sends all that was said, each time.
class Chat final {
public:
    enum class Api { ChatCompletions, Responses, Messages };
    /// Chats of different names share no beginning.
    Chat(Api api, const QByteArray &name, bool stream, int systemBytes = 1500);

    [[nodiscard]] QByteArray target() const;
    [[nodiscard]] QByteArray body() const;
    /// Sends what there is, takes the answer in, and the user says something more.
    WireReply turn(quint16 port, const QByteArray &headers = {}, const QByteArray &prefix = {});

private:
    Api m_api;
    bool m_stream;
    QString m_system;
    QJsonArray m_said;
    int m_turns = 0;
};

} // namespace kv::test
