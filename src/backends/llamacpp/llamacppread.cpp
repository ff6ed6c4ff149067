// SPDX-License-Identifier: MIT
#include "llamacppread.h"

#include "failuretext.h"
#include "serverjson.h"

namespace kv {

LlamaCppRead::LlamaCppRead(
    HttpClient &http, std::shared_ptr<FactsBook> book, OpKind kind, bool mayWake, QObject *parent)
    : QObject(parent)
    , m_http(http)
    , m_book(std::move(book))
    , m_kind(kind)
    , m_mayWake(mayWake && kind == OpKind::Look)
    , m_router(!http.endpoint().routerModel.isEmpty())
{
}

LlamaCppRead::~LlamaCppRead() = default;

void LlamaCppRead::start() { askProps(); }

bool LlamaCppRead::wantsSlots() const
{
    return !m_slotsAsked && (m_kind == OpKind::Look || m_kind == OpKind::Probe);
}

void LlamaCppRead::noteFailure(OpFailure failure, const HttpAnswer &answer, const QString &what)
{
    if (m_reply.failure == OpFailure::None) {
        m_reply.failure = failure;
        m_reply.httpStatus = answer.status;
        m_reply.message = FailureText::message(failure, answer, what, m_http.endpoint().base);
    }
    if (failure == OpFailure::ConnectionRefused) {
        m_book->noteRefused();
    }
}

void LlamaCppRead::askProps()
{
    auto *call = m_http.get(QStringLiteral("/props"), false, m_http.endpoint().requestTimeoutMs, this);
    connect(call, &HttpCall::finished, this, &LlamaCppRead::onProps);
}

void LlamaCppRead::onProps(const HttpAnswer &answer)
{
    const QString what = FailureText::wanted(OpKind::Identity, 0);
    OpFailure failure = failureOf(answer);
    m_reply.httpStatus = answer.status;
    if (m_router && failure == OpFailure::Refused) {
        onUnloaded();
        return;
    }
    if (failure != OpFailure::None) {
        noteFailure(failure, answer, what);
        finish();
        return;
    }
    const auto props = parseProps(answer.body);
    if (!props) {
        noteFailure(OpFailure::ServerError, answer, what);
        finish();
        return;
    }
    m_book->noteProps(props.value());
    if (props.value().router) {
        m_reply.slotsMessage
            = tr("The server at %1 is a router with several models, and the call named none.")
                  .arg(m_http.endpoint().base.toString(QUrl::RemoveUserInfo));
        m_reply.slotsFailure = OpFailure::Refused;
        finish();
        return;
    }
    if (props.value().sleeping) {
        m_wasSleeping = m_wasSleeping || !m_wokeIt;
        if (m_book->wantsModels()) {
            askModels(); // answers without waking
        }
        if (wantsSlots() && m_mayWake) {
            askSlots(true);
        }
        if (m_running == 0) {
            finish();
        }
    } else if (m_book->wantsMetrics()) {
        askMetrics();
    } else {
        askRest();
    }
}

void LlamaCppRead::onUnloaded()
{
    m_book->noteUnloaded();
    if (wantsSlots() && m_mayWake) {
        askSlots(true);
        return;
    }
    if (wantsSlots()) {
        m_reply.slotsMessage = tr("The model is not loaded, and asking for its slots would load it.");
    }
    finish();
}

void LlamaCppRead::askMetrics()
{
    // Before the rest: what it says may be the boot id under which the rest is filed.
    auto *call = m_http.get(QStringLiteral("/metrics"), false, m_http.endpoint().requestTimeoutMs, this);
    connect(call, &HttpCall::finished, this, [this, boot = m_book->boot()](const HttpAnswer &answer) {
        if (answer.transport == OpFailure::None) {
            m_book->noteMetrics(boot, QString::fromLatin1(answer.processStart));
            askRest();
            return;
        }
        noteFailure(answer.transport, answer, FailureText::wanted(OpKind::Identity, 0));
        finish();
    });
}

void LlamaCppRead::askRest()
{
    if (m_book->wantsModels()) {
        askModels();
    }
    askLora();
    if (wantsSlots()) {
        askSlots(false);
    }
}

void LlamaCppRead::askModels()
{
    ++m_running;
    // A router's list holds its models' states and command lines, and loads nothing.
    const int deadline = m_http.endpoint().requestTimeoutMs;
    auto *call = m_http.getPlain(
        m_router ? QStringLiteral("/models") : QStringLiteral("/v1/models"), deadline, this);
    connect(call, &HttpCall::finished, this,
        [this, boot = m_book->boot()](const HttpAnswer &answer) { onModels(boot, answer); });
}

void LlamaCppRead::onModels(const QString &boot, const HttpAnswer &answer)
{
    const OpFailure failure = failureOf(answer);
    if (failure == OpFailure::None) {
        const auto models = parseModels(answer.body);
        if (models) {
            m_book->noteModels(boot, models.value());
        } else {
            noteFailure(OpFailure::ServerError, answer, FailureText::wanted(OpKind::Identity, 0));
        }
    } else if (failure == OpFailure::Refused || failure == OpFailure::Unsupported) {
        m_book->noteModelsMissing(boot); // this build has no such list: an answer too
    } else {
        noteFailure(failure, answer, FailureText::wanted(OpKind::Identity, 0));
    }
    partDone();
}

void LlamaCppRead::askLora()
{
    ++m_running;
    auto *call
        = m_http.get(QStringLiteral("/lora-adapters"), false, m_http.endpoint().requestTimeoutMs, this);
    connect(call, &HttpCall::finished, this,
        [this, boot = m_book->boot()](const HttpAnswer &answer) { onLora(boot, answer); });
}

void LlamaCppRead::onLora(const QString &boot, const HttpAnswer &answer)
{
    const OpFailure failure = failureOf(answer);
    if (failure == OpFailure::None) {
        const auto adapters = parseLora(answer.body);
        if (adapters) {
            m_book->noteLora(boot, adapters.value());
        } else {
            noteFailure(OpFailure::ServerError, answer, FailureText::wanted(OpKind::Identity, 0));
        }
    } else if (failure == OpFailure::Refused || failure == OpFailure::Unsupported) {
        m_book->noteLora(boot, {});
    } else {
        noteFailure(failure, answer, FailureText::wanted(OpKind::Identity, 0));
    }
    partDone();
}

void LlamaCppRead::askSlots(bool waking)
{
    ++m_running;
    m_slotsAsked = true;
    m_wokeIt = waking;
    const ServerEndpoint &endpoint = m_http.endpoint();
    auto *call = m_http.get(
        QStringLiteral("/slots"), waking, waking ? endpoint.wakeTimeoutMs : endpoint.requestTimeoutMs, this);
    connect(call, &HttpCall::finished, this, &LlamaCppRead::onSlots);
}

void LlamaCppRead::onSlots(const HttpAnswer &answer)
{
    OpFailure failure = failureOf(answer);
    if (failure == OpFailure::None) {
        auto slotList = parseSlots(answer.body);
        if (slotList) {
            m_book->noteSlots(slotList.value());
            m_reply.slotList = std::move(slotList).value();
            m_reply.slotsListed = true;
        } else {
            failure = OpFailure::ServerError;
        }
    }
    if (failure != OpFailure::None) {
        const QString what = FailureText::wanted(OpKind::Look, 0);
        m_reply.slotsFailure = failure;
        m_reply.slotsMessage = FailureText::message(failure, answer, what, m_http.endpoint().base);
        if (m_kind == OpKind::Probe || failure == OpFailure::ConnectionRefused) {
            noteFailure(failure, answer, what);
        }
    }
    partDone();
}

void LlamaCppRead::partDone()
{
    if (--m_running > 0) {
        return;
    }
    if (m_wokeIt && m_reply.failure == OpFailure::None && m_reply.slotsListed) {
        m_wokeIt = false;
        askProps(); // who is it that woke up, and its adapters
        return;
    }
    finish();
}

void LlamaCppRead::finish()
{
    m_reply.facts = m_book->facts();
    m_reply.facts.sleeping = m_reply.facts.sleeping || m_wasSleeping;
    if (wantsSlots() && m_reply.facts.sleeping && m_reply.slotsMessage.isEmpty()) {
        m_reply.slotsMessage
            = tr("The server sleeps: its slots are empty, and asking for them would wake it.");
    }
    deleteLater();
    Q_EMIT finished(m_reply);
}

} // namespace kv
