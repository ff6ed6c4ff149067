// SPDX-License-Identifier: MIT
#include "routermodels.h"

#include "policymaker.h"

#include <algorithm>

namespace kv {

namespace {
constexpr int c_lookEveryMs = 250; ///< while somebody waits for a model
}

RouterModels::RouterModels(
    const ServerRuntime *router, House house, const Clock *clock, qint64 patienceMs, QObject *parent)
    : QObject(parent)
    , m_router(router)
    , m_house(std::move(house))
    , m_clock(clock)
    , m_list(endpointOf(router->server()))
{
    m_gate.setPatience(patienceMs);
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &RouterModels::run);
    connect(&m_list, &ModelList::told, this, &RouterModels::onModels);
    connect(&m_list, &ModelList::failed, this, &RouterModels::onFailed);
    m_list.ask();
}

RouterModels::~RouterModels() = default;

bool RouterModels::isLoaded(const ServerRuntime &runtime)
{
    return runtime.facts().router && runtime.facts().modelLoaded && !runtime.coordinator().isUnreachable();
}

void RouterModels::admit(RequestId request, const QString &model, qint64 untilMonoMs, Go go)
{
    Asked asked { model, {}, untilMonoMs, std::move(go) };
    if (const auto known = m_names.find(model); known != m_names.end()) {
        asked.model = known->second;
    }
    m_asked.emplace(request, asked);
    const auto runtimes = m_house.runtimes();
    const auto runtime = runtimes.find(asked.model);
    if (m_outdated || asked.model.isEmpty() || runtime == runtimes.end() || !isLoaded(*runtime->second)) {
        m_list.ask(); // the gate decides by what is loaded now
        return;
    }
    m_gate.ask(request, asked.model, m_clock->now().monoMs);
    run();
}

bool RouterModels::drop(RequestId request)
{
    if (m_asked.erase(request) == 0) {
        over(request);
        return false;
    }
    m_gate.over(request);
    changed();
    return true;
}

void RouterModels::over(RequestId request)
{
    if (m_passed.erase(request) == 0) {
        return;
    }
    const bool entered = m_gate.isEntering();
    m_gate.over(request);
    if (entered && !m_gate.isEntering()) {
        m_outdated = true; // the model that had to go is to learn that it went
        m_list.ask();
    }
    changed();
}

void RouterModels::changed()
{
    if (!m_asked.empty()) {
        m_again.start(0);
    }
}

void RouterModels::onModels(const std::vector<ModelEntry> &models)
{
    m_outdated = false;
    m_names.clear();
    m_othersLoaded.clear();
    for (const ModelEntry &entry : models) {
        m_names[entry.id] = entry.id;
        for (const QString &alias : entry.aliases) {
            m_names.try_emplace(alias, entry.id);
        }
        if (entry.loaded()) {
            m_othersLoaded.insert(entry.id);
        }
    }
    std::vector<RequestId> unresolved;
    for (const auto &[request, asked] : m_asked) {
        if (!m_gate.waitsHere(request)) {
            unresolved.push_back(request);
        }
    }
    for (const RequestId request : unresolved) {
        resolve(request);
    }
    // An answer to one of them may be the end of another one: the list is a copy.
    for (const auto &[model, runtime] : m_house.runtimes()) {
        m_othersLoaded.erase(model);
        runtime->seeModels(models);
    }
    run();
}

void RouterModels::resolve(RequestId request)
{
    const auto found = m_asked.find(request);
    if (found == m_asked.end()) {
        return;
    }
    const auto name = m_names.find(found->second.typed);
    if (name == m_names.end()) {
        const Go go = std::move(found->second.go);
        m_asked.erase(found);
        go(nullptr);
        return;
    }
    found->second.model = name->second;
    m_house.runtimeOf(name->second);
    m_gate.ask(request, name->second, m_clock->now().monoMs);
}

void RouterModels::onFailed()
{
    m_outdated = false;
    std::vector<Go> gone;
    std::erase_if(m_asked, [&](const auto &entry) {
        if (m_gate.waitsHere(entry.first)) {
            return false;
        }
        gone.push_back(entry.second.go);
        return true;
    });
    for (const Go &go : gone) {
        go(nullptr);
    }
}

ModelGate::Models RouterModels::look() const
{
    ModelGate::Models models;
    for (const QString &name : m_othersLoaded) {
        models[name].loaded = true;
    }
    for (const auto &[name, runtime] : m_house.runtimes()) {
        const Coordinator &coordinator = runtime->coordinator();
        ModelGate::Model &model = models[name];
        model.loaded = isLoaded(*runtime);
        model.busy = !coordinator.leases().empty() || coordinator.waiting() > 0;
        for (const auto &[key, slot] : coordinator.slotTable()) {
            model.busy = model.busy || slot.job.has_value();
            model.heldUntilMs = std::max(model.heldUntilMs, slot.heldUntilMs);
            model.usedSeq = std::max(model.usedSeq, static_cast<quint64>(slot.lastUsedWallMs));
        }
    }
    return models;
}

void RouterModels::run()
{
    if (m_outdated) {
        return; // until the list is there
    }
    if (m_runs) {
        changed(); // from within one of its own steps
        return;
    }
    m_runs = true;
    m_gate.setLimit(m_router->facts().modelsMax);
    const qint64 nowMs = m_clock->now().monoMs;
    for (const ModelGate::Step &step : m_gate.steps(look(), nowMs)) {
        if (const auto *pass = std::get_if<ModelGate::Pass>(&step)) {
            goOn(pass->request);
            continue;
        }
        const auto clear = std::get<ModelGate::Clear>(step);
        const auto runtimes = m_house.runtimes();
        const auto runtime = runtimes.find(clear.model);
        if (runtime == runtimes.end()) {
            m_gate.cleared(clear); // nobody's session that we know of
            changed();
            continue;
        }
        m_house.save(runtime->second, [this, clear] {
            m_gate.cleared(clear);
            changed();
        });
    }
    std::vector<RequestId> overdue;
    for (const auto &[request, asked] : m_asked) {
        if (asked.untilMonoMs >= 0 && nowMs >= asked.untilMonoMs && m_gate.waitsHere(request)) {
            overdue.push_back(request);
        }
    }
    for (const RequestId request : overdue) {
        m_gate.over(request);
        goOn(request);
    }
    m_runs = false;
    if (!m_asked.empty() && !m_again.isActive()) {
        m_again.start(c_lookEveryMs);
    }
}

void RouterModels::goOn(RequestId request)
{
    const auto found = m_asked.find(request);
    if (found == m_asked.end()) {
        return;
    }
    const Asked asked = std::move(found->second);
    m_asked.erase(found);
    m_passed.insert(request);
    ServerRuntime *const runtime = m_house.runtimeOf(asked.model);
    asked.go(runtime);
    if (runtime == nullptr) {
        over(request);
    }
}

} // namespace kv
