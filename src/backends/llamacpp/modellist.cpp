// SPDX-License-Identifier: MIT
#include "modellist.h"

#include "failuretext.h"

namespace kv {

ModelList::ModelList(ServerEndpoint endpoint, QObject *parent)
    : QObject(parent)
    , m_http(std::move(endpoint))
{
}

ModelList::~ModelList() { delete m_call; }

void ModelList::ask()
{
    m_again = m_call != nullptr;
    if (!m_again) {
        m_call = m_http.getPlain(QStringLiteral("/models"), m_http.endpoint().requestTimeoutMs, this);
        connect(m_call, &HttpCall::finished, this, &ModelList::onAnswer);
    }
}

void ModelList::onAnswer(const HttpAnswer &answer)
{
    m_call = nullptr; // it deletes itself
    if (m_again) {
        ask();
        return;
    }
    const OpFailure failure = failureOf(answer);
    if (failure != OpFailure::None) {
        Q_EMIT failed(FailureText::message(
            failure, answer, FailureText::wanted(OpKind::Identity, 0), m_http.endpoint().base));
        return;
    }
    if (const auto models = parseModels(answer.body)) {
        Q_EMIT told(models.value());
    } else {
        Q_EMIT failed(models.error().message);
    }
}

} // namespace kv
