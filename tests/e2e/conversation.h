// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>

namespace kv::test {

/// What a completion told.
struct Completion {
    int status = 0; ///< HTTP; 0: no answer
    QList<int> tokens; ///< the generated ones
    int promptTokens = 0; ///< all of the prompt
    int cachedTokens = 0; ///< of them, those that needed no processing
    double promptMs = 0;

    [[nodiscard]] QJsonObject usage() const; ///< as request.end takes it
    [[nodiscard]] QJsonObject timings() const;
};

/// One session as a harness sees it: a prompt that grows by each answer and the user's next words. Made of
/// token ids, so that an answer goes back into the prompt as exactly the tokens that the slot holds.
class Conversation final {
public:
    /// Conversations of different seeds share no beginning.
    Conversation(QString session, quint32 seed, int promptTokens = 1200);
    /// Begins with `shared`, as a system prompt is, and goes on in its own words.
    Conversation(QString session, quint32 seed, QList<int> shared, int ownTokens);

    [[nodiscard]] const QString &session() const { return m_session; }
    [[nodiscard]] const QList<int> &prompt() const { return m_prompt; }
    /// The prompts sent so far.
    [[nodiscard]] const QList<QList<int>> &sent() const { return m_sent; }
    /// Tokens that a slot holds after the last turn: prompt + completion − 1. 0: no turn yet.
    [[nodiscard]] int held() const { return m_held; }

    void answered(const Completion &completion); ///< and the user says something more

private:
    void say(int tokens);

    QString m_session;
    quint32 m_seed;
    QList<int> m_prompt;
    QList<QList<int>> m_sent;
    int m_held = 0;
};

constexpr int c_answerTokens = 6;

/// (idSlot −1: not pinned; `model`: of a router.) POSTs `prompt` to /completion on that port of this machine,
/// with temperature 0, and waits for the answer.
Completion complete(quint16 port, const QList<int> &prompt, bool cachePrompt = true,
    int answerTokens = c_answerTokens, int idSlot = -1, const QString &model = {});
/// The body of such a request.
QByteArray completionBody(
    const QList<int> &prompt, bool cachePrompt, int answerTokens, int idSlot = -1, const QString &model = {});

} // namespace kv::test
