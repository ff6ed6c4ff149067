// SPDX-License-Identifier: MIT
#pragma once

#include "httpcall.h"

#include <QObject>
#include <QString>

namespace kv {

/// What one prompt of our own cost the server.
struct PromptAnswer {
    OpFailure failure = OpFailure::None;
    QString message; ///< a sentence for the user, when it failed
    qint64 promptTokens = -1; ///< of the whole prompt; −1: not told
    qint64 cachedTokens = -1; ///< of them needed no processing; −1: not told
    qint64 completionTokens = -1;
    double promptMs = -1; ///< for those that did
    double wallMs = 0;
};
/// Pure: the body of a 200 of POST /completion.
PromptAnswer parseCompletion(const QByteArray &body);

/// Sends prompts of our own to one slot of a server (router mode: of one model, which it never loads), one at
/// a time: for the proof of `doctor --verify`, and for nothing that a session may see.
class PromptCall final : public QObject {
    Q_OBJECT

public:
    explicit PromptCall(const ServerEndpoint &endpoint, QObject *parent = nullptr);
    ~PromptCall() override;
    Q_DISABLE_COPY_MOVE(PromptCall)

    /// One token is generated, so that the slot then holds the prompt and nothing else. Past the deadline the
    /// connection is closed, which ends the server's work on it.
    void send(int slot, const QString &prompt, int deadlineMs);
    void abort(); ///< nothing is answered any more

Q_SIGNALS:
    /// Once for each send(), from the event loop.
    void answered(const kv::PromptAnswer &answer);

private:
    void onAnswer(const HttpAnswer &answer);

    HttpClient m_http;
    HttpCall *m_call = nullptr;
};

} // namespace kv
