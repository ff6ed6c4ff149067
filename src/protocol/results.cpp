// SPDX-License-Identifier: MIT
#include "results.h"

#include "params.h"

#include <QJsonArray>

#include <cmath>

namespace kv {

namespace {

void put(QJsonObject &object, QStringView key, const QString &text)
{
    if (!text.isEmpty()) {
        object.insert(key, text);
    }
}

void put(QJsonObject &object, QStringView key, qint64 count)
{
    if (count >= 0) {
        object.insert(key, count);
    }
}

/// Whole microseconds: more digits would only be noise.
void putMs(QJsonObject &object, QStringView key, double ms)
{
    if (ms >= 0) {
        object.insert(key, std::round(ms * 1000) / 1000);
    }
}

} // namespace

QJsonObject encodeHello(const HelloResult &result)
{
    return { { QStringLiteral("name"), result.name }, { QStringLiteral("version"), result.version },
        { QStringLiteral("protocol"), c_protocolVersion },
        { QStringLiteral("features"), QJsonArray::fromStringList(result.features) },
        { QStringLiteral("providers"), QJsonArray::fromStringList(result.providers) } };
}

QJsonObject encodeBegin(const BeginResult &result)
{
    QJsonObject object { { QStringLiteral("managed"), result.managed },
        { QStringLiteral("outcome"), result.outcome } };
    if (result.lease != 0) {
        object.insert(u"lease", leaseToText(result.lease));
    }
    put(object, u"server", result.server);
    put(object, u"slot", result.slot);
    if (result.transport) {
        object.insert(u"transport",
            QJsonObject { { QStringLiteral("id_slot"), result.transport->idSlot },
                { QStringLiteral("cache_prompt"), result.transport->cachePrompt } });
    }
    put(object, u"tokens", result.tokens);
    put(object, u"bytes", result.bytes);
    putMs(object, u"waitMs", result.waitMs);
    putMs(object, u"saveMs", result.saveMs);
    putMs(object, u"restoreMs", result.restoreMs);
    put(object, u"reason", result.reason);
    return object;
}

QJsonObject encodeEnd(const EndResult &result)
{
    QJsonObject object { { QStringLiteral("dirty"), result.dirty },
        { QStringLiteral("revision"), static_cast<qint64>(result.revision) } };
    if (result.reuse) {
        QJsonObject reuse { { QStringLiteral("verdict"), result.reuse->verdict },
            { QStringLiteral("expected"), result.reuse->expected },
            { QStringLiteral("actual"), result.reuse->actual } };
        put(reuse, u"cause", result.reuse->cause);
        object.insert(u"reuse", reuse);
    }
    return object;
}

QJsonObject encodeManual(ApiMethod method, const ManualResult &result)
{
    QJsonObject object;
    switch (method) {
    case ApiMethod::Save:
        object.insert(u"revision", static_cast<qint64>(result.revision));
        put(object, u"tokens", result.tokens);
        put(object, u"bytes", result.bytes);
        putMs(object, u"ms", result.ms);
        put(object, u"skipped", result.skipped);
        break;
    case ApiMethod::Restore:
        put(object, u"slot", result.slot);
        put(object, u"tokens", result.tokens);
        put(object, u"bytes", result.bytes);
        putMs(object, u"ms", result.ms);
        break;
    case ApiMethod::Erase:
        put(object, u"slot", result.slot);
        putMs(object, u"ms", result.ms);
        break;
    case ApiMethod::Purge:
        object.insert(u"count", result.count);
        object.insert(u"fileRemains", result.fileRemains);
        break;
    default: // Invalidate, Pin, Flush
        object.insert(u"count", result.count);
        break;
    }
    return object;
}

} // namespace kv
