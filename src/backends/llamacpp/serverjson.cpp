// SPDX-License-Identifier: MIT
#include "serverjson.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <set>

namespace kv {

namespace {

constexpr double c_largestExact = 9007199254740992.0; // 2^53: above it a JSON number is no exact integer

Error nonsense(const QString &what, const QString &why)
{
    return Error { ErrorCode::BackendUnavailable,
        QStringLiteral("The server's answer (%1) makes no sense: %2. Is this a llama-server?").arg(what, why),
        why };
}

std::optional<qint64> wholeNumber(const QJsonValue &value)
{
    if (!value.isDouble()) {
        return std::nullopt;
    }
    const double number = value.toDouble();
    if (std::floor(number) != number || std::abs(number) > c_largestExact) {
        return std::nullopt;
    }
    return value.toInteger();
}

bool absent(const QJsonValue &value) { return value.isUndefined() || value.isNull(); }

/// Reads fields of one object and remembers the first that is of a wrong kind.
class Reader final {
public:
    explicit Reader(QJsonObject object)
        : m_object(std::move(object))
    {
    }

    std::optional<qint64> count(const QString &name, qint64 least = 0)
    {
        const QJsonValue value = m_object.value(name);
        if (absent(value)) {
            return std::nullopt;
        }
        const auto number = wholeNumber(value);
        if (!number || *number < least) {
            note(name);
            return std::nullopt;
        }
        return number;
    }
    QString text(const QString &name)
    {
        const QJsonValue value = m_object.value(name);
        if (absent(value)) {
            return {};
        }
        if (!value.isString()) {
            note(name);
        }
        return value.toString();
    }
    std::optional<bool> flag(const QString &name)
    {
        const QJsonValue value = m_object.value(name);
        if (absent(value)) {
            return std::nullopt;
        }
        if (!value.isBool()) {
            note(name);
            return std::nullopt;
        }
        return value.toBool();
    }
    [[nodiscard]] QJsonValue value(const QString &name) const { return m_object.value(name); }
    [[nodiscard]] bool failed() const { return !m_wrong.isEmpty(); }
    [[nodiscard]] QString why() const
    {
        return QStringLiteral("\"%1\" is no value that it can have").arg(m_wrong);
    }

private:
    void note(const QString &name)
    {
        if (m_wrong.isEmpty()) {
            m_wrong = name;
        }
    }
    QJsonObject m_object;
    QString m_wrong;
};

std::optional<QJsonDocument> parse(const QByteArray &json)
{
    QJsonParseError error;
    QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (error.error != QJsonParseError::NoError) {
        return std::nullopt;
    }
    return document;
}

QString buildText(const QJsonValue &value)
{
    if (value.isString()) {
        return value.toString();
    }
    if (value.isDouble()) {
        return QString::number(value.toInteger());
    }
    if (value.isObject()) {
        return QString::fromUtf8(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact));
    }
    return {};
}

void readMeta(ModelEntry &entry, Reader &meta)
{
    entry.nParams = meta.count(QStringLiteral("n_params"));
    entry.size = meta.count(QStringLiteral("size"));
    entry.nVocab = meta.count(QStringLiteral("n_vocab"));
    entry.nEmbd = meta.count(QStringLiteral("n_embd"));
    entry.nCtxTrain = meta.count(QStringLiteral("n_ctx_train"));
}

QStringList stringList(const QJsonValue &value)
{
    QStringList list;
    const QJsonArray array = value.toArray();
    for (const QJsonValue &item : array) {
        list.append(item.toString());
    }
    return list;
}

} // namespace

Result<PropsAnswer> parseProps(const QByteArray &json)
{
    const QString what = QStringLiteral("GET /props");
    const auto document = parse(json);
    if (!document || !document->isObject()) {
        return nonsense(what, QStringLiteral("it is no JSON object"));
    }
    Reader reader(document->object());
    PropsAnswer out;
    out.router = reader.text(QStringLiteral("role")) == QStringView(u"router");
    out.modelsMax = static_cast<int>(
        std::min<qint64>(reader.count(QStringLiteral("max_instances")).value_or(0), 65536));
    out.totalSlots
        = static_cast<int>(std::min<qint64>(reader.count(QStringLiteral("total_slots")).value_or(0), 65536));
    out.modelPath = reader.text(QStringLiteral("model_path"));
    out.alias = reader.text(QStringLiteral("model_alias"));
    out.mediaMarker = reader.text(QStringLiteral("media_marker"));
    out.sleeping = reader.flag(QStringLiteral("is_sleeping")).value_or(false);
    out.slotsEndpoint = reader.flag(QStringLiteral("endpoint_slots"));
    if (const QJsonValue media = reader.value(QStringLiteral("modalities")); media.isObject()) {
        out.multimodal = media[u"vision"].toBool() || media[u"audio"].toBool();
    }
    out.build = buildText(reader.value(QStringLiteral("build_info")));
    const QString chatTemplate = reader.text(QStringLiteral("chat_template"));
    if (!chatTemplate.isEmpty()) {
        const QByteArray hash = QCryptographicHash::hash(chatTemplate.toUtf8(), QCryptographicHash::Sha256);
        out.chatTemplateHash = QStringLiteral("sha256:") + QString::fromLatin1(hash.toHex().left(16));
    }
    const QJsonValue settings = reader.value(QStringLiteral("default_generation_settings"));
    if (settings.isObject()) {
        Reader inner(settings.toObject());
        out.slotContext = inner.count(QStringLiteral("n_ctx")).value_or(0);
        if (inner.failed()) {
            return nonsense(what, inner.why());
        }
    } else if (!absent(settings)) {
        return nonsense(what, QStringLiteral("\"default_generation_settings\" is no object"));
    }
    if (reader.failed()) {
        return nonsense(what, reader.why());
    }
    if (!out.router && out.totalSlots == 0 && out.slotContext == 0 && out.build.isEmpty()) {
        return nonsense(what, QStringLiteral("none of the fields of a llama-server is in it"));
    }
    if (out.router) {
        out.modelPath.clear(); // "none"
    }
    return out;
}

Result<std::vector<ModelEntry>> parseModels(const QByteArray &json)
{
    const QString what = QStringLiteral("the list of models");
    const auto document = parse(json);
    if (!document || !document->isObject() || !document->object().value(QStringLiteral("data")).isArray()) {
        return nonsense(what, QStringLiteral("it has no list \"data\""));
    }
    std::vector<ModelEntry> out;
    const QJsonArray data = document->object().value(QStringLiteral("data")).toArray();
    for (const QJsonValue &item : data) {
        if (!item.isObject()) {
            return nonsense(what, QStringLiteral("an entry is no object"));
        }
        Reader reader(item.toObject());
        ModelEntry entry;
        entry.id = reader.text(QStringLiteral("id"));
        entry.aliases = stringList(reader.value(QStringLiteral("aliases")));
        const QJsonValue status = reader.value(QStringLiteral("status"));
        if (status.isObject()) {
            Reader inner(status.toObject());
            entry.status = inner.text(QStringLiteral("value"));
            entry.failed = inner.flag(QStringLiteral("failed")).value_or(false);
            entry.args = stringList(inner.value(QStringLiteral("args")));
        } else if (status.isString()) {
            entry.status = status.toString();
        }
        const QJsonValue meta = reader.value(QStringLiteral("meta"));
        if (meta.isObject()) {
            Reader inner(meta.toObject());
            readMeta(entry, inner);
            if (inner.failed()) {
                return nonsense(what, inner.why());
            }
        }
        if (reader.failed()) {
            return nonsense(what, reader.why());
        }
        out.push_back(std::move(entry));
    }
    return out;
}

Result<QString> parseLora(const QByteArray &json)
{
    const QString what = QStringLiteral("GET /lora-adapters");
    const auto document = parse(json);
    if (!document || !document->isArray()) {
        return nonsense(what, QStringLiteral("it is no list"));
    }
    std::vector<std::pair<qint64, QString>> adapters;
    const QJsonArray array = document->array();
    for (const QJsonValue &item : array) {
        const QJsonObject object = item.toObject();
        const auto id = wholeNumber(object.value(QStringLiteral("id")));
        const QJsonValue path = object.value(QStringLiteral("path"));
        const QJsonValue scale = object.value(QStringLiteral("scale"));
        if (!id || !path.isString() || !scale.isDouble()) {
            return nonsense(what, QStringLiteral("an adapter without id, path or scale"));
        }
        adapters.emplace_back(*id, path.toString() + u'=' + QString::number(scale.toDouble(), 'g', 7));
    }
    if (adapters.empty()) {
        return QStringLiteral("none");
    }
    std::sort(adapters.begin(), adapters.end());
    QStringList texts;
    for (const auto &[id, text] : adapters) {
        texts.append(text);
    }
    return texts.join(QStringLiteral("; "));
}

namespace {

Result<SlotObservation> parseSlot(const QJsonValue &item)
{
    const QString what = QStringLiteral("GET /slots");
    if (!item.isObject()) {
        return nonsense(what, QStringLiteral("a slot is no object"));
    }
    Reader reader(item.toObject());
    SlotObservation slot;
    const auto id = reader.count(QStringLiteral("id"));
    auto processing = reader.flag(QStringLiteral("is_processing"));
    if (!processing) {
        // Builds before is_processing: a number, 0 is idle.
        if (const auto state = reader.count(QStringLiteral("state"))) {
            processing = *state != 0;
        }
    }
    slot.contextTokens = reader.count(QStringLiteral("n_ctx")).value_or(0);
    slot.promptTokens = reader.count(QStringLiteral("n_prompt_tokens"));
    slot.reusedTokens = reader.count(QStringLiteral("n_prompt_tokens_cache"));
    slot.idTask = reader.count(QStringLiteral("id_task"), -1);
    if (slot.idTask == -1) {
        slot.idTask.reset(); // how some builds say "none yet"
    }
    if (reader.failed()) {
        return nonsense(what, reader.why());
    }
    if (!id || *id > 65535 || !processing) {
        return nonsense(what, QStringLiteral("a slot without \"id\" or \"is_processing\""));
    }
    slot.id = static_cast<int>(*id);
    slot.processing = *processing;
    return slot;
}

} // namespace

Result<std::vector<SlotObservation>> parseSlots(const QByteArray &json)
{
    const QString what = QStringLiteral("GET /slots");
    const auto document = parse(json);
    if (!document || !document->isArray()) {
        return nonsense(what, QStringLiteral("it is no list"));
    }
    std::vector<SlotObservation> out;
    std::set<int> ids;
    const QJsonArray array = document->array();
    for (const QJsonValue &item : array) {
        auto slot = parseSlot(item);
        if (!slot) {
            return slot.error();
        }
        if (!ids.insert(slot.value().id).second) {
            return nonsense(what, QStringLiteral("slot %1 is listed twice").arg(slot.value().id));
        }
        out.push_back(slot.value());
    }
    return out;
}

Result<ActionAnswer> parseAction(OpKind kind, const QByteArray &json)
{
    const bool save = kind == OpKind::Save;
    const bool erase = kind == OpKind::Erase;
    const QString what = QStringLiteral("POST /slots");
    const auto document = parse(json);
    if (!document || !document->isObject()) {
        return nonsense(what, QStringLiteral("it is no JSON object"));
    }
    Reader reader(document->object());
    const auto slot = reader.count(QStringLiteral("id_slot"));
    const QString tokensName = save ? QStringLiteral("n_saved")
        : erase                     ? QStringLiteral("n_erased")
                                    : QStringLiteral("n_restored");
    const auto tokens = reader.count(tokensName);
    ActionAnswer out;
    if (!erase) {
        const auto bytes = reader.count(save ? QStringLiteral("n_written") : QStringLiteral("n_read"));
        out.fileName = reader.text(QStringLiteral("filename"));
        if (!reader.failed() && (!bytes || out.fileName.isEmpty())) {
            return nonsense(what, QStringLiteral("it tells no file name or no size"));
        }
        out.bytes = bytes.value_or(-1);
        const QJsonObject timings = reader.value(QStringLiteral("timings")).toObject();
        const double ms
            = timings.value(save ? QStringLiteral("save_ms") : QStringLiteral("restore_ms")).toDouble(-1);
        out.serverMs = ms >= 0 ? ms : -1;
    }
    if (reader.failed()) {
        return nonsense(what, reader.why());
    }
    if (!slot || *slot > 65535 || !tokens) {
        return nonsense(what, QStringLiteral("it tells no slot or no \"%1\"").arg(tokensName));
    }
    out.slot = static_cast<int>(*slot);
    out.tokens = *tokens;
    return out;
}

QString parseErrorText(const QByteArray &body)
{
    constexpr qsizetype longest = 200;
    QString text;
    if (const auto document = parse(body)) {
        const QJsonValue error = document->object().value(QStringLiteral("error"));
        text = error.isObject() ? error.toObject().value(QStringLiteral("message")).toString()
                                : error.toString();
    }
    std::replace_if(
        text.begin(), text.end(), [](QChar c) { return !c.isPrint(); }, u' ');
    return text.simplified().left(longest);
}

} // namespace kv
