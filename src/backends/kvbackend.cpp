// SPDX-License-Identifier: MIT
#include "kvbackend.h"

namespace kv {

KvBackend::KvBackend(QObject *parent)
    : QObject(parent)
{
}

KvBackend::~KvBackend() = default;

OpReply toOpReply(const BackendReply &reply, const Identity &identity)
{
    OpReply out;
    out.id = reply.id;
    out.kind = reply.kind;
    out.failure = reply.failure;
    out.message = reply.message;
    out.httpStatus = reply.httpStatus;
    out.identity = identity;
    out.sleeping = reply.facts.sleeping;
    out.unloaded = reply.facts.router && !reply.facts.modelLoaded;
    out.slotsListed = reply.slotsListed;
    out.slotList = reply.slotList;
    out.slotsMessage = reply.slotsMessage;
    out.slotsFailure = reply.slotsFailure;
    out.tokens = reply.tokens;
    out.bytes = reply.bytes;
    out.serverMs = reply.serverMs;
    out.wallMs = reply.wallMs;
    return out;
}

} // namespace kv
