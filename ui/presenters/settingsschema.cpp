// SPDX-License-Identifier: MIT
#include "settingsschema.h"

#include "bytesize.h"
#include "localetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace kv {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(kv::SettingsSchema)
};

using Kind = SettingsField::Kind;

QString yes() { return QStringLiteral("true"); }
QString no() { return QStringLiteral("false"); }
QString off() { return QStringLiteral("off"); }

} // namespace

const std::vector<SettingsField> &settingsFields()
{
    static const std::vector<SettingsField> fields {
        { QStringLiteral("enabled"), Kind::Flag, yes(), {} },
        { QStringLiteral("coldStart"), Kind::Choice, QStringLiteral("base"),
            { QStringLiteral("base"), QStringLiteral("keep"), QStringLiteral("erase") } },
        { QStringLiteral("checkpoint.onSwitch"), Kind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onShutdown"), Kind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onSessionFlush"), Kind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onDispose"), Kind::Flag, yes(), {} },
        { QStringLiteral("checkpoint.onTurnEnd"), Kind::Flag, no(), {} },
        { QStringLiteral("checkpoint.onStepEnd"), Kind::Flag, no(), {} },
        { QStringLiteral("checkpoint.idleMs"), Kind::Milliseconds, QStringLiteral("30000"), {} },
        { QStringLiteral("checkpoint.minTokens"), Kind::Number, QStringLiteral("auto"), {} },
        { QStringLiteral("checkpoint.maxBytesPerDay"), Kind::Size, QStringLiteral("50GB"), {} },
        { QStringLiteral("checkpoint.maxDirtyMs"), Kind::Milliseconds, QStringLiteral("300000"), {} },
        { QStringLiteral("checkpoint.subagents"), Kind::Choice, QStringLiteral("whileAlive"),
            { QStringLiteral("whileAlive"), QStringLiteral("never"), QStringLiteral("always") } },
        { QStringLiteral("restore.enabled"), Kind::Flag, yes(), {} },
        { QStringLiteral("restore.verify"), Kind::Choice, QStringLiteral("basic"),
            { off(), QStringLiteral("basic"), QStringLiteral("strict") } },
        { QStringLiteral("failure.strict"), Kind::Flag, no(), {} },
        { QStringLiteral("retention.maxTotalBytes"), Kind::Size, QStringLiteral("100GB"), {} },
        { QStringLiteral("retention.minFreeBytes"), Kind::Size, QStringLiteral("5GB"), {} },
        { QStringLiteral("retention.maxSessions"), Kind::Number, off(), {} },
        { QStringLiteral("retention.maxAgeDays"), Kind::Number, off(), {} },
    };
    return fields;
}

const std::vector<SettingsField> &serverFields()
{
    static const std::vector<SettingsField> fields {
        { QStringLiteral("baseURL"), Kind::Text, {}, {} },
        { QStringLiteral("apiKey"), Kind::Secret, {}, {} },
        { QStringLiteral("apiKeyFile"), Kind::Path, {}, {} },
        { QStringLiteral("mode"), Kind::Choice, QStringLiteral("single-slot"),
            { QStringLiteral("single-slot"), QStringLiteral("managed-slots") } },
        { QStringLiteral("slotId"), Kind::Number, QStringLiteral("0"), {} },
        { QStringLiteral("auxiliarySlot"), Kind::Flag, no(), {} },
        { QStringLiteral("snapshotBinaryManagement"), Kind::Choice, QStringLiteral("server-owned"),
            { QStringLiteral("server-owned"), QStringLiteral("shared-filesystem") } },
        { QStringLiteral("slotSavePath"), Kind::Path, {}, {} },
        { QStringLiteral("runtimeKey"), Kind::Text, {}, {} },
        { QStringLiteral("requestTimeoutMs"), Kind::Milliseconds, QStringLiteral("15000"), {} },
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
        return field.kind == Kind::Milliseconds ? Text::tr("never") : Text::tr("no limit");
    }
    bool ok = false;
    const qint64 number = value.toLongLong(&ok);
    if (field.kind == Kind::Milliseconds && ok && number >= 0) {
        return number == 0 ? Text::tr("never") : localeDuration(static_cast<double>(number));
    }
    if (field.kind == Kind::Size) {
        const Result<qint64> bytes = parseByteSize(value);
        return bytes ? localeBytes(bytes.value()) : QString();
    }
    if (field.key == QStringLiteral("checkpoint.minTokens")) {
        return value == QStringLiteral("auto") ? Text::tr("by what saving costs and gains")
            : ok                               ? Text::tr("%1 tokens").arg(localeTokens(number))
                                               : QString();
    }
    return {};
}

} // namespace kv
