// SPDX-License-Identifier: MIT
// RuntimeService: routers. A configured server that turns out to be one has a runtime that only watches it,
// and one more for each of its models that is used, named "server/model".
#include "policymaker.h"
#include "runtimeservice.h"

#include <algorithm>

namespace kv {

QString RuntimeService::modelsName(const QString &router, const QString &model)
{
    return router + QLatin1Char('/') + model;
}

ServerConfig RuntimeService::modelsConfig(const ServerConfig &router, const QString &model)
{
    ServerConfig config = router;
    config.name = modelsName(router.name, model);
    config.routerModel = model;
    return config;
}

QString RuntimeService::routerOf(const ServerConfig &model)
{
    return model.name.chopped(model.routerModel.size() + 1);
}

bool RuntimeService::isPartOf(const QString &server, const QString &name)
{
    return server == name || server.startsWith(modelsName(name, {}));
}

void RuntimeService::onRouter(Server &router)
{
    if (router.models || m_stopping || !router.runtime->isRouter()) {
        return;
    }
    RouterModels::House house;
    Server *at = &router;
    house.runtimeOf = [this, at](const QString &model) {
        Server *const server = modelServer(*at, model);
        return server != nullptr ? server->runtime.get() : nullptr;
    };
    house.runtimes = [this, at] {
        std::map<QString, ServerRuntime *> runtimes;
        for (const auto &[name, server] : m_servers) {
            if (server->router == at) {
                runtimes.emplace(server->runtime->server().routerModel, server->runtime.get());
            }
        }
        return runtimes;
    };
    house.save = [this](ServerRuntime *runtime, std::function<void()> done) {
        ManualRequest flush;
        flush.request = m_nextRequest++;
        flush.kind = ManualRequest::Kind::Flush;
        m_ownFlushes.emplace(flush.request, std::move(done));
        runtime->post(flush);
    };
    router.models = std::make_unique<RouterModels>(
        router.runtime.get(), std::move(house), m_clock, m_config.leases.holdMs);
    // What is on record of its models is shown, and kept in order, before one of them is used.
    const QString prefix = modelsName(router.runtime->server().name, {});
    QStringList known;
    for (const auto &[name, kept] : m_loaded.servers) {
        if (name.startsWith(prefix)) {
            known.append(name.mid(prefix.size()));
        }
    }
    for (const QString &model : known) {
        modelServer(router, model);
    }
}

RuntimeService::Server *RuntimeService::modelServer(Server &router, const QString &model)
{
    const ServerConfig config = modelsConfig(router.runtime->server(), model);
    const auto found = m_servers.find(config.name);
    if (found != m_servers.end()) {
        return found->second.get();
    }
    if (isBeingTakenOut(config.name)) {
        return nullptr; // two runtimes of one name would write over each other's files
    }
    Server *made = addServer(config);
    made->router = &router;
    if (router.runtime->coordinator().isPaused()) {
        pauseUntil(*made, router.pausedUntilWallMs);
    }
    return made;
}

void RuntimeService::beginAtRouter(Server &router, const BeginRequest &request)
{
    const Instant now = m_clock->now();
    const qint64 until = request.timeoutMs < 0 ? -1 : now.monoMs + request.timeoutMs;
    router.models->admit(
        request.request, request.model, until, [this, request, until, now](ServerRuntime *runtime) {
            const auto found = m_begins.find(request.request);
            if (found == m_begins.end()) {
                return;
            }
            PendingBegin &begin = found->second;
            if (runtime == nullptr) {
                // The router will tell the client itself that it has no such model, or that it is not well.
                const BeginReply reply = std::move(begin.reply);
                m_begins.erase(found);
                reply(unmanagedAnswer());
                return;
            }
            const qint64 nowMs = m_clock->now().monoMs;
            begin.server = m_servers.at(runtime->server().name).get();
            begin.waitedMs = nowMs - now.monoMs;
            BeginRequest passed = request;
            passed.timeoutMs = until < 0 ? -1 : std::max<qint64>(0, until - nowMs);
            runtime->post(passed);
        });
}

void RuntimeService::restoreAtRouter(Server &server, const ManualRequest &request)
{
    server.router->models->admit(
        request.request, server.runtime->server().routerModel, -1, [this, request](ServerRuntime *runtime) {
            const auto found = m_manuals.find(request.request);
            if (found == m_manuals.end()) {
                return;
            }
            if (runtime != nullptr) {
                runtime->post(request);
                return;
            }
            const Reply<ManualAnswer> reply = std::move(found->second.reply);
            m_manuals.erase(found);
            reply(Error { ErrorCode::BackendUnavailable,
                QStringLiteral("Nothing was restored: the router does not answer, or does not have that "
                               "model any more."),
                {} });
        });
}

bool RuntimeService::dropAtRouter(Server *server, RequestId request)
{
    Server *router = server == nullptr ? nullptr : server->router != nullptr ? server->router : server;
    return router != nullptr && router->models && router->models->drop(request);
}

void RuntimeService::tellRouter(const Server &server, RequestId over)
{
    if (server.router != nullptr && server.router->models) {
        if (over != 0) {
            server.router->models->over(over);
        } else {
            server.router->models->changed();
        }
    }
}

QStringList RuntimeService::modelsOf(const QString &router) const
{
    QStringList names;
    for (const auto &[name, server] : m_servers) {
        if (server->router != nullptr && server->router->runtime->server().name == router) {
            names.append(name);
        }
    }
    return names;
}

void RuntimeService::reconfigureModels(const ServerConfig &router)
{
    for (const QString &name : modelsOf(router.name)) {
        ServerRuntime &runtime = *m_servers.at(name)->runtime;
        const ServerConfig config = modelsConfig(router, runtime.server().routerModel);
        runtime.reconfigure({ config, makePolicy(m_config, config), m_loaded.serverPrefix(name) });
    }
    if (const auto &models = m_servers.at(router.name)->models) {
        models->setPatience(m_config.leases.holdMs);
    }
}

} // namespace kv
