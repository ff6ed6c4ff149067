// SPDX-License-Identifier: MIT
#include "watcher.h"

#include "failuretext.h"
#include "serverjson.h"

#include <algorithm>

namespace kv {

Watcher::Watcher(const ServerEndpoint &endpoint, std::shared_ptr<FactsBook> book, QObject *parent)
    : QObject(parent)
    , m_http(endpoint)
    , m_book(std::move(book))
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Watcher::pollNow);
    connect(&m_process, &ProcessExit::ended, this, &Watcher::onProcessEnded);
}

Watcher::~Watcher() { stop(); }

void Watcher::setInterval(int ms)
{
    m_intervalMs = std::max(ms, 1);
    if (m_timer.isActive() && m_timer.remainingTime() > m_intervalMs) {
        m_timer.start(m_intervalMs);
    }
}

void Watcher::start()
{
    m_started = true;
    pollNow();
}

void Watcher::stop()
{
    m_started = false;
    m_timer.stop();
    m_process.watch(0);
    delete m_call;
    m_call = nullptr;
}

void Watcher::pollNow()
{
    if (!m_started || m_call != nullptr) {
        return;
    }
    m_timer.stop();
    const bool router = !m_http.endpoint().routerModel.isEmpty();
    m_call = m_http.getPlain(router ? QStringLiteral("/models") : QStringLiteral("/props"),
        m_http.endpoint().requestTimeoutMs, this);
    connect(m_call, &HttpCall::finished, this, &Watcher::onAnswer);
}

void Watcher::onProcessEnded()
{
    if (!m_started) {
        return;
    }
    delete m_call; // its answer would be about a process that is gone
    m_call = nullptr;
    if (m_http.endpoint().routerModel.isEmpty()) { // else the router says why: it may have unloaded the model
        Q_EMIT lost(tr("The llama-server process at %1 has ended.")
                        .arg(m_http.endpoint().base.toString(QUrl::RemoveUserInfo)),
            true);
    }
    pollNow(); // perhaps another one is there already
}

void Watcher::onAnswer(const HttpAnswer &answer)
{
    m_call = nullptr; // it deletes itself
    m_timer.start(m_intervalMs);
    const OpFailure failure = failureOf(answer);
    QString trouble;
    if (failure == OpFailure::ConnectionRefused) {
        m_book->noteRefused();
    }
    if (failure != OpFailure::None) {
        trouble = FailureText::message(
            failure, answer, FailureText::wanted(OpKind::Identity, 0), m_http.endpoint().base);
    } else {
        trouble = m_http.endpoint().routerModel.isEmpty() ? readProps(answer) : readModels(answer);
    }
    tell(trouble, failure == OpFailure::ConnectionRefused);
}

void Watcher::tell(const QString &trouble, bool refused)
{
    if (trouble.isEmpty()) {
        const ServerFacts facts = m_book->facts();
        m_process.watch(facts.serverPid);
        Q_EMIT observed(facts);
    } else {
        Q_EMIT lost(trouble, refused);
    }
}

void Watcher::take(const std::vector<ModelEntry> &models) { tell(noteModels(models), false); }

QString Watcher::readProps(const HttpAnswer &answer)
{
    const auto props = parseProps(answer.body);
    if (!props) {
        return props.error().message;
    }
    m_book->noteProps(props.value());
    return {};
}

QString Watcher::readModels(const HttpAnswer &answer)
{
    const auto models = parseModels(answer.body);
    if (!models) {
        return models.error().message;
    }
    return noteModels(models.value());
}

QString Watcher::noteModels(const std::vector<ModelEntry> &models)
{
    const QString &name = m_http.endpoint().routerModel;
    const auto found = std::find_if(
        models.begin(), models.end(), [&name](const ModelEntry &entry) { return entry.hasName(name); });
    if (found == models.end()) {
        return tr(
            "The router at %1 knows no model named “%2”. Its list of models (GET /models) has the names.")
            .arg(m_http.endpoint().base.toString(QUrl::RemoveUserInfo), name);
    }
    const bool ran = !m_book->facts().boot.isEmpty();
    m_book->noteRouterModel(*found);
    if (ran && found->failed && !found->loaded()) {
        Q_EMIT lost(tr("The process of model “%1” at %2 has failed.")
                        .arg(name, m_http.endpoint().base.toString(QUrl::RemoveUserInfo)),
            true);
    }
    return {};
}

} // namespace kv
