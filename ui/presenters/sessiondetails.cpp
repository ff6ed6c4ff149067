// SPDX-License-Identifier: MIT
#include "sessiondetails.h"

#include "humantime.h"
#include "localetext.h"

#include <QJsonArray>

namespace kv {

SessionDetails::SessionDetails(Daemon &daemon, SessionRow row, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_row(std::move(row))
{
}

void SessionDetails::fetch(qint64 nowMs, qint64 spanMs)
{
    const QJsonObject session { { QStringLiteral("session"), m_row.hash } };
    m_daemon.call(
        QStringLiteral("kv.get"), session, this, [this](const CallResult &answer) { onSession(answer); });
    QJsonObject span = session;
    span.insert(QStringLiteral("from"), isoUtc(nowMs - spanMs));
    span.insert(QStringLiteral("to"), isoUtc(nowMs));
    span.insert(QStringLiteral("bucketMs"), spanMs / 48);
    m_daemon.call(
        QStringLiteral("kv.history"), span, this, [this](const CallResult &answer) { onHistory(answer); });
}

void SessionDetails::onSession(const CallResult &answer)
{
    m_groups.clear();
    m_problem.clear();
    if (answer.ok()) {
        addSession(answer.result);
        const QJsonArray manifests = answer.result.value(u"manifests").toArray();
        for (const QJsonValue &manifest : manifests) {
            addManifest(manifest.toObject());
        }
    } else {
        m_problem = answer.error.error.message;
    }
    Q_EMIT changed();
}

QString SessionDetails::asText() const
{
    QString text;
    for (const Group &group : m_groups) {
        text += group.title + u'\n';
        for (const Line &line : group.lines) {
            text += line.name + u'\t' + line.value + u'\n';
        }
    }
    return text;
}

void SessionDetails::addSession(const QJsonObject &session)
{
    Group group { tr("Session"),
        { { tr("Name"), session.value(u"label").toString() },
            { tr("Hash of its id"), session.value(u"hash").toString() },
            { tr("State"), sessionStateText(session.value(u"state").toString()) } } };
    if (session.contains(u"slot")) {
        group.lines.append({ tr("Where it is"),
            tr("%1, slot %2")
                .arg(session.value(u"server").toString(), QString::number(session.value(u"slot").toInt())) });
    }
    m_groups << group;
}

void SessionDetails::addManifest(const QJsonObject &manifest)
{
    const SessionRow row = SessionRow::fromJson(manifest);
    const auto time = [](qint64 ms) { return ms == 0 ? tr("never") : localeTime(ms); };
    Group snapshot { tr("Snapshot of %1 on %2").arg(row.model, row.server), {} };
    snapshot.lines = { { tr("State"), snapshotStateText(row.state) },
        { tr("Tokens"), localeCount(row.tokens) }, { tr("Size"), localeBytes(row.bytes) },
        { tr("First saved"), time(wallMsFromIso(manifest.value(u"createdAt").toString()).value_or(0)) },
        { tr("Saved"), time(row.updatedMs) }, { tr("Last restored"), time(row.lastRestoreMs) },
        { tr("Reuse"), reuseVerdictText(row.verdict) }, { tr("Pinned"), row.pinned ? tr("yes") : tr("no") } };
    if (!row.reason.isEmpty()) {
        snapshot.lines.insert(1, { tr("Why"), snapshotReasonText(row.reason) });
    }
    Group file { tr("File and compatibility"),
        { { tr("File"), manifest.value(u"snapshotFilename").toString() }, { tr("Provider"), row.provider },
            { tr("Compatibility"), manifest.value(u"persistenceCompatibility").toString() },
            { tr("Model fingerprint"), manifest.value(u"modelFingerprint").toString() },
            { tr("Runtime fingerprint"), manifest.value(u"runtimeFingerprint").toString() } } };
    Group runtime { tr("Runtime it was computed under"), {} };
    const QJsonObject fields = manifest.value(u"runtime").toObject();
    for (auto field = fields.begin(); field != fields.end(); ++field) {
        runtime.lines.append({ field.key(), field.value().toString() });
    }
    m_groups << snapshot << file << runtime;
}

void SessionDetails::onHistory(const CallResult &answer)
{
    m_requests.clear();
    m_bucketMs = answer.result.value(u"bucketMs").toDouble(1);
    const QJsonArray buckets = answer.result.value(u"buckets").toArray();
    for (const QJsonValue &bucket : buckets) {
        const qint64 at = wallMsFromIso(bucket.toObject().value(u"at").toString()).value_or(0);
        m_requests.append({ static_cast<double>(at), bucket.toObject().value(u"requests").toDouble() });
    }
    Q_EMIT changed();
}

} // namespace kv
