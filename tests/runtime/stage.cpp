// SPDX-License-Identifier: MIT
#include "stage.h"

#include "llamacppbackend.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

namespace kv::test {

namespace {
QString nameOf(std::size_t index) { return QString(QChar(u'a' + static_cast<char16_t>(index))); }
}

Stage::Stage(int servers, const FakeOptions &options)
{
    config = defaultConfig(QProcessEnvironment());
    config.autodiscover = false;
    config.metadataPath = metadata();
    config.checkpoint.idleMs = 0; // saves only where a test asks for them
    config.coldStart = Config::ColdStart::Erase; // so that each cold start is seen
    for (int i = 0; i < servers; ++i) {
        auto server = std::make_unique<FakeLlamaServer>(options);
        if (!server->start()) {
            qFatal("a fake server could not listen");
        }
        ServerConfig one;
        one.name = nameOf(m_servers.size());
        one.baseUrl = server->url();
        one.apiKey = QString::fromUtf8(options.apiKey);
        one.requestTimeoutMs = 2000;
        config.servers.push_back(one);
        config.providers.push_back({ u"p"_qs + one.name, { { u"*"_qs, one.name } } });
        m_servers.push_back(std::move(server));
    }
}

Stage::~Stage() = default;

bool Stage::open()
{
    RuntimeOptions options;
    options.config = config;
    options.configPath = configPath();
    options.environment = QProcessEnvironment();
    options.clock = clock;
    options.store = store;
    options.folderLook = folderLook;
    options.progressEveryMs = progressEveryMs;
    options.verifyStepMs = verifyStepMs;
    options.finder = finder ? finder : ProcessFinder([](quint16) { return std::optional<LocalProcess>(); });
    options.parts = [this](const ServerConfig &server) {
        ServerEndpoint endpoint;
        endpoint.base = server.baseUrl;
        endpoint.apiKey = server.apiKey.toUtf8();
        endpoint.routerModel = server.routerModel;
        endpoint.requestTimeoutMs = static_cast<int>(server.requestTimeoutMs);
        const ProcessFinder none = [](quint16) { return std::optional<LocalProcess>(); };
        auto backend = std::make_unique<LlamaCppBackend>(endpoint, nullptr, finder ? finder : none);
        auto watcher = watched ? std::make_unique<Watcher>(endpoint, backend->book()) : nullptr;
        m_watcher = watcher.get();
        return ServerParts { std::move(backend), std::move(watcher) };
    };
    Result<std::unique_ptr<RuntimeService>> made = RuntimeService::create(std::move(options));
    if (!made) {
        m_openError = made.error();
        return false;
    }
    m_service = std::move(made).value();
    QObject::connect(m_service.get(), &Service::eventEmitted, m_service.get(),
        [this](const QJsonObject &event) { m_events.append(event.value(u"name").toString()); });
    m_connection = m_service->openConnection();
    return true;
}

void Stage::crash() { m_service.reset(); }

bool Stage::stop(qint64 boundMs)
{
    int finished = 0;
    QObject::connect(
        m_service.get(), &RuntimeService::shutdownFinished, m_service.get(), [&] { ++finished; });
    m_service->shutdown(boundMs);
    const bool inTime = QTest::qWaitFor([&] { return finished > 0; }, 20'000);
    m_service.reset();
    return inTime && finished == 1;
}

QString Stage::yaml(const QStringList &names, const QString &more) const
{
    QString text = u"metadata: { path: %1 }\nservers:\n"_qs.arg(metadata());
    for (const QString &name : names) {
        const ServerConfig *server = config.server(name);
        text += u"  %1:\n    type: llama.cpp\n    baseURL: %2\n    requestTimeoutMs: %3\n"_qs.arg(
            name, server->baseUrl.toString(), QString::number(server->requestTimeoutMs));
    }
    text += u"providers:\n"_qs;
    for (const QString &name : names) {
        text += u"  p%1: %1\n"_qs.arg(name);
    }
    return text + u"checkpoint: { idleMs: 0 }\n"_qs + more;
}

void Stage::writeConfig(const QString &text) const
{
    QFile file(configPath());
    if (!file.open(QIODevice::WriteOnly) || file.write(text.toUtf8()) < 0) {
        qFatal("the configuration could not be written");
    }
}

BeginRequest Stage::request(const QString &session, const QString &provider) const
{
    BeginRequest begin;
    begin.connection = m_connection;
    begin.session = session;
    begin.provider = provider;
    begin.model = u"tiny"_qs;
    begin.label = session.isEmpty() ? QString() : u"label of "_qs + session;
    return begin;
}

AskedPtr<BeginAnswer> Stage::beginLater(const BeginRequest &request)
{
    const auto asked = std::make_shared<Asked<BeginAnswer>>();
    const RequestId id
        = m_service->begin(request, [asked](const std::variant<BeginAnswer, BeginFailure> &result) {
              ++asked->replies;
              if (const auto *answer = std::get_if<BeginAnswer>(&result)) {
                  asked->answer = *answer;
              } else {
                  asked->error = std::get<BeginFailure>(result).error;
                  asked->strict = std::get<BeginFailure>(result).strict;
              }
          });
    asked->id = id;
    return asked;
}

AskedPtr<BeginAnswer> Stage::beginLater(const QString &session, const QString &provider)
{
    return beginLater(request(session, provider));
}

BeginAnswer Stage::begin(const QString &session, const QString &provider)
{
    const AskedPtr<BeginAnswer> asked = beginLater(session, provider);
    return asked->waited() && asked->answer ? *asked->answer : BeginAnswer {};
}

AskedPtr<EndAnswer> Stage::endLater(const EndRequest &request)
{
    const auto asked = std::make_shared<Asked<EndAnswer>>();
    m_service->end(request, into(asked));
    return asked;
}

EndAnswer Stage::end(const BeginAnswer &begun, const FakeCompletionReply &reply)
{
    EndRequest request;
    request.connection = m_connection;
    request.lease = begun.grant.lease;
    request.outcome = reply.status == 200 ? EndOutcome::Ok : EndOutcome::Error;
    request.more = false;
    request.usage.promptTokens = reply.cached + reply.processed;
    request.usage.cachedTokens = reply.cached;
    request.usage.completionTokens = reply.predicted;
    request.timings.promptMs = static_cast<double>(reply.processed);
    const AskedPtr<EndAnswer> asked = endLater(request);
    return asked->waited() && asked->answer ? *asked->answer : EndAnswer {};
}

FakeCompletionReply Stage::infer(const QByteArray &prompt, int index, int slot)
{
    FakeCompletion completion;
    completion.prompt = prompt;
    completion.slot = slot;
    return server(index).engine().completeNow(completion);
}

QString Stage::turn(const QString &session, const QByteArray &prompt, int index)
{
    const BeginAnswer begun = begin(session, u"p"_qs + nameOf(static_cast<std::size_t>(index)));
    if (!begun.managed) {
        return u"unmanaged"_qs;
    }
    lastEnd = end(begun, infer(prompt, index, std::max(0, begun.grant.slot.id)));
    return toString(begun.grant.outcome);
}

SessionCall Stage::call(const QString &session) const
{
    SessionCall call;
    call.connection = m_connection;
    call.session = session;
    return call;
}

AskedPtr<ManualAnswer> Stage::save(const QString &session)
{
    const auto asked = std::make_shared<Asked<ManualAnswer>>();
    asked->id = m_service->save(call(session), into(asked));
    return asked;
}

bool Stage::saved(const QString &session)
{
    const AskedPtr<ManualAnswer> asked = save(session);
    return asked->waited() && asked->answer && asked->answer->skipped.isEmpty();
}

QJsonObject Stage::serverStatus(int index) const
{
    return status().value(u"servers").toArray().at(index).toObject();
}

qint64 Stage::stat(const QString &name) const
{
    return status().value(u"stats").toObject().value(name).toInteger(-1);
}

int Stage::rows() const
{
    const Result<QJsonObject> list = m_service->list({});
    return list ? list.value().value(u"total").toInt() : -1;
}

QString Stage::takeActions(int index)
{
    QStringList actions;
    for (const FakeCall &call : server(index).slotCalls()) {
        actions.append(call.action());
    }
    server(index).clearCalls();
    return actions.join(u' ');
}

FakeOptions savingTo(const QTemporaryDir &folder, FakeOptions options)
{
    options.saveFolder = folder.path();
    return options;
}

void shareFolder(Stage &stage, const QTemporaryDir &folder)
{
    stage.config.servers.front().snapshotBinaryManagement = ServerConfig::Files::SharedFilesystem;
    stage.config.servers.front().slotSavePath = folder.path();
}

QStringList databaseState(const QString &folder)
{
    QStringList out;
    const QFileInfoList files = QDir(folder).entryInfoList(QDir::Files | QDir::Hidden, QDir::Name);
    for (const QFileInfo &file : files) {
        out.append(u"%1 %2 %3"_qs.arg(file.fileName(), QString::number(file.size()),
            QString::number(file.lastModified().toMSecsSinceEpoch())));
    }
    return out;
}

QString textOf(const QJsonObject &document) { return QString::fromUtf8(QJsonDocument(document).toJson()); }

} // namespace kv::test
