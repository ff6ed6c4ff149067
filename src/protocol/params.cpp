// SPDX-License-Identifier: MIT
#include "params.h"

#include "fieldreader.h"

#include <limits>

namespace kv {

namespace {

constexpr qsizetype c_maxFilterBytes = 1024;
constexpr qsizetype c_maxReasonBytes = 1024;
constexpr qsizetype c_maxYamlBytes = 900'000; // leaves room for the envelope within a line
constexpr qsizetype c_maxTopics = 64;
constexpr qsizetype c_maxTopicBytes = 128;
constexpr qint64 c_maxSlot = 65'535;
constexpr qint64 c_minBucketMs = 1000;

template <typename T> Result<T> finish(const FieldReader &reader, T &&value)
{
    if (reader.failed()) {
        return reader.error();
    }
    return std::forward<T>(value);
}

QString name(FieldReader &reader, QStringView key, Need need = Need::Optional)
{
    return reader.name(key, need, c_maxNameBytes);
}

QString session(FieldReader &reader, QStringView key, Need need = Need::Optional)
{
    return reader.name(key, need, c_maxSessionBytes);
}

UsageParams decodeUsage(FieldReader &outer)
{
    const QJsonObject object = outer.object(u"usage");
    FieldReader reader(object, QStringLiteral("usage."));
    UsageParams usage;
    usage.promptTokens = reader.count(u"promptTokens", Need::Optional, 0, c_maxCount);
    usage.completionTokens = reader.count(u"completionTokens", Need::Optional, 0, c_maxCount);
    usage.cachedTokens = reader.count(u"cachedTokens", Need::Optional, 0, c_maxCount);
    outer.adopt(reader);
    return usage;
}

TimingsParams decodeTimings(FieldReader &outer)
{
    const QJsonObject object = outer.object(u"timings");
    FieldReader reader(object, QStringLiteral("timings."));
    TimingsParams timings;
    timings.firstChunkMs = reader.milliseconds(u"firstChunkMs");
    timings.promptMs = reader.milliseconds(u"promptMs");
    timings.promptTokens = reader.count(u"promptTokens", Need::Optional, 0, c_maxCount);
    timings.predictedMs = reader.milliseconds(u"predictedMs");
    timings.predictedTokens = reader.count(u"predictedTokens", Need::Optional, 0, c_maxCount);
    outer.adopt(reader);
    return timings;
}

} // namespace

Result<HelloParams> decodeHello(const QJsonObject &params)
{
    FieldReader reader(params);
    HelloParams hello;
    hello.client = reader.shortened(u"client", c_maxLabelCharacters);
    hello.version = reader.shortened(u"version", c_maxLabelCharacters);
    hello.protocol
        = static_cast<int>(reader.count(u"protocol", Need::Optional, 1, 1'000'000, c_protocolVersion));
    hello.pins = reader.flag(u"pins").value_or(false);
    if (hello.protocol != c_protocolVersion) {
        reader.rejectAll(QStringLiteral("This daemon speaks protocol %1, the client asks for %2. "
                                        "Use versions of both that belong together.")
                             .arg(QString::number(c_protocolVersion), QString::number(hello.protocol)));
    }
    return finish(reader, std::move(hello));
}

Result<BeginParams> decodeBegin(const QJsonObject &params)
{
    FieldReader reader(params);
    BeginParams begin;
    begin.call = name(reader, u"call");
    begin.session = session(reader, u"session");
    begin.provider = name(reader, u"provider", Need::Required);
    begin.model = name(reader, u"model", Need::Required);
    begin.purpose = reader.text(u"purpose", c_maxNameBytes);
    begin.origin = reader.text(u"origin", c_maxNameBytes);
    begin.parent = session(reader, u"parent");
    begin.base = name(reader, u"base");
    begin.fork = session(reader, u"fork");
    begin.forkSeq = reader.count(u"forkSeq", Need::Optional, 0, c_maxCount);
    begin.label = reader.shortened(u"label", c_maxLabelCharacters);
    begin.seq = reader.count(u"seq", Need::Optional, 0, c_maxCount);
    begin.running = reader.flag(u"running").value_or(false);
    begin.lora = reader.flag(u"lora").value_or(false);
    begin.timeoutMs = reader.count(u"timeoutMs", Need::Optional, 0, c_maxCount);
    return finish(reader, std::move(begin));
}

Result<EndParams> decodeEnd(const QJsonObject &params)
{
    FieldReader reader(params);
    EndParams end;
    const QString lease = name(reader, u"lease");
    end.call = name(reader, u"call");
    end.outcome = reader.choice(u"outcome", Need::Required,
        { QStringLiteral("ok"), QStringLiteral("error"), QStringLiteral("aborted") });
    end.more = reader.flag(u"more");
    end.usage = decodeUsage(reader);
    end.timings = decodeTimings(reader);
    if (lease.isEmpty() == end.call.isEmpty()) {
        reader.rejectAll(QStringLiteral("Name the request by \"lease\" or by \"call\", one of the two."));
    } else if (!lease.isEmpty()) {
        end.lease = leaseFromText(lease).value_or(0);
        if (end.lease == 0) {
            reader.reject(u"lease", QStringLiteral("must be as request.begin gave it, such as \"L12\""));
        }
    }
    return finish(reader, std::move(end));
}

Result<SessionEventParams> decodeSessionEvent(const QJsonObject &params)
{
    static const QStringList types { QStringLiteral("created"), QStringLiteral("resumed"),
        QStringLiteral("flush"), QStringLiteral("disposed"), QStringLiteral("turn-end"),
        QStringLiteral("step-end"), QStringLiteral("compacted") };
    FieldReader reader(params);
    SessionEventParams event;
    event.session = session(reader, u"session", Need::Required);
    event.type = reader.choice(u"type", Need::Required, types);
    event.provider = name(reader, u"provider");
    event.model = name(reader, u"model");
    event.seq = reader.count(u"seq", Need::Optional, 0, c_maxCount);
    event.label = reader.shortened(u"label", c_maxLabelCharacters);
    return finish(reader, std::move(event));
}

Result<ListParams> decodeList(const QJsonObject &params)
{
    FieldReader reader(params);
    ListParams list;
    list.filter = reader.text(u"filter", c_maxFilterBytes);
    const QString sort = reader.choice(u"sort", Need::Optional, rowFields());
    // Newest first is what people look for; once they name a column they expect its natural order.
    list.desc = reader.flag(u"desc").value_or(sort.isEmpty());
    if (!sort.isEmpty()) {
        list.sort = sort;
    }
    list.offset
        = static_cast<int>(reader.count(u"offset", Need::Optional, 0, std::numeric_limits<int>::max(), 0));
    list.limit = static_cast<int>(reader.count(u"limit", Need::Optional, 1, c_maxRows, list.limit));
    list.kind = reader.choice(u"kind", Need::Optional, { QStringLiteral("session"), QStringLiteral("base") });
    return finish(reader, std::move(list));
}

Result<SessionParams> decodeSession(const QJsonObject &params)
{
    FieldReader reader(params);
    SessionParams call;
    call.session = session(reader, u"session", Need::Required);
    call.provider = name(reader, u"provider");
    call.model = name(reader, u"model");
    call.server = name(reader, u"server");
    call.reason = reader.text(u"reason", c_maxReasonBytes);
    call.pinned = reader.flag(u"pinned").value_or(true);
    return finish(reader, std::move(call));
}

Result<EraseParams> decodeErase(const QJsonObject &params)
{
    FieldReader reader(params);
    EraseParams erase;
    erase.server = name(reader, u"server", Need::Required);
    erase.slot = static_cast<int>(reader.count(u"slot", Need::Required, 0, c_maxSlot));
    erase.model = name(reader, u"model");
    return finish(reader, std::move(erase));
}

Result<GcParams> decodeGc(const QJsonObject &params)
{
    FieldReader reader(params);
    return finish(reader, GcParams { reader.flag(u"dryRun").value_or(false) });
}

Result<PauseParams> decodePause(const QJsonObject &params)
{
    FieldReader reader(params);
    PauseParams pause;
    pause.server = name(reader, u"server");
    pause.forMs = reader.count(u"forMs", Need::Optional, 1, c_maxCount);
    return finish(reader, std::move(pause));
}

Result<DoctorParams> decodeDoctor(const QJsonObject &params)
{
    FieldReader reader(params);
    DoctorParams doctor;
    doctor.server = name(reader, u"server");
    doctor.baseUrl = name(reader, u"baseURL");
    doctor.apiKey = name(reader, u"apiKey");
    doctor.verify = reader.flag(u"verify").value_or(false);
    doctor.restart = reader.flag(u"restart").value_or(false);
    if (doctor.restart && !doctor.verify) {
        reader.rejectAll(QStringLiteral("\"restart\" is a part of \"verify\": ask for both."));
    }
    if (!doctor.server.isEmpty() && !doctor.baseUrl.isEmpty()) {
        reader.rejectAll(QStringLiteral("Name a configured \"server\" or a \"baseURL\", not both."));
    }
    return finish(reader, std::move(doctor));
}

Result<ConfigParams> decodeConfig(const QJsonObject &params)
{
    FieldReader reader(params);
    ConfigParams config;
    config.action = reader.choice(u"action", Need::Required,
        { QStringLiteral("get"), QStringLiteral("validate"), QStringLiteral("set") });
    config.yaml = reader.text(u"yaml", c_maxYamlBytes);
    config.ifHash = name(reader, u"ifHash");
    // An empty text is a configuration too (all defaults), but it must be meant.
    if (config.action != u"get" && !params.value(u"yaml").isString()) {
        reader.reject(u"yaml", QStringLiteral("is missing: it holds the text to %1").arg(config.action));
    }
    return finish(reader, std::move(config));
}

Result<HistoryParams> decodeHistory(const QJsonObject &params)
{
    FieldReader reader(params);
    HistoryParams history;
    history.session = session(reader, u"session");
    history.server = name(reader, u"server");
    history.fromMs = reader.time(u"from", Need::Required);
    history.toMs = reader.time(u"to", Need::Required);
    history.bucketMs = reader.count(u"bucketMs", Need::Optional, c_minBucketMs, c_maxCount, 0);
    if (reader.failed()) {
        return reader.error();
    }
    if (history.session.isEmpty() == history.server.isEmpty()) {
        reader.rejectAll(QStringLiteral("Name a \"session\" or a \"server\", one of the two."));
    }
    if (history.fromMs >= history.toMs) {
        reader.reject(u"from", QStringLiteral("must be before \"to\""));
    } else if (history.bucketMs > 0 && (history.toMs - history.fromMs) / history.bucketMs > c_maxBuckets) {
        reader.reject(u"bucketMs", QStringLiteral("would make more than %1 buckets").arg(c_maxBuckets));
    }
    return finish(reader, std::move(history));
}

Result<CancelParams> decodeCancel(const QJsonObject &params)
{
    FieldReader reader(params);
    CancelParams cancel { reader.raw(u"id", Need::Required) };
    if (!cancel.id.isUndefined() && !cancel.id.isString() && !cancel.id.isDouble()) {
        reader.reject(u"id", QStringLiteral("must be the id of a call, text or a number"));
    }
    return finish(reader, std::move(cancel));
}

Result<SubscribeParams> decodeSubscribe(const QJsonObject &params)
{
    FieldReader reader(params);
    SubscribeParams subscribe { reader.names(u"topics", c_maxTopics, c_maxTopicBytes) };
    return finish(reader, std::move(subscribe));
}

const QStringList &rowFields()
{
    static const QStringList fields = QStringLiteral(
        "session hash label provider model server state reason tokens bytes createdAt updatedAt "
        "lastRestoreAt verdict pinned subagent slot kind source prefixTokens")
                                          .split(u' ');
    return fields;
}

QString leaseToText(quint64 lease) { return u'L' + QString::number(lease); }

std::optional<quint64> leaseFromText(QStringView text)
{
    if (!text.startsWith(u'L')) {
        return std::nullopt;
    }
    bool ok = false;
    const quint64 lease = text.mid(1).toULongLong(&ok);
    // Only the one spelling that leaseToText() gives: no signs, blanks or leading zeros.
    if (!ok || lease == 0 || leaseToText(lease) != text) {
        return std::nullopt;
    }
    return lease;
}

} // namespace kv
