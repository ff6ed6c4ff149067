// SPDX-License-Identifier: MIT
#include "modelgate.h"

#include <algorithm>

namespace kv {

void ModelGate::ask(RequestId request, const QString &model, qint64 nowMs)
{
    m_queue.push_back({ request, model, nowMs });
}

void ModelGate::over(RequestId request)
{
    std::erase_if(m_queue, [request](const Asked &asked) { return asked.request == request; });
    if (m_entering && m_entering->request == request) {
        m_entering.reset();
    }
    m_draining.clear(); // perhaps it was for its sake
}

void ModelGate::cleared(const Clear &done)
{
    if (m_entering && m_entering->request == done.request) {
        const QString &model = done.model;
        m_entering->clearing.erase(model);
    }
}

bool ModelGate::waitsHere(RequestId request) const
{
    return std::any_of(
        m_queue.begin(), m_queue.end(), [request](const Asked &asked) { return asked.request == request; });
}

bool ModelGate::goesThrough(const Asked &asked, const Models &models) const
{
    if (m_entering && m_entering->passed && m_entering->model == asked.model) {
        return true; // it is being loaded already
    }
    const auto found = models.find(asked.model);
    return found != models.end() && found->second.loaded && asked.model != leaving()
        && asked.model != m_draining;
}

QString ModelGate::leastRecent(const Models &models, const std::set<QString> &among)
{
    QString oldest;
    for (const QString &name : among) {
        if (oldest.isEmpty() || models.at(name).usedSeq < models.at(oldest).usedSeq) {
            oldest = name;
        }
    }
    return oldest;
}

void ModelGate::choose(const Asked &asked, const Models &models, qint64 nowMs, std::vector<Step> &out)
{
    const bool patient = nowMs - asked.sinceMs < m_holdMs;
    std::set<QString> loaded;
    std::set<QString> resting;
    for (const auto &[name, model] : models) {
        if (model.loaded) {
            loaded.insert(name);
            if (!model.busy && (model.heldUntilMs <= nowMs || !patient)) {
                resting.insert(name);
            }
        }
    }
    Entering entering { asked.request, asked.model, {}, {}, false };
    const bool room = m_limit > 0 && static_cast<int>(loaded.size()) < m_limit;
    if (!room && !loaded.empty()) {
        if (resting.empty() && m_limit > 0) {
            // Who asks for it from now on waits behind this one.
            m_draining = patient ? QString() : leastRecent(models, loaded);
            return;
        }
        entering.victim = m_limit > 0 ? leastRecent(models, resting) : QString();
        // Which of those that rest the router takes is its own decision.
        entering.clearing = resting;
        for (const QString &name : resting) {
            out.emplace_back(Clear { name, asked.request });
        }
    }
    m_entering = std::move(entering);
}

std::vector<ModelGate::Step> ModelGate::steps(Models models, qint64 nowMs)
{
    std::vector<Step> out;
    // Those whose model is loaded do not wait for those whose model is not.
    std::erase_if(m_queue, [&](const Asked &asked) {
        if (!goesThrough(asked, models)) {
            return false;
        }
        out.emplace_back(Pass { asked.request });
        models[asked.model].busy = true;
        return true;
    });
    const auto first = std::find_if(m_queue.begin(), m_queue.end(), [&](const Asked &asked) {
        const auto found = models.find(asked.model);
        return found == models.end() || !found->second.loaded;
    });
    if (!m_entering && first != m_queue.end()) {
        choose(*first, models, nowMs, out);
    }
    if (m_entering && !m_entering->passed && m_entering->clearing.empty()) {
        m_entering->passed = true;
        std::erase_if(m_queue, [&](const Asked &asked) {
            if (asked.model != m_entering->model) {
                return false;
            }
            out.emplace_back(Pass { asked.request });
            return true;
        });
    }
    return out;
}

} // namespace kv
