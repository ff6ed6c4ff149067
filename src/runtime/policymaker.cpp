// SPDX-License-Identifier: MIT
#include "policymaker.h"

#include <QCryptographicHash>

namespace kv {

QString shownEndpoint(const QUrl &baseUrl)
{
    return baseUrl.toString(QUrl::RemoveUserInfo | QUrl::StripTrailingSlash);
}

QString endpointHash(const QUrl &baseUrl)
{
    return QString::fromLatin1(
        QCryptographicHash::hash(shownEndpoint(baseUrl).toUtf8(), QCryptographicHash::Sha256).toHex());
}

ServerEndpoint endpointOf(const ServerConfig &server)
{
    ServerEndpoint endpoint;
    endpoint.base = server.baseUrl;
    endpoint.apiKey = server.apiKey.toUtf8();
    endpoint.routerModel = server.routerModel;
    endpoint.requestTimeoutMs = static_cast<int>(server.requestTimeoutMs);
    return endpoint;
}

Policy makePolicy(const Config &config, const ServerConfig &server)
{
    Policy policy;
    policy.server = server.name;
    policy.endpointHash = endpointHash(server.baseUrl);
    policy.enabled = config.enabled;
    policy.mode
        = server.mode == ServerConfig::Mode::ManagedSlots ? SlotMode::ManagedSlots : SlotMode::SingleSlot;
    policy.slotId = server.slotId;
    policy.auxiliarySlot = server.auxiliarySlot;
    policy.sharedFiles = server.snapshotBinaryManagement == ServerConfig::Files::SharedFilesystem;
    policy.minFreeBytes = config.retention.minFreeBytes.value_or(0);
    policy.requestTimeoutMs = server.requestTimeoutMs;

    policy.auxiliary = config.auxiliaryRequests == Config::Auxiliary::Ignore ? AuxiliaryMode::Ignore
                                                                             : AuxiliaryMode::Isolate;
    switch (config.coldStart) {
    case Config::ColdStart::Erase:
        policy.coldStart = ColdStart::Erase;
        break;
    case Config::ColdStart::Keep:
        policy.coldStart = ColdStart::Keep;
        break;
    case Config::ColdStart::Base:
        policy.coldStart = ColdStart::Base;
        break;
    }
    policy.leaseIdleMs = config.leases.idleMs;
    policy.leaseHoldMs = config.leases.holdMs;

    const CheckpointConfig &checkpoint = config.checkpoint;
    policy.onSwitch = checkpoint.onSwitch;
    policy.onShutdown = checkpoint.onShutdown;
    policy.onSessionFlush = checkpoint.onSessionFlush;
    policy.onDispose = checkpoint.onDispose;
    policy.onTurnEnd = checkpoint.onTurnEnd;
    policy.onStepEnd = checkpoint.onStepEnd;
    policy.idleMs = checkpoint.idleMs;
    policy.minTokens = checkpoint.minTokens.value_or(-1);
    policy.maxBytesPerDay = checkpoint.maxBytesPerDay.value_or(0);
    policy.maxDirtyMs = checkpoint.maxDirtyMs;
    switch (checkpoint.subagents) {
    case CheckpointConfig::Subagents::Never:
        policy.subagents = SubagentCheckpoint::Never;
        break;
    case CheckpointConfig::Subagents::WhileAlive:
        policy.subagents = SubagentCheckpoint::WhileAlive;
        break;
    case CheckpointConfig::Subagents::Always:
        policy.subagents = SubagentCheckpoint::Always;
        break;
    }

    policy.restoreEnabled = config.restore.enabled;
    switch (config.restore.verify) {
    case RestoreConfig::Verify::Off:
        policy.verify = RestoreVerify::Off;
        break;
    case RestoreConfig::Verify::Basic:
        policy.verify = RestoreVerify::Basic;
        break;
    case RestoreConfig::Verify::Strict:
        policy.verify = RestoreVerify::Strict;
        break;
    }
    policy.strict = config.failure.strict;
    policy.maxConsecutiveFailures = config.failure.maxConsecutiveFailures;
    policy.cooldownMs = config.failure.cooldownMs;
    return policy;
}

} // namespace kv
