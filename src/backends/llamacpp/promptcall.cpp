// SPDX-License-Identifier: MIT
#include "promptcall.h"

#include "failuretext.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace kv {

PromptAnswer parseCompletion(const QByteArray &body)
{
    PromptAnswer out;
    const QJsonObject object = QJsonDocument::fromJson(body).object();
    const QJsonObject timings = object.value(u"timings").toObject();
    const qint64 processed = timings.value(u"prompt_n").toInteger(-1);
    const qint64 evaluated = object.value(u"tokens_evaluated").toInteger(-1);
    out.cachedTokens = timings.value(u"cache_n").toInteger(-1);
    if (out.cachedTokens < 0 && evaluated >= processed && processed >= 0) {
        out.cachedTokens = evaluated - processed; // older builds
    }
    if (out.cachedTokens >= 0 && processed >= 0) {
        out.promptTokens = out.cachedTokens + processed;
    }
    out.completionTokens = timings.value(u"predicted_n").toInteger(-1);
    out.promptMs = timings.value(u"prompt_ms").toDouble(-1);
    if (out.promptTokens <= 0) {
        out.failure = OpFailure::ServerError;
        out.message = QStringLiteral(
            "The server does not say how much of a prompt it reused (timings), so nothing can be measured.");
    }
    return out;
}

PromptCall::PromptCall(const ServerEndpoint &endpoint, QObject *parent)
    : QObject(parent)
    , m_http(endpoint)
{
}

PromptCall::~PromptCall() { abort(); }

void PromptCall::abort() { delete std::exchange(m_call, nullptr); }

void PromptCall::send(int slot, const QString &prompt, int deadlineMs)
{
    abort();
    QJsonObject body { { QStringLiteral("prompt"), prompt }, { QStringLiteral("n_predict"), 1 },
        { QStringLiteral("id_slot"), slot }, { QStringLiteral("cache_prompt"), true },
        { QStringLiteral("temperature"), 0 }, { QStringLiteral("stream"), false } };
    if (const QString &model = m_http.endpoint().routerModel; !model.isEmpty()) {
        body.insert(QStringLiteral("model"), model);
    }
    m_call = m_http.post(QStringLiteral("/completion"), {},
        QJsonDocument(body).toJson(QJsonDocument::Compact), this, deadlineMs);
    connect(m_call, &HttpCall::finished, this, &PromptCall::onAnswer);
}

void PromptCall::onAnswer(const HttpAnswer &answer)
{
    m_call = nullptr; // it deletes itself
    const OpFailure failure = failureOf(answer);
    PromptAnswer out = failure == OpFailure::None ? parseCompletion(answer.body) : PromptAnswer {};
    if (failure != OpFailure::None) {
        out.failure = failure;
        out.message
            = FailureText::message(failure, answer, tr("process a short prompt"), m_http.endpoint().base);
    }
    out.wallMs = answer.wallMs;
    Q_EMIT answered(out);
}

} // namespace kv
