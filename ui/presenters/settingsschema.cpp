// SPDX-License-Identifier: MIT
#include "settingsschema.h"

#include "bytesize.h"
#include "localetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

struct SettingsSchemaText {
    Q_DECLARE_TR_FUNCTIONS(kv::SettingsSchema)
};

using FieldKind = SettingsField::Kind;

QString yes() { return QStringLiteral("true"); }
QString no() { return QStringLiteral("false"); }
QString off() { return QStringLiteral("off"); }

} // namespace

const std::vector<SettingsField> &settingsFields()
{
    static const std::vector<SettingsField> fields {
        { QStringLiteral("enabled"), FieldKind::Flag, yes(), {} },
        { QStringLiteral("coldStart"), FieldKind::Choice, QStringLiteral("base"),
            { QStringLiteral("base"), QStringLiteral("keep"), QStringLiteral("erase") } },
        { QStringLiteral("checkpoint.onSwitch"), FieldKind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onShutdown"), FieldKind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onSessionFlush"), FieldKind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onDispose"), FieldKind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onTurnEnd"), FieldKind::Flag, no(), {} },
        { QStringLiteral("checkpoint.onStepEnd"), FieldKind::Flag, no(), {} },
        { QStringLiteral("checkpoint.idleMs"), FieldKind::Milliseconds, QStringLiteral("30000"), {} },
        { QStringLiteral("checkpoint.minTokens"), FieldKind::Number, QStringLiteral("auto"), {} },
        { QStringLiteral("checkpoint.maxBytesPerDay"), FieldKind::Size, QStringLiteral("50GB"), {} },
        { QStringLiteral("checkpoint.maxDirtyMs"), FieldKind::Milliseconds, QStringLiteral("300000"), {} },
        { QStringLiteral("checkpoint.subagents"), FieldKind::Choice, QStringLiteral("whileAlive"),
            { QStringLiteral("whileAlive"), QStringLiteral("never"), QStringLiteral("always") } },
        { QStringLiteral("restore.enabled"), FieldKind::Flag, yes(), {} },
        { QStringLiteral("restore.verify"), FieldKind::Choice, QStringLiteral("basic"),
            { off(), QStringLiteral("basic"), QStringLiteral("strict") } },
        { QStringLiteral("failure.strict"), FieldKind::Flag, no(), {} },
        { QStringLiteral("retention.maxTotalBytes"), FieldKind::Size, QStringLiteral("100GB"), {} },
        { QStringLiteral("retention.minFreeBytes"), FieldKind::Size, QStringLiteral("5GB"), {} },
        { QStringLiteral("retention.maxSessions"), FieldKind::Number, off(), {} },
        { QStringLiteral("retention.maxAgeDays"), FieldKind::Number, off(), {} },
    };
    return fields;
}

const std::vector<SettingsField> &serverFields()
{
    static const std::vector<SettingsField> fields {
        { QStringLiteral("baseURL"), FieldKind::Text, {}, {} },
        { QStringLiteral("apiKey"), FieldKind::Secret, {}, {} },
        { QStringLiteral("apiKeyFile"), FieldKind::Path, {}, {} },
        { QStringLiteral("mode"), FieldKind::Choice, QStringLiteral("single-slot"),
            { QStringLiteral("single-slot"), QStringLiteral("managed-slots") } },
        { QStringLiteral("slotId"), FieldKind::Number, QStringLiteral("0"), {} },
        { QStringLiteral("auxiliarySlot"), FieldKind::Flag, no(), {} },
        { QStringLiteral("snapshotBinaryManagement"), FieldKind::Choice, QStringLiteral("server-owned"),
            { QStringLiteral("server-owned"), QStringLiteral("shared-filesystem") } },
        { QStringLiteral("slotSavePath"), FieldKind::Path, {}, {} },
        { QStringLiteral("runtimeKey"), FieldKind::Text, {}, {} },
        { QStringLiteral("requestTimeoutMs"), FieldKind::Milliseconds, QStringLiteral("15000"), {} },
    };
    return fields;
}

const SettingsField *settingsField(const std::vector<SettingsField> &fields, const QString &key)
{
    const auto found = std::find_if(
        fields.begin(), fields.end(), [&](const SettingsField &field) { return field.key == key; });
    return found == fields.end() ? nullptr : &*found;
}

QString settingsMeaning(const SettingsField &field, const QString &value)
{
    if (value == off()) {
        return field.kind == FieldKind::Milliseconds ? SettingsSchemaText::tr("never")
                                                     : SettingsSchemaText::tr("no limit");
    }
    bool ok = false;
    const qint64 number = value.toLongLong(&ok);
    if (field.kind == FieldKind::Milliseconds && ok && number >= 0) {
        return number == 0 ? SettingsSchemaText::tr("never") : localeDuration(static_cast<double>(number));
    }
    if (field.kind == FieldKind::Size) {
        const Result<qint64> bytes = parseByteSize(value);
        return bytes ? localeBytes(bytes.value()) : QString();
    }
    if (field.key == QStringLiteral("checkpoint.minTokens")) {
        return value == QStringLiteral("auto") ? SettingsSchemaText::tr("by what saving costs and gains")
            : ok                               ? SettingsSchemaText::tr("%1 tokens").arg(localeTokens(number))
                                               : QString();
    }
    return {};
}

} // namespace kv
