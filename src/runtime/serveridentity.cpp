// SPDX-License-Identifier: MIT
// ServerRuntime: whose process answers, and which runtime it is.
#include "serverruntime.h"
#include "snapshotstore.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace kv {

namespace {

QString modelFileSetting() { return QStringLiteral("modelFile"); }

QString writtenModelFile(const QString &boot, const ModelFileFacts &facts)
{
    const QJsonObject object { { QStringLiteral("boot"), boot }, { QStringLiteral("size"), facts.size },
        { QStringLiteral("mtimeMs"), facts.mtimeMs }, { QStringLiteral("sample"), facts.sample } };
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace

void ServerRuntime::withIdentity(const ServerFacts &facts, WithIdentity then)
{
    m_facts = facts;
    if (isRouter() && !m_router) {
        m_router = true;
        Q_EMIT isARouter();
    }
    if (facts.local && facts.slotSavePath != m_serversFolder) {
        lookAtFolders();
    }
    const bool fileHere = facts.local && !facts.modelFile.isEmpty();
    m_fingerprint.setModelFileExpected(fileHere);
    RuntimeFingerprint::ServerSeen seen;
    seen.boot = facts.boot;
    seen.complete = facts.complete;
    seen.compared = facts.compared;
    seen.shown = facts.shown;
    seen.slotContext = facts.slotContext;
    seen.processStartWallMs = facts.serverStartWallMs;
    m_fingerprint.serverSeen(seen, m_clock->now().wallMs);
    if (!fileHere) {
        then(identityOf(facts.boot));
        return;
    }
    m_awaitingModelFile.push_back({ facts.boot, std::move(then) });
    if (!m_modelFilePatience.isActive()) {
        m_modelFilePatience.start();
    }
    m_modelProbe->probe(facts.modelFile);
}

Identity ServerRuntime::identityOf(const QString &boot) const
{
    // Another process may have been seen while the model file was looked at: its identity is not theirs.
    const Identity now = m_fingerprint.identity();
    return now.boot == boot ? now : Identity { boot, nullptr };
}

QString ServerRuntime::identityTrouble() const
{
    const bool asked = m_coordinator.breaker().state() != BreakerState::Healthy;
    const bool unloaded = m_facts.router && !m_facts.modelLoaded; // its next request loads it, then asks
    return (m_fingerprint.isUnread() || unloaded) && !asked ? QString() : m_fingerprint.unknownReason();
}

void ServerRuntime::passIdentity()
{
    m_modelFilePatience.stop();
    std::vector<AwaitsIdentity> waiting;
    waiting.swap(m_awaitingModelFile);
    for (const AwaitsIdentity &one : waiting) {
        one.then(identityOf(one.boot));
    }
}

void ServerRuntime::onModelFile(const QString &path, const ModelFileFacts &facts)
{
    if (m_leaving || path != m_facts.modelFile) {
        return; // of a model that is not served any more; the answer about the present one is to come
    }
    m_fingerprint.modelFileSeen(m_fingerprint.modelPath(), facts, m_clock->now().wallMs);
    const std::optional<ModelFileFacts> first = m_fingerprint.firstModelFile();
    const QString boot = m_fingerprint.identity().boot;
    if (first && !boot.isEmpty()) {
        const QString written = writtenModelFile(boot, *first);
        if (written != m_keptModelFile) {
            m_keptModelFile = written;
            m_store->submitSetting(m_settings.server.name, modelFileSetting(), written);
        }
    }
    passIdentity();
}

void ServerRuntime::assumeModelFile(const QString &kept)
{
    const QJsonObject object = QJsonDocument::fromJson(kept.toUtf8()).object();
    ModelFileFacts facts;
    facts.readable = true;
    facts.size = object.value(u"size").toInteger();
    facts.mtimeMs = object.value(u"mtimeMs").toInteger();
    facts.sample = object.value(u"sample").toString();
    const QString boot = object.value(u"boot").toString();
    if (!boot.isEmpty() && !facts.sample.isEmpty()) {
        m_keptModelFile = kept;
        m_fingerprint.assumeModelFile(boot, facts);
    }
}

} // namespace kv
