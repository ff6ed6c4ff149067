// SPDX-License-Identifier: MIT
#include "conversation.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QRandomGenerator>
#include <QtTest>

namespace kv::test {

namespace {

constexpr int c_firstWord
    = 259; // the vocabulary of the generated models: 3 + 256, then the printable characters
constexpr int c_words = 95;
constexpr int c_saidPerTurn = 40;
constexpr int c_completionMs = 120000;

} // namespace

QJsonObject Completion::usage() const
{
    return { { QStringLiteral("promptTokens"), promptTokens },
        { QStringLiteral("completionTokens"), tokens.size() },
        { QStringLiteral("cachedTokens"), cachedTokens } };
}

QJsonObject Completion::timings() const
{
    return { { QStringLiteral("promptMs"), promptMs },
        { QStringLiteral("promptTokens"), promptTokens - cachedTokens } };
}

Conversation::Conversation(QString session, quint32 seed, int promptTokens)
    : m_session(std::move(session))
    , m_seed(seed)
{
    m_prompt.append(c_firstWord + static_cast<int>(seed % c_words)); // the first token differs already
    say(promptTokens - 1);
}

Conversation::Conversation(QString session, quint32 seed, QList<int> shared, int ownTokens)
    : m_session(std::move(session))
    , m_seed(seed)
    , m_prompt(std::move(shared))
{
    m_prompt.append(c_firstWord + static_cast<int>(seed % c_words)); // where they part
    say(ownTokens - 1);
}

void Conversation::say(int tokens)
{
    QRandomGenerator random(m_seed + static_cast<quint32>(m_prompt.size()));
    for (int i = 0; i < tokens; ++i) {
        m_prompt.append(c_firstWord + random.bounded(c_words));
    }
}

void Conversation::answered(const Completion &completion)
{
    m_sent.append(m_prompt);
    m_held = completion.promptTokens + static_cast<int>(completion.tokens.size()) - 1;
    m_prompt += completion.tokens;
    say(c_saidPerTurn);
}

QByteArray completionBody(
    const QList<int> &prompt, bool cachePrompt, int answerTokens, int idSlot, const QString &model)
{
    QJsonArray ids;
    for (const int token : prompt) {
        ids.append(token);
    }
    QJsonObject body { { QStringLiteral("prompt"), ids }, { QStringLiteral("n_predict"), answerTokens },
        { QStringLiteral("temperature"), 0 }, { QStringLiteral("cache_prompt"), cachePrompt },
        { QStringLiteral("ignore_eos"), true }, { QStringLiteral("return_tokens"), true } };
    if (idSlot >= 0) {
        body.insert(QStringLiteral("id_slot"), idSlot);
    }
    if (!model.isEmpty()) {
        body.insert(QStringLiteral("model"), model);
    }
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

Completion complete(quint16 port, const QList<int> &prompt, bool cachePrompt, int answerTokens, int idSlot,
    const QString &model)
{
    QNetworkAccessManager network;
    QNetworkRequest request(QUrl(QStringLiteral("http://127.0.0.1:%1/completion").arg(port)));
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    const std::unique_ptr<QNetworkReply> reply(
        network.post(request, completionBody(prompt, cachePrompt, answerTokens, idSlot, model)));
    Completion completion;
    if (!QTest::qWaitFor([&] { return reply->isFinished(); }, c_completionMs)) {
        return completion;
    }
    completion.status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QJsonObject body = QJsonDocument::fromJson(reply->readAll()).object();
    const QJsonArray tokens = body[QStringLiteral("tokens")].toArray();
    for (const QJsonValue token : tokens) {
        completion.tokens.append(token.toInt());
    }
    const QJsonObject timings = body[QStringLiteral("timings")].toObject();
    completion.cachedTokens = timings[QStringLiteral("cache_n")].toInt();
    completion.promptTokens = completion.cachedTokens + timings[QStringLiteral("prompt_n")].toInt();
    completion.promptMs = timings[QStringLiteral("prompt_ms")].toDouble();
    return completion;
}

} // namespace kv::test
