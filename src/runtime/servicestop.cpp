// SPDX-License-Identifier: MIT
// RuntimeService: the end of one server, by a change of the configuration, and the end of all.
#include "keptstate.h"
#include "logging.h"
#include "runtimeservice.h"

#include <algorithm>

namespace kv {

namespace {
constexpr qint64 c_leaveMs = 5000; ///< for what a server that is taken out has not saved yet
}

void RuntimeService::removeServer(const QString &name, Answers &answers)
{
    const auto found = m_servers.find(name);
    if (found == m_servers.end()) {
        return;
    }
    Server *server = found->second.get();
    server->models.reset();
    server->router = nullptr;
    m_leaving.push_back(std::move(found->second));
    m_servers.erase(found);
    const auto &slotTable = server->runtime->coordinator().slotTable();
    const bool unsaved = std::any_of(
        slotTable.begin(), slotTable.end(), [](const auto &entry) { return entry.second.isDirty(); });
    if (unsaved && !m_stopping) {
        server->goesWhenSaved = true; // from the event loop, as its end may lead to a new one
        QMetaObject::invokeMethod(
            server->runtime.get(),
            [runtime = server->runtime.get(), bound = m_clock->now().monoMs + c_leaveMs] {
                runtime->post(Shutdown { bound });
            },
            Qt::QueuedConnection);
    } else {
        letLeave(*server);
    }

    // Every call is answered: who waits there goes on without us.
    const auto here = [&](const auto &entry) { return entry.second.server == server; };
    std::erase_if(m_leases, here);
    const Error gone { ErrorCode::Cancelled,
        QStringLiteral("The configuration of server %1 was changed; go on without it.").arg(name), {} };
    const auto take = [&](auto &waiting, const auto &answer) {
        std::erase_if(waiting, [&](const auto &entry) {
            if (!here(entry)) {
                return false;
            }
            answers.push_back([reply = entry.second.reply, answer] { answer(reply); });
            return true;
        });
    };
    take(m_begins, [gone](const BeginReply &reply) { reply(BeginFailure { gone, false }); });
    take(m_ends, [gone](const Reply<EndAnswer> &reply) { reply(gone); });
    take(m_manuals, [gone](const Reply<ManualAnswer> &reply) { reply(gone); });
    for (auto &[request, flush] : m_flushes) {
        const std::size_t parts
            = std::erase_if(flush.parts, [&](const auto &part) { return part.first == server; });
        for (std::size_t i = 0; i < parts; ++i) {
            answers.push_back([this, id = request] { flushDone(id, 0); });
        }
    }
}

void RuntimeService::letLeave(Server &server)
{
    keepRecord(server);
    connect(server.runtime.get(), &ServerRuntime::left, this, [this, at = &server] { bury(at); });
    server.goesWhenSaved = false;
    server.runtime->leave();
    if (const auto later = m_addLater.extract(server.runtime->server().name); later && !m_stopping) {
        startServer(later.mapped());
    }
    const QString &model = server.runtime->server().routerModel;
    if (const auto router = m_servers.find(routerOf(server.runtime->server()));
        !model.isEmpty() && router != m_servers.end() && router->second->models) {
        modelServer(*router->second, model); // it is back already
    }
}

bool RuntimeService::isBeingTakenOut(const QString &name) const
{
    return std::any_of(m_leaving.begin(), m_leaving.end(),
        [&](const auto &one) { return one->goesWhenSaved && one->runtime->server().name == name; });
}

void RuntimeService::pauseUntil(Server &server, qint64 untilWallMs)
{
    const qint64 leftMs = untilWallMs < 0 ? -1 : untilWallMs - m_clock->now().wallMs;
    if (leftMs != 0) {
        server.pausedUntilWallMs = untilWallMs;
        server.runtime->post(Paused { leftMs < 0 ? -1 : leftMs });
    }
}

void RuntimeService::startServer(NewServer wanted)
{
    const QString &name = wanted.server.name;
    if (isBeingTakenOut(name)) {
        // Two runtimes of one name would write over each other's files.
        if (const auto before = m_addLater.extract(name)) {
            wanted.begins = std::move(before.mapped().begins);
        }
        m_addLater[name] = std::move(wanted);
        return;
    }
    Server *added = addServer(wanted.server);
    if (wanted.paused) {
        pauseUntil(*added, wanted.pausedUntilWallMs);
    }
    for (const BeginRequest &request : wanted.begins) {
        if (m_begins.contains(request.request)) { // else its client has gone
            handOver(*added, request);
        }
    }
}

void RuntimeService::refuseBegins(const NewServer &unmade, Answers &answers)
{
    for (const BeginRequest &request : unmade.begins) {
        if (auto begin = m_begins.extract(request.request)) {
            answers.push_back([reply = std::move(begin.mapped().reply)] {
                reply(BeginFailure {
                    Error { ErrorCode::Cancelled,
                        QStringLiteral("Its server is not there any more; go on without it."), {} },
                    false });
            });
        }
    }
}

void RuntimeService::keepRecord(Server &server)
{
    const QString &name = server.runtime->server().name;
    const Coordinator &coordinator = server.runtime->coordinator();
    LoadedServer kept;
    kept.snapshots = server.runtime->expectedRows();
    kept.highWater = coordinator.highWater();
    kept.totals = server.counters->totals();
    kept.settings.insert(QStringLiteral("modelFile"), server.runtime->keptModelFile());
    for (const auto &[hash, text] : coordinator.keptRates()) {
        kept.settings.insert(ratesSetting(hash), text);
    }
    for (const auto &[hash, text] : coordinator.keptProofs()) {
        kept.settings.insert(proofSetting(hash), text);
    }
    kept.settings.insert(nudgeSetting(), nudgeText(coordinator.nudgeBuilds()));
    kept.settings.insert(purgedSetting(), purgedText(coordinator.purgedFiles()));
    keepRates(server);
    m_loaded.servers[name] = std::move(kept);
    if (server.counters->isDirty()) {
        m_store->submitTotals(name, server.counters->totals());
    }
}

void RuntimeService::removeModels(const QString &router, Answers &answers)
{
    for (const QString &name : modelsOf(router)) {
        removeServer(name, answers);
    }
}

void RuntimeService::bury(Server *server)
{
    // From within its own signal.
    QTimer::singleShot(0, this, [this, server] {
        std::erase_if(m_leaving, [server](const auto &one) { return one.get() == server; });
    });
}

void RuntimeService::shutdown(qint64 boundMs)
{
    if (m_stopping) {
        return;
    }
    m_stopping = true;
    m_discoverTimer.stop();
    m_totalsTimer.stop();
    m_houseTimer.stop();
    for (const auto &[name, run] : m_verifications) {
        QMetaObject::invokeMethod(run.get(), &VerifyRun::cancel, Qt::QueuedConnection);
    }
    std::erase_if(m_begins, [this](const auto &entry) {
        const bool waits = entry.second.server == nullptr || dropAtRouter(entry.second.server, entry.first);
        if (waits) {
            QMetaObject::invokeMethod(
                this,
                [reply = entry.second.reply] {
                    reply(
                        BeginFailure { Error { ErrorCode::Cancelled,
                                           QStringLiteral("kv-persist is stopping; go on without it."), {} },
                            false });
                },
                Qt::QueuedConnection);
        }
        return waits;
    });
    Shutdown stop;
    stop.deadlineMonoMs = m_clock->now().monoMs + boundMs;
    const bool leaving = std::any_of(m_leaving.begin(), m_leaving.end(),
        [](const auto &one) { return one->goesWhenSaved && !one->shutDown; });
    if (m_servers.empty() && !leaving) {
        m_finishing = true;
        QTimer::singleShot(0, this, &RuntimeService::finishShutdown);
        return;
    }
    for (ServerRuntime *runtime : runtimes()) {
        runtime->post(stop);
    }
}

void RuntimeService::onShutdownDone(Server &server)
{
    server.shutDown = true;
    if (server.goesWhenSaved && !m_stopping) {
        QMetaObject::invokeMethod(
            this,
            [this, at = &server] {
                if (at->goesWhenSaved && !m_stopping) {
                    letLeave(*at);
                }
            },
            Qt::QueuedConnection);
        return;
    }
    const bool all = std::all_of(m_servers.begin(), m_servers.end(), [](const auto &entry) {
        return entry.second->shutDown;
    }) && std::all_of(m_leaving.begin(), m_leaving.end(), [](const auto &one) {
        return one->shutDown || !one->goesWhenSaved;
    });
    if (all && m_stopping && !m_finishing) {
        m_finishing = true;
        QTimer::singleShot(0, this, &RuntimeService::finishShutdown);
    }
}

void RuntimeService::finishShutdown()
{
    writeTotals();
    const std::vector<ServerRuntime *> all = runtimes();
    for (ServerRuntime *runtime : all) {
        runtime->closeJournal();
    }
    const bool awaited = std::any_of(all.begin(), all.end(),
        [](const ServerRuntime *runtime) { return runtime->coordinator().awaitsWrites(); });
    // The next run must not use a number that a server may still write to.
    if (const Result<Done> closed = m_store->close(!awaited); !closed) {
        qCWarning(lcRuntime).noquote() << closed.error().message;
    }
    Q_EMIT shutdownFinished();
}

} // namespace kv
