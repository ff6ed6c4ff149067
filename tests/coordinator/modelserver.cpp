// SPDX-License-Identifier: MIT
#include "modelserver.h"

#include <algorithm>

namespace kv::test {

namespace {
constexpr qint64 c_bytesPerToken = 100;
}

FingerprintPtr fingerprintOf(
    const QString &modelPath, const QString &lora, const QString &streams, qint64 slotContext)
{
    return std::make_shared<const Fingerprint>(
        FieldList { { field::modelPath.toString(), modelPath }, { field::lora.toString(), lora },
            { field::build.toString(), u"b1"_qs },
            { field::streams.toString(), streams.isEmpty() ? u"auto"_qs : streams } },
        FieldList {}, slotContext);
}

ModelServer::ModelServer(int slotCount)
    : contents(static_cast<std::size_t>(slotCount))
    , m_streams(QString::number(slotCount))
{
    setModel(u"model-1.gguf"_qs);
}

Identity ModelServer::identity() const { return { u"boot-%1"_qs.arg(m_boot), m_fingerprint }; }

void ModelServer::restart()
{
    ++m_boot;
    sleeping = false;
    alive = true;
    contents.assign(contents.size(), {});
}

void ModelServer::setModel(const QString &modelPath)
{
    m_model = modelPath;
    m_fingerprint = fingerprintOf(modelPath, {}, m_streams, m_context);
}

void ModelServer::setContext(qint64 tokens)
{
    m_context = tokens;
    setModel(m_model);
}

void ModelServer::startWithoutParallel()
{
    m_streams.clear();
    m_clearsIdle = true;
    setModel(m_model);
}

void ModelServer::sleep()
{
    sleeping = true;
    contents.assign(contents.size(), {});
}

void ModelServer::setSlotCount(int count) { contents.assign(static_cast<std::size_t>(count), {}); }

void ModelServer::infer(int slot, const QString &content, qint64 tokens)
{
    sleeping = false;
    for (ModelSlot &other : contents) {
        if (m_clearsIdle && !other.processing && &other != &contents.at(static_cast<std::size_t>(slot))) {
            other.content.clear();
            other.tokens = 0;
        }
    }
    ModelSlot &held = contents.at(static_cast<std::size_t>(slot));
    held.reused = held.content == content ? std::min(held.tokens, tokens) : 0;
    held.content = content;
    held.tokens = tokens;
    held.runtime = m_fingerprint->hash();
    held.idTask = m_nextTask++;
}

OpReply ModelServer::execute(const Op &op)
{
    OpReply reply;
    reply.id = op.id;
    reply.kind = op.kind;
    reply.wallMs = 10;
    if (op.kind == OpKind::CheckFile) {
        const auto file = files.find(op.name);
        if (file == files.end()) {
            reply.failure = OpFailure::FileGone;
            reply.reason = u"FILE_MISSING"_qs;
            reply.message = u"the file is gone"_qs;
        } else if (file->second.bytes != op.expectedBytes) {
            reply.failure = OpFailure::File;
            reply.reason = u"FILE_SIZE"_qs;
            reply.message = u"the file has another size"_qs;
        } else if (!op.expectedChecksum.isEmpty() && file->second.checksum != op.expectedChecksum) {
            reply.failure = OpFailure::File;
            reply.reason = u"FILE_CHECKSUM"_qs;
            reply.message = u"the file has another checksum"_qs;
        }
        return reply;
    }
    if (op.kind == OpKind::DeleteFile) {
        files.erase(op.name);
        return reply;
    }
    if (!alive) {
        reply.failure = OpFailure::ConnectionRefused;
        reply.message = u"nobody listens"_qs;
        return reply;
    }
    switch (op.kind) {
    case OpKind::Identity:
        reply.identity = identity();
        reply.sleeping = sleeping;
        break;
    case OpKind::Look:
        listSlots(op, reply);
        break;
    case OpKind::Save:
        save(op, reply);
        break;
    case OpKind::Restore:
        restore(op, reply);
        break;
    case OpKind::Erase: {
        ModelSlot &slot = contents.at(static_cast<std::size_t>(op.slot.id));
        reply.tokens = slot.tokens;
        slot.tokens = 0;
        slot.content.clear();
        break;
    }
    case OpKind::Nudge:
        ++nudges;
        if (truncatesPrompts) {
            infer(op.slot.id, QStringLiteral("(nudge)"), op.contextTokens);
            reply.failure = OpFailure::Unsupported;
        }
        break;
    case OpKind::CheckFile:
    case OpKind::DeleteFile:
    case OpKind::Probe:
        break;
    }
    return reply;
}

void ModelServer::listSlots(const Op &op, OpReply &reply)
{
    reply.identity = identity();
    reply.sleeping = sleeping;
    if (sleeping && !op.mayWake) {
        return;
    }
    sleeping = false; // GET /slots wakes it
    reply.slotsListed = true;
    for (std::size_t i = 0; i < contents.size(); ++i) {
        SlotObservation seen;
        seen.id = static_cast<int>(i);
        seen.processing = contents[i].processing;
        seen.contextTokens = m_context;
        seen.idTask = contents[i].idTask;
        if (seen.idTask) {
            seen.promptTokens = contents[i].tokens; // trap 15: absent where no task ran
            seen.reusedTokens = seen.processing ? contents[i].reused : 0;
        }
        reply.slotList.push_back(seen);
    }
}

void ModelServer::save(const Op &op, OpReply &reply)
{
    const ModelSlot &slot = contents.at(static_cast<std::size_t>(op.slot.id));
    ModelFile file { slot.content, slot.tokens, slot.tokens * c_bytesPerToken, slot.runtime, {} };
    file.checksum = u"%1-%2-%3"_qs.arg(file.content, file.runtime).arg(file.tokens);
    if (file.tokens == 0) {
        file.bytes = 36; // trap 1: 200 all the same
    }
    files[op.name] = file;
    reply.tokens = file.tokens;
    reply.bytes = file.bytes;
}

void ModelServer::restore(const Op &op, OpReply &reply)
{
    ModelSlot &slot = contents.at(static_cast<std::size_t>(op.slot.id));
    slot.tokens = 0; // the slot is left empty by a restore that is refused
    slot.content.clear();
    const auto file = files.find(op.name);
    if (file == files.end() || file->second.tokens == 0) {
        reply.failure = OpFailure::Refused;
        reply.httpStatus = 400;
        reply.message = u"unable to restore slot"_qs;
        return;
    }
    slot.content = file->second.content;
    slot.tokens = file->second.tokens;
    slot.runtime = file->second.runtime;
    reply.tokens = file->second.tokens;
    reply.bytes = file->second.bytes;
}

} // namespace kv::test
