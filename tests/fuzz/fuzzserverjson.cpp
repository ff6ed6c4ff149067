// SPDX-License-Identifier: MIT
// What llama-server, or anything else that listens on its port, answers.
#include "fuzztarget.h"
#include "serverjson.h"

#include <algorithm>
#include <set>

using namespace kv;

namespace {

template <typename T> bool isTaken(const Result<T> &answer)
{
    require(answer.ok()
            || (answer.error().code == ErrorCode::BackendUnavailable && !answer.error().message.isEmpty()),
        "an answer without sense is told so");
    return answer.ok();
}

void checkProps(const QByteArray &json)
{
    const auto props = parseProps(json);
    if (isTaken(props)) {
        require(props.value().totalSlots >= 0 && props.value().totalSlots <= 65536, "a number of slots");
        require(props.value().slotContext >= 0, "a size of context");
    }
}

void checkModels(const QByteArray &json)
{
    const auto models = parseModels(json);
    if (isTaken(models)) {
        for (const ModelEntry &model : models.value()) {
            require(model.hasName(model.id), "a model has its own name");
            require(model.nParams.value_or(0) >= 0 && model.size.value_or(0) >= 0, "counts are not negative");
        }
    }
}

void checkSlots(const QByteArray &json)
{
    const auto list = parseSlots(json);
    if (!isTaken(list)) {
        return;
    }
    std::set<int> ids;
    for (const SlotObservation &slot : list.value()) {
        require(slot.id >= 0 && slot.id <= 65535 && ids.insert(slot.id).second, "ids of slots differ");
        require(slot.contextTokens >= 0 && slot.promptTokens.value_or(0) >= 0, "tokens are not negative");
        require(slot.idTask.value_or(0) >= 0, "tasks are not negative");
    }
}

void checkAction(OpKind kind, const QByteArray &json)
{
    const auto action = parseAction(kind, json);
    if (!isTaken(action)) {
        return;
    }
    const ActionAnswer &answer = action.value();
    require(answer.slot >= 0 && answer.slot <= 65535 && answer.tokens >= 0, "a slot and a count");
    require(answer.serverMs >= 0 || answer.serverMs == -1, "a time, or none");
    require(kind == OpKind::Erase ? answer.bytes == -1 : answer.bytes >= 0 && !answer.fileName.isEmpty(),
        "a file has a name and a size");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray json = fuzzBytes(data, size);
    checkProps(json);
    checkModels(json);
    checkSlots(json);
    for (const OpKind kind : { OpKind::Save, OpKind::Restore, OpKind::Erase }) {
        checkAction(kind, json);
    }
    const auto lora = parseLora(json);
    require(!isTaken(lora) || !lora.value().isEmpty(), "adapters are text");
    const QString text = parseErrorText(json);
    require(text.size() <= 200 && std::all_of(text.begin(), text.end(), [](QChar c) { return c.isPrint(); }),
        "a server's own words are short and printable");
    return 0;
}
