// SPDX-License-Identifier: MIT
#include "sessionrow.h"

#include "humantime.h"
#include "localetext.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <array>

namespace kv {

namespace {

class SessionText final {
    Q_DECLARE_TR_FUNCTIONS(kv::SessionText)

public:
    static QString state(const QString &name)
    {
        if (name == QStringLiteral("valid")) {
            return tr("valid");
        }
        if (name == QStringLiteral("suspect")) {
            return tr("suspect");
        }
        if (name == QStringLiteral("hidden")) {
            return tr("hidden");
        }
        return name == QStringLiteral("invalid") ? tr("invalid") : name;
    }

    static QString base(qint64 prefixTokens)
    {
        return prefixTokens >= 0 ? tr("Shared beginning, %1 tokens").arg(localeCount(prefixTokens))
                                 : tr("Shared beginning, not used yet");
    }

    static QString verdict(const QString &name)
    {
        if (name == QStringLiteral("verified")) {
            return tr("reused");
        }
        if (name == QStringLiteral("partial")) {
            return tr("partly");
        }
        return name == QStringLiteral("none") ? tr("not reused") : QString();
    }

    static QString session(const QString &name)
    {
        struct Known {
            const char *name;
            const char *text;
        };
        static constexpr auto known = std::to_array<Known>({
            { "none", QT_TR_NOOP("not known to any server") },
            { "cold", QT_TR_NOOP("cold: nothing of it is kept") },
            { "restoring", QT_TR_NOOP("being restored") },
            { "active-clean", QT_TR_NOOP("in a slot, saved") },
            { "active-dirty", QT_TR_NOOP("in a slot, not saved yet") },
            { "saving", QT_TR_NOOP("being saved") },
            { "saved", QT_TR_NOOP("saved") },
            { "invalid", QT_TR_NOOP("its snapshot is invalid") },
        });
        for (const auto &one : known) {
            if (name == QLatin1String(one.name)) {
                return tr(one.text);
            }
        }
        return name;
    }

    static QString reason(const QString &code)
    {
        struct Known {
            const char *code;
            const char *sentence;
        };
        static constexpr auto known = std::to_array<Known>({
            { "MODEL_CHANGED", QT_TR_NOOP("The server runs another model now.") },
            { "BUILD_CHANGED", QT_TR_NOOP("The server is of another build now.") },
            { "CONTEXT_TOO_SMALL", QT_TR_NOOP("The server's context is too small for it now.") },
            { "SLOTS_CHANGED", QT_TR_NOOP("The server was started with other slots.") },
            { "LORA_CHANGED", QT_TR_NOOP("The server runs with other LoRA adapters now.") },
            { "KV_TYPE_CHANGED", QT_TR_NOOP("The server keeps its cache in another format now.") },
            { "RUNTIME_KEY_CHANGED", QT_TR_NOOP("The runtime key in the configuration changed.") },
            { "SCHEMA_CHANGED", QT_TR_NOOP("It was written by another version of kv-persist.") },
            { "MANIFEST_INVALID", QT_TR_NOOP("Its record is damaged.") },
            { "FILE_MISSING", QT_TR_NOOP("Its file is gone.") },
            { "FILE_SIZE", QT_TR_NOOP("Its file has another size than when it was saved.") },
            { "FILE_HEADER", QT_TR_NOOP("Its file does not begin as a snapshot does.") },
            { "FILE_CHECKSUM", QT_TR_NOOP("Its file was changed after it was saved.") },
            { "UNCLEAN_STOP", QT_TR_NOOP("The machine stopped without warning soon after it was saved.") },
            { "RESTORE_FAILED", QT_TR_NOOP("Restoring it failed.") },
            { "SERVER_DIED", QT_TR_NOOP("The server died while it was restored.") },
            { "NO_REUSE", QT_TR_NOOP("After its last restore the server reused nothing of it.") },
            { "MANUAL", QT_TR_NOOP("It was invalidated by hand.") },
        });
        for (const auto &one : known) {
            if (code == QLatin1String(one.code)) {
                return tr(one.sentence);
            }
        }
        return code;
    }
};

qint64 timeMs(const QJsonValue &value) { return wallMsFromIso(value.toString()).value_or(0); }

} // namespace

SessionRow SessionRow::fromJson(const QJsonObject &row)
{
    SessionRow one;
    one.session = row.value(u"session").toString();
    one.hash = row.value(u"hash").toString();
    one.label = row.value(u"label").toString();
    one.provider = row.value(u"provider").toString();
    one.model = row.value(u"model").toString();
    one.server = row.value(u"server").toString();
    one.state = row.value(u"state").toString();
    one.reason = row.value(u"reason").toString();
    one.verdict = row.value(u"verdict").toString();
    one.tokens = row.value(u"tokens").toInteger();
    one.bytes = row.value(u"bytes").toInteger();
    one.updatedMs = timeMs(row.value(u"updatedAt"));
    one.lastRestoreMs = timeMs(row.value(u"lastRestoreAt"));
    one.slot = row.value(u"slot").toInt(-1);
    one.pinned = row.value(u"pinned").toBool();
    one.base = row.value(u"kind").toString() == u"base";
    one.prefixTokens = row.value(u"prefixTokens").toInteger(-1);
    return one;
}

QString SessionRow::name() const
{
    if (base) {
        return SessionText::base(prefixTokens);
    }
    return label.isEmpty() ? session : label;
}

QString SessionRow::identity() const
{
    return QStringList { hash, server, provider, model }.join(QChar(QChar::LineSeparator));
}

QJsonObject SessionRow::callParams() const
{
    return { { QStringLiteral("session"), hash }, { QStringLiteral("provider"), provider },
        { QStringLiteral("model"), model }, { QStringLiteral("server"), server } };
}

QList<SessionRow> sessionRows(const QJsonObject &answer)
{
    QList<SessionRow> rows;
    const QJsonArray array = answer.value(u"rows").toArray();
    rows.reserve(array.size());
    for (const QJsonValue &row : array) {
        rows.append(SessionRow::fromJson(row.toObject()));
    }
    return rows;
}

QString snapshotStateText(const QString &state) { return SessionText::state(state); }

QString snapshotReasonText(const QString &reason)
{
    const qsizetype colon = reason.indexOf(u':');
    const QString detail = colon < 0 ? QString() : reason.mid(colon + 1).trimmed();
    const QString sentence = SessionText::reason(reason.left(colon < 0 ? reason.size() : colon));
    return detail.isEmpty() ? sentence : sentence + u' ' + detail;
}

QString sessionStateText(const QString &state) { return SessionText::session(state); }

QString reuseVerdictText(const QString &verdict) { return SessionText::verdict(verdict); }

} // namespace kv
