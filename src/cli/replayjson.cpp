// SPDX-License-Identifier: MIT
#include "replayjson.h"

#include <QDateTime>

namespace kv {

namespace {

/// A sink of FieldWalker: structs become objects, one of several kinds with its name as `type`; what is not
/// there is left out.
class JsonSink final {
public:
    [[nodiscard]] QJsonValue take() { return std::exchange(m_frames.front().list, {}).first(); }

    void field(FieldName name) { m_frames.back().key = QString::fromUtf8(name.text); }
    void flag(bool value) { put(value); }
    void number(qint64 value) { put(value); }
    void count(quint64 value) { put(static_cast<qint64>(value)); }
    void real(double value) { put(value); }
    void enumerator(const char *name, int /*value*/) { put(QString::fromUtf8(name)); }
    void text(TextPrivacy /*privacy*/, const QString &value) { put(value); }
    void fingerprint(const FingerprintPtr &value)
    {
        put(value == nullptr ? QJsonValue() : QJsonValue(value->hash().left(12)));
    }
    void present(bool /*value*/) { }
    void beginList(std::size_t /*size*/) { m_frames.push_back({ true, {}, {}, {} }); }
    void endList()
    {
        const QJsonArray list = m_frames.back().list;
        m_frames.pop_back();
        put(list);
    }
    void beginStruct(const char *type)
    {
        m_frames.push_back({ false, {}, {}, {} });
        if (std::exchange(m_named, false)) {
            m_frames.back().object.insert(QStringLiteral("type"), QString::fromUtf8(type));
        }
    }
    void endStruct()
    {
        const QJsonObject object = m_frames.back().object;
        m_frames.pop_back();
        put(object);
    }
    void alternative(std::size_t /*index*/) { m_named = true; }

private:
    struct Frame {
        bool isList = false;
        QJsonArray list;
        QJsonObject object;
        QString key;
    };
    void put(const QJsonValue &value)
    {
        Frame &frame = m_frames.back();
        if (frame.isList) {
            frame.list.append(value);
        } else {
            frame.object.insert(frame.key, value);
        }
    }

    std::vector<Frame> m_frames { { true, {}, {}, {} } };
    bool m_named = false;
};

template <typename T> QJsonObject jsonOf(const T &value)
{
    JsonSink sink;
    FieldWalker<JsonSink>(sink).walk(TextPrivacy::Unsaid, value);
    return sink.take().toObject();
}

QJsonObject slotJson(const ReplaySlot &slot)
{
    QJsonObject json { { QStringLiteral("id"), slot.key.id },
        { QStringLiteral("state"), toString(slot.state) } };
    if (!slot.key.model.isEmpty()) {
        json.insert(QStringLiteral("model"), slot.key.model);
    }
    if (!slot.owner.isEmpty()) {
        json.insert(QStringLiteral("owner"), slot.owner);
    }
    if (slot.tokens >= 0) {
        json.insert(QStringLiteral("tokens"), slot.tokens);
    }
    return json;
}

QString isoTime(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC).toString(Qt::ISODateWithMs);
}

} // namespace

QJsonObject replayEventJson(const Event &event) { return jsonOf(event); }

QJsonObject replayStepJson(const ReplayStep &step)
{
    QJsonArray changes;
    for (const ReplayStep::Change &change : step.changes) {
        QJsonObject json;
        if (change.before) {
            json.insert(QStringLiteral("before"), slotJson(*change.before));
        }
        if (change.after) {
            json.insert(QStringLiteral("after"), slotJson(*change.after));
        }
        changes.append(json);
    }
    QJsonArray effects;
    for (const Effect &effect : step.effects) {
        effects.append(jsonOf(effect));
    }
    return { { QStringLiteral("number"), static_cast<qint64>(step.number) },
        { QStringLiteral("at"), isoTime(step.event.at.wallMs) },
        { QStringLiteral("monoMs"), step.event.at.monoMs }, { QStringLiteral("firstOfRun"), step.firstOfRun },
        { QStringLiteral("event"), jsonOf(step.event.event) }, { QStringLiteral("slots"), changes },
        { QStringLiteral("effects"), effects }, { QStringLiteral("asRecorded"), step.asRecorded } };
}

QJsonObject replaySummaryJson(const ReplaySummary &summary)
{
    QJsonObject grants;
    for (const auto &[outcome, count] : summary.grants) {
        grants.insert(toString(outcome), static_cast<qint64>(count));
    }
    const auto number = [](quint64 value) { return static_cast<qint64>(value); };
    return { { QStringLiteral("events"), number(summary.events) },
        { QStringLiteral("runs"), number(summary.runs) }, { QStringLiteral("grants"), grants },
        { QStringLiteral("saves"), number(summary.saves) },
        { QStringLiteral("saveFailures"), number(summary.saveFailures) },
        { QStringLiteral("restores"), number(summary.restores) },
        { QStringLiteral("restoreFailures"), number(summary.restoreFailures) },
        { QStringLiteral("refusals"), number(summary.refusals) },
        { QStringLiteral("invariantBreaches"), number(summary.breaches) },
        { QStringLiteral("otherwise"), number(summary.otherwise) },
        { QStringLiteral("from"), isoTime(summary.first.wallMs) },
        { QStringLiteral("to"), isoTime(summary.last.wallMs) } };
}

} // namespace kv
