// SPDX-License-Identifier: MIT
#include "replaytext.h"

#include "bytesize.h"
#include "clitext.h"
#include "replayjson.h"

#include <QDateTime>
#include <QJsonDocument>

namespace kv {

namespace {

constexpr qsizetype c_sessionShown = 6;

QString timeText(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
}

QString sessionText(const QString &session)
{
    return session.isEmpty() ? CliText::tr("no session") : session.left(c_sessionShown);
}

QString slotText(const SlotKey &key)
{
    if (key.id < 0) {
        return CliText::tr("no slot");
    }
    return key.model.isEmpty() ? CliText::tr("slot %1").arg(key.id)
                               : CliText::tr("slot %1 of %2").arg(key.id).arg(key.model);
}

void addIf(QStringList &parts, bool said, const QString &text)
{
    if (said && !text.isEmpty()) {
        parts << text;
    }
}

void addCounts(QStringList &parts, qint64 tokens, qint64 bytes, double ms)
{
    addIf(parts, tokens >= 0, CliText::tr("%1 tokens").arg(tokens));
    addIf(parts, bytes >= 0, formatBytes(bytes));
    addIf(parts, ms >= 0, CliText::tr("%1 ms").arg(ms, 0, 'f', 0));
}

QString joined(const QString &first, const QStringList &parts)
{
    return parts.isEmpty() ? first : QStringLiteral("%1: %2").arg(first, parts.join(QStringLiteral(", ")));
}

QString errorText(const Error &error) { return errorCodeName(error.code) + u' ' + error.message; }

/// Every event that has no words of its own is named as the source does.
template <typename T> QString wordsOf(const T & /*event*/)
{
    return QString::fromUtf8(JournalAccess::nameOfType(static_cast<const T *>(nullptr)));
}

QString wordsOf(const BeginRequest &event)
{
    QStringList parts { sessionText(event.session), event.provider + u'/' + event.model, event.purpose,
        event.origin };
    addIf(parts, event.running, CliText::tr("already running"));
    addIf(parts, event.ownAdapters, CliText::tr("adapters of its own"));
    parts.removeAll(QString());
    return joined(CliText::tr("begin of request %1").arg(event.request), parts);
}

QString wordsOf(const EndRequest &event)
{
    QStringList parts { toString(event.outcome) };
    addCounts(parts, event.usage.promptTokens, -1, -1);
    addIf(parts, event.usage.cachedTokens >= 0, CliText::tr("%1 reused").arg(event.usage.cachedTokens));
    addIf(parts, event.usage.completionTokens >= 0,
        CliText::tr("%1 generated").arg(event.usage.completionTokens));
    addIf(parts, event.more.value_or(false), CliText::tr("more to come"));
    return joined(
        event.lease != 0 ? CliText::tr("end of lease %1").arg(event.lease) : CliText::tr("end of a call"),
        parts);
}

QString wordsOf(const ClientGone &event) { return CliText::tr("client %1 has gone").arg(event.connection); }

QString wordsOf(const CancelRequest &event)
{
    return CliText::tr("request %1 is no longer wanted").arg(event.request);
}

QString wordsOf(const ManualRequest &event)
{
    const QString what = QString::fromUtf8(JournalAccess::nameOf(event.kind)).toLower();
    const QString whom = event.kind == ManualRequest::Kind::Erase ? slotText(event.slot)
        : event.kind == ManualRequest::Kind::Flush                ? QString()
                                                                  : sessionText(event.session);
    return CliText::tr("by hand, request %1: %2 %3").arg(event.request).arg(what, whom).trimmed();
}

QString wordsOf(const SessionHint &event)
{
    return CliText::tr("hint %1 of %2").arg(toString(event.type), sessionText(event.session));
}

QString wordsOf(const OpFinished &event)
{
    const OpReply &reply = event.reply;
    QStringList parts;
    if (reply.failure != OpFailure::None) {
        parts << CliText::tr("failed, %1").arg(toString(reply.failure));
        addIf(parts, reply.httpStatus > 0, QStringLiteral("HTTP %1").arg(reply.httpStatus));
        addIf(parts, true, reply.reason);
        addIf(parts, true, reply.message);
    } else {
        addCounts(parts, reply.tokens, reply.bytes, reply.serverMs);
        addIf(parts, reply.sleeping, CliText::tr("asleep"));
        for (const SlotObservation &slot : reply.slotList) {
            parts << CliText::tr("slot %1 %2, %3 tokens")
                         .arg(slot.id)
                         .arg(slot.processing ? CliText::tr("busy") : CliText::tr("idle"),
                             slot.promptTokens ? QString::number(*slot.promptTokens) : QStringLiteral("?"));
        }
    }
    return joined(CliText::tr("answer to %1 #%2").arg(toString(reply.kind)).arg(reply.id), parts);
}

QString wordsOf(const StoreDone &event) { return CliText::tr("database: %1 is durable").arg(event.seq); }

QString wordsOf(const StoreFailed &event)
{
    return CliText::tr("database: %1 failed: %2").arg(event.seq).arg(errorText(event.error));
}

QString wordsOf(const RemoveRows &event)
{
    return CliText::tr("retention lets %1 snapshots go").arg(event.rows.size());
}

QString wordsOf(const ChecksumKnown &event)
{
    return CliText::tr("checksum of file %1 is known (%2)").arg(event.name).arg(sessionText(event.session));
}

QString wordsOf(const DiskFree &event)
{
    return event.bytes < 0 ? CliText::tr("room on the disk is not known")
                           : CliText::tr("room on the disk: %1 bytes").arg(event.bytes);
}

QString wordsOf(const ServerObserved &event)
{
    QStringList parts;
    addIf(parts, !event.identity.boot.isEmpty(), CliText::tr("process %1").arg(event.identity.boot.left(6)));
    addIf(parts, event.identity.fingerprint == nullptr, CliText::tr("runtime not known"));
    addIf(parts, event.sleeping, CliText::tr("asleep"));
    addIf(parts, event.totalSlots > 0, CliText::tr("%1 slots").arg(event.totalSlots));
    return joined(CliText::tr("the server was seen"), parts);
}

QString wordsOf(const ServerLost &event)
{
    return joined(event.refused ? CliText::tr("nobody listens") : CliText::tr("the server does not answer"),
        event.message.isEmpty() ? QStringList() : QStringList { event.message });
}

QString wordsOf(const ConfigChanged & /*event*/) { return CliText::tr("another configuration"); }
QString wordsOf(const Paused & /*event*/) { return CliText::tr("paused"); }
QString wordsOf(const Resumed & /*event*/) { return CliText::tr("resumed"); }
QString wordsOf(const TimerFired & /*event*/) { return CliText::tr("timer"); }
QString wordsOf(const Shutdown & /*event*/) { return CliText::tr("shutdown"); }

QString wordsOf(const Verified &event)
{
    return event.works ? CliText::tr("verified: what is restored is reused")
                       : CliText::tr("verified: what is restored is not reused");
}

QString noticeText(const Notice &notice)
{
    QStringList parts;
    addIf(parts, notice.slot.id >= 0, slotText(notice.slot));
    addIf(parts, !notice.session.isEmpty(), sessionText(notice.session));
    addIf(parts, true, notice.outcome);
    addCounts(parts, notice.tokens, notice.bytes, notice.ms);
    addIf(parts, true, notice.code);
    addIf(parts, true, notice.reason);
    return joined(notice.name, parts);
}

QString opText(const Op &op)
{
    QString text = CliText::tr("%1 #%2 of %3").arg(toString(op.kind)).arg(op.id).arg(slotText(op.slot));
    return op.name >= 0 ? CliText::tr("%1, file %2").arg(text).arg(op.name) : text;
}

QString grantText(const Grant &grant)
{
    QStringList parts { toString(grant.outcome), slotText(grant.slot) };
    addIf(parts, grant.lease != 0, CliText::tr("lease %1").arg(grant.lease));
    addCounts(parts, grant.tokens, grant.bytes, -1);
    addIf(parts, grant.waitMs > 0, CliText::tr("waited %1 ms").arg(grant.waitMs, 0, 'f', 0));
    addIf(parts, true, grant.reason);
    return joined(CliText::tr("granted, request %1").arg(grant.request), parts);
}

QString stateText(const ReplaySlot &slot)
{
    QStringList parts { toString(slot.state) };
    addIf(parts, !slot.owner.isEmpty(), slot.owner.left(c_sessionShown));
    addIf(parts, slot.tokens >= 0, QString::number(slot.tokens));
    return parts.join(u' ');
}

QString changeText(const ReplayStep::Change &change)
{
    const QString nothing = QStringLiteral("-");
    return QStringLiteral("%1: %2 → %3")
        .arg(slotText(change.before ? change.before->key : change.after->key),
            change.before ? stateText(*change.before) : nothing,
            change.after ? stateText(*change.after) : nothing);
}

} // namespace

QString eventText(const Event &event)
{
    return std::visit([](const auto &happened) { return wordsOf(happened); }, event);
}

QString effectText(const Effect &effect, bool all)
{
    if (const auto *start = std::get_if<StartOp>(&effect)) {
        return opText(start->op);
    }
    if (const auto *grant = std::get_if<Grant>(&effect)) {
        return grantText(*grant);
    }
    if (const auto *refusal = std::get_if<Refuse>(&effect)) {
        return CliText::tr("refused, request %1: %2").arg(refusal->request).arg(errorText(refusal->error));
    }
    if (const auto *answer = std::get_if<Answer>(&effect)) {
        return answer->result ? all ? CliText::tr("answered, request %1").arg(answer->request) : QString()
                              : CliText::tr("answered, request %1: %2")
                                    .arg(answer->request)
                                    .arg(errorText(answer->result.error()));
    }
    if (const auto *emitted = std::get_if<Emit>(&effect)) {
        const bool breach = emitted->notice.code == errorCodeName(ErrorCode::Invariant);
        return all || breach || !emitted->notice.debug ? noticeText(emitted->notice) : QString();
    }
    if (const auto *wake = std::get_if<WakeAt>(&effect)) {
        return all ? CliText::tr("timer at %1").arg(wake->monoMs) : QString();
    }
    if (const auto *store = std::get_if<Store>(&effect)) {
        return all ? CliText::tr("database: %1 %2")
                         .arg(store->command.seq)
                         .arg(QString::fromUtf8(JournalAccess::nameOf(store->command.kind)))
                   : QString();
    }
    return CliText::tr("shutdown done");
}

QStringList replayLines(const ReplayStep &step, bool all)
{
    QStringList lines;
    if (step.firstOfRun) {
        lines << CliText::tr("--- the coordinator begins here, or its state was written anew");
    }
    lines << QStringLiteral("%1  %2  %3")
                 .arg(step.number, 6)
                 .arg(timeText(step.event.at.wallMs), eventText(step.event.event));
    const QString indent(8, u' ');
    if (all) {
        lines << indent
                + QString::fromUtf8(
                    QJsonDocument(replayEventJson(step.event.event)).toJson(QJsonDocument::Compact));
    }
    for (const ReplayStep::Change &change : step.changes) {
        lines << indent + changeText(change);
    }
    for (const Effect &effect : step.effects) {
        if (const QString text = effectText(effect, all); !text.isEmpty()) {
            lines << indent + QStringLiteral("=> ") + text;
        }
    }
    if (!step.asRecorded) {
        lines << indent + CliText::tr("!! the one that wrote the journal decided otherwise here");
    }
    return lines;
}

QStringList summaryLines(const ReplaySummary &summary, const JournalHead &head)
{
    QStringList grants;
    for (const auto &[outcome, count] : summary.grants) {
        grants << QStringLiteral("%1 %2").arg(count).arg(toString(outcome));
    }
    QStringList lines { CliText::tr(
                            "Server %1, written by kv-persist %2: %3 events, begun or written anew %4 "
                            "times, %5 to %6")
                            .arg(head.server, head.program)
                            .arg(summary.events)
                            .arg(summary.runs)
                            .arg(timeText(summary.first.wallMs), timeText(summary.last.wallMs)),
        CliText::tr("Grants: %1")
            .arg(grants.isEmpty() ? CliText::tr("none") : grants.join(QStringLiteral(", "))),
        CliText::tr(
            "Saves: %1, %2 failed. Restores: %3, %4 failed. Answered an error: %5. Invariants broken: %6")
            .arg(summary.saves)
            .arg(summary.saveFailures)
            .arg(summary.restores)
            .arg(summary.restoreFailures)
            .arg(summary.refusals)
            .arg(summary.breaches) };
    lines << (summary.otherwise == 0
            ? CliText::tr("Every event was decided as it was then.")
            : CliText::tr(
                "%1 events were decided otherwise than then, the first is number %2. This program is "
                "kv-persist %3; another one may decide otherwise.")
                  .arg(summary.otherwise)
                  .arg(summary.firstOtherwise)
                  .arg(QStringLiteral(KV_PERSIST_VERSION)));
    return lines;
}

} // namespace kv
