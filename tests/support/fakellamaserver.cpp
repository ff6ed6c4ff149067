// SPDX-License-Identifier: MIT
#include "fakellamaserver.h"

#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTimer>

namespace kv::test {

QJsonObject FakeCall::json() const { return QJsonDocument::fromJson(body).object(); }

FakeLlamaServer::FakeLlamaServer(FakeOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    m_clock.start();
    m_files.useFolder(m_options.saveFolder);
    m_http.handler = [this](const FakeExchangePtr &exchange) { handle(exchange); };
    m_http.closedByClient = [this](quint64 connection) {
        for (const auto &[model, engine] : m_engines) {
            engine->cancel(connection);
        }
    };
}

FakeLlamaServer::~FakeLlamaServer() { stop(); }

bool FakeLlamaServer::start()
{
    beginProcess();
    return m_http.listen();
}

void FakeLlamaServer::beginProcess()
{
    m_marker = QStringLiteral("<__media_%1_%2__>")
                   .arg(++m_markers)
                   .arg(QRandomGenerator::global()->generate64(), 0, 36);
    m_engines.clear();
    if (m_options.routerModels.isEmpty()) {
        loadModel({});
    }
}

void FakeLlamaServer::stop()
{
    m_http.close();
    forgetEngines();
}

void FakeLlamaServer::forgetEngines()
{
    for (auto &[model, engine] : m_engines) {
        engine.release()->deleteLater(); // it may be the one that is calling
    }
    m_engines.clear();
}

bool FakeLlamaServer::restart()
{
    stop();
    return start();
}

bool FakeLlamaServer::restartWith(const FakeOptions &options)
{
    stop();
    m_options = options;
    m_files.useFolder(m_options.saveFolder);
    return start();
}

void FakeLlamaServer::becomes(const FakeOptions &options)
{
    forgetEngines();
    m_options = options;
    m_files.useFolder(m_options.saveFolder);
    beginProcess();
}

void FakeLlamaServer::loadModel(const QString &model)
{
    auto engine = std::make_unique<FakeEngine>(m_options, m_files);
    connect(engine.get(), &FakeEngine::died, this, [this] {
        stop();
        Q_EMIT died();
    });
    m_engines[model] = std::move(engine);
    m_childPorts[model] = 40000 + ++m_markers;
}

FakeEngine &FakeLlamaServer::engine(const QString &model)
{
    return model.isEmpty() ? *m_engines.begin()->second : *m_engines.at(model);
}

void FakeLlamaServer::setDiskFull(bool full)
{
    for (const auto &[model, engine] : m_engines) {
        engine->setDiskFull(full);
    }
}

QUrl FakeLlamaServer::url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(m_http.port())); }

void FakeLlamaServer::failNext(const QString &action, int status, int times)
{
    for (int i = 0; i < times; ++i) {
        m_faults[action].append({ FaultKind::Fail, status, {} });
    }
}
void FakeLlamaServer::dropNext(const QString &action) { m_faults[action].append({ FaultKind::Drop, 0, {} }); }
void FakeLlamaServer::dropBeforeNext(const QString &action)
{
    m_faults[action].append({ FaultKind::DropBefore, 0, {} });
}
void FakeLlamaServer::delayNext(const QString &action, int ms)
{
    m_faults[action].append({ FaultKind::Delay, ms, {} });
}
void FakeLlamaServer::holdNext(const QString &action, int ms)
{
    m_faults[action].append({ FaultKind::Hold, ms, {} });
}
void FakeLlamaServer::hangNext(const QString &action) { m_faults[action].append({ FaultKind::Hang, 0, {} }); }
void FakeLlamaServer::garbageNext(const QString &action, const QByteArray &body)
{
    m_faults[action].append({ FaultKind::Garbage, 0, body });
}
void FakeLlamaServer::truncateNext(const QString &action)
{
    m_faults[action].append({ FaultKind::Truncate, 0, {} });
}
void FakeLlamaServer::answerNext(const QString &action, int status, const QByteArray &body)
{
    m_faults[action].append({ FaultKind::Answer, status, body });
}

std::vector<FakeCall> FakeLlamaServer::slotCalls() const
{
    std::vector<FakeCall> out;
    std::copy_if(m_calls.begin(), m_calls.end(), std::back_inserter(out), [](const FakeCall &call) {
        return call.method == "POST" && call.path.startsWith(QStringLiteral("/slots"));
    });
    return out;
}

std::vector<FakeCall> FakeLlamaServer::callsTo(const QString &path) const
{
    std::vector<FakeCall> out;
    std::copy_if(m_calls.begin(), m_calls.end(), std::back_inserter(out),
        [&path](const FakeCall &call) { return call.path == path; });
    return out;
}

QString FakeLlamaServer::actionOf(const FakeHttpRequest &request)
{
    static const QHash<QString, QString> known {
        { QStringLiteral("/health"), QStringLiteral("health") },
        { QStringLiteral("/v1/health"), QStringLiteral("health") },
        { QStringLiteral("/props"), QStringLiteral("props") },
        { QStringLiteral("/models"), QStringLiteral("models") },
        { QStringLiteral("/v1/models"), QStringLiteral("models") },
        { QStringLiteral("/lora-adapters"), QStringLiteral("lora") },
        { QStringLiteral("/metrics"), QStringLiteral("metrics") },
        { QStringLiteral("/slots"), QStringLiteral("slots") },
        { QStringLiteral("/completion"), QStringLiteral("completion") },
        { QStringLiteral("/completions"), QStringLiteral("completion") },
        { QStringLiteral("/v1/completions"), QStringLiteral("completion") },
        { QStringLiteral("/v1/chat/completions"), QStringLiteral("completion") },
    };
    if (request.path.startsWith(QStringLiteral("/slots/"))) {
        return request.query.queryItemValue(QStringLiteral("action"));
    }
    return known.value(request.path);
}

std::optional<FakeLlamaServer::Fault> FakeLlamaServer::takeFault(const QString &action)
{
    auto &list = m_faults[action];
    if (list.isEmpty()) {
        return std::nullopt;
    }
    return list.takeFirst();
}

FakeLlamaServer::Reply FakeLlamaServer::error(int status, const QString &message, const QString &type)
{
    const QJsonObject inner { { QStringLiteral("code"), status }, { QStringLiteral("message"), message },
        { QStringLiteral("type"), type } };
    return { status, compactJson({ { QStringLiteral("error"), inner } }), {} };
}

void FakeLlamaServer::answer(
    const FakeExchangePtr &exchange, const Reply &reply, const std::optional<Fault> &fault, int waitMs)
{
    int wait = waitMs;
    if (fault && (fault->kind == FaultKind::Hold || fault->kind == FaultKind::Delay)) {
        wait += fault->number;
    }
    if (wait > 0) {
        QTimer::singleShot(
            wait, this, [exchange, reply] { exchange->respond(reply.status, reply.body, reply.headers); });
        return;
    }
    switch (fault ? fault->kind : FaultKind::Delay) {
    case FaultKind::Drop:
        exchange->drop();
        return;
    case FaultKind::Hang:
        return;
    case FaultKind::Garbage:
        exchange->respond(200, fault->body);
        return;
    case FaultKind::Truncate:
        exchange->respondRaw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + QByteArray::number(reply.body.size()) + "\r\n\r\n" + reply.body.left(reply.body.size() / 2));
        return;
    default:
        exchange->respond(reply.status, reply.body, reply.headers);
    }
}

void FakeLlamaServer::handle(const FakeExchangePtr &exchange)
{
    const FakeHttpRequest &request = exchange->request;
    const QString action = actionOf(request);
    m_calls.push_back({ request.method, request.path, request.query, request.body,
        request.headers.value("authorization"), m_clock.elapsed() });
    Q_EMIT called(m_calls.back());
    const auto fault = takeFault(action);
    const bool open = action == QStringView(u"health");
    if (fault && fault->kind == FaultKind::DropBefore) {
        exchange->drop();
    } else if (fault && fault->kind == FaultKind::Fail) {
        const QString why = QStringLiteral("scripted failure");
        answer(exchange, error(fault->number, why, QStringLiteral("server_error")), std::nullopt);
    } else if (fault && fault->kind == FaultKind::Answer) {
        exchange->respond(fault->number, fault->body);
    } else if (m_loading) {
        answer(exchange, error(503, QStringLiteral("Loading model"), QStringLiteral("unavailable_error")),
            fault);
    } else if (!open && !m_options.apiKey.isEmpty()
        && request.headers.value("authorization") != "Bearer " + m_options.apiKey) {
        answer(exchange,
            error(401, QStringLiteral("Invalid API Key"), QStringLiteral("authentication_error")), fault);
    } else if (open) {
        answer(exchange, { 200, R"({"status":"ok"})", {} }, fault);
    } else if (action == QStringView(u"models")) {
        answer(exchange, models(), fault);
    } else if (action.isEmpty()) {
        answer(
            exchange, error(404, QStringLiteral("File Not Found"), QStringLiteral("not_found_error")), fault);
    } else {
        route(exchange, action, fault);
    }
}

void FakeLlamaServer::route(
    const FakeExchangePtr &exchange, const QString &action, const std::optional<Fault> &fault)
{
    const FakeHttpRequest &request = exchange->request;
    const bool asksProps = action == QStringView(u"props");
    if (asksProps && !m_options.routerModels.isEmpty()
        && !request.query.hasQueryItem(QStringLiteral("model"))) {
        answer(exchange, props(nullptr), fault);
        return;
    }
    Reply refusal;
    FakeEngine *const engine = engineFor(exchange, refusal);
    if (engine == nullptr) {
        answer(exchange, refusal, fault);
    } else if (asksProps) {
        answer(exchange, props(engine), fault);
    } else {
        // Everything but properties, models and health wakes a sleeper, GET /lora-adapters too.
        const int loading = engine->sleeping() ? m_options.loadMs : 0;
        engine->wake();
        if (request.path.startsWith(QStringLiteral("/slots/"))) {
            slotAction(*engine, exchange, action, fault);
        } else if (action == QStringView(u"completion")) {
            completion(*engine, exchange, fault);
        } else {
            answer(exchange, inspection(*engine, action), fault, loading);
        }
    }
}

FakeEngine *FakeLlamaServer::engineFor(const FakeExchangePtr &exchange, Reply &refusal)
{
    if (m_options.routerModels.isEmpty()) {
        return m_engines.begin()->second.get();
    }
    const FakeHttpRequest &request = exchange->request;
    const QString model = request.method == "POST"
        ? QJsonDocument::fromJson(request.body).object().value(QStringLiteral("model")).toString()
        : request.query.queryItemValue(QStringLiteral("model"), QUrl::FullyDecoded);
    const QString bad = QStringLiteral("invalid_request_error");
    if (model.isEmpty()) {
        refusal = error(400, QStringLiteral("model name is missing from the request"), bad);
        return nullptr;
    }
    if (!m_options.routerModels.contains(model)) {
        refusal = error(400, QStringLiteral("model '%1' not found").arg(model), bad);
        return nullptr;
    }
    if (m_engines.count(model) == 0) {
        if (request.query.queryItemValue(QStringLiteral("autoload")) == QStringView(u"0")) {
            refusal = error(400, QStringLiteral("model is not loaded"), bad);
            return nullptr;
        }
        while (static_cast<int>(m_engines.size()) >= m_options.modelsMax) {
            m_engines.begin()->second.release()->deleteLater();
            m_engines.erase(m_engines.begin());
        }
        loadModel(model);
    }
    return m_engines.at(model).get();
}

} // namespace kv::test
