// SPDX-License-Identifier: MIT
#include "humantime.h"
#include "sampledaemon.h"

#include <QCryptographicHash>
#include <QJsonArray>

#include <algorithm>
#include <array>
#include <vector>

namespace kv {

namespace {

constexpr qint64 c_minute = 60'000;

struct Sample {
    const char *label;
    const char *hash; ///< its beginning, where other answers name it
};

constexpr std::array<Sample, 40> c_sessions { {
    { "Fix the build", "3fa41c" },
    { "Release notes", "81c0de" },
    { "Review of the parser", "b52e07" },
    { "Holiday plans", "c0ffee" },
    { "Flaky test in CI", "" },
    { "Port to Qt 6.8", "" },
    { "SQL: slow query", "" },
    { "Thesis, chapter 3", "" },
    { "Refactor the router", "" },
    { "Docker image too large", "" },
    { "Explain the borrow checker", "" },
    { "Garden irrigation", "" },
    { "Unit tests for the scheduler", "" },
    { "Translate the manual", "" },
    { "Memory leak hunt", "" },
    { "Regex for log lines", "" },
    { "Cover letter", "" },
    { "Kernel module basics", "" },
    { "Benchmarks of the cache", "" },
    { "Sourdough schedule", "" },
    { "Accessibility audit", "" },
    { "Migrate to PostgreSQL", "" },
    { "Shader for water", "" },
    { "Interview questions", "" },
    { "Weekly report", "" },
    { "Code golf", "" },
    { "Backup strategy", "" },
    { "Typing of the API", "" },
    { "Bike route planner", "" },
    { "Reverse proxy rules", "" },
    { "Summary of RFC 9110", "" },
    { "Chess engine ideas", "" },
    { "Dependency update", "" },
    { "Poem about latency", "" },
    { "Cross compile for ARM", "" },
    { "Game of life in CSS", "" },
    { "Terraform modules", "" },
    { "Localisation bugs", "" },
    { "Home automation", "" },
    { "Notes on attention", "" },
} };

QString hashOf(const Sample &sample)
{
    const QString begin = QString::fromLatin1(sample.hash);
    return begin
        + QString::fromLatin1(QCryptographicHash::hash(sample.label, QCryptographicHash::Sha256).toHex())
              .mid(begin.size());
}

QJsonObject rowAt(std::size_t index, qint64 nowMs)
{
    const Sample &sample = c_sessions.at(index);
    const auto i = static_cast<qint64>(index);
    const bool laptop = index % 4 == 3;
    const qint64 tokens = 1800 + (i * 7919 + 48'712) % (laptop ? 30'000 : 120'000);
    const qint64 updated = nowMs - c_minute * (2 + i * i * 7);
    const QString hash = hashOf(sample);
    QJsonObject row { { QStringLiteral("session"), hash.left(6) }, { QStringLiteral("hash"), hash },
        { QStringLiteral("label"), QString::fromLatin1(sample.label) },
        { QStringLiteral("provider"), laptop ? QStringLiteral("local-gemma") : QStringLiteral("local-qwen") },
        { QStringLiteral("model"),
            laptop ? QStringLiteral("gemma-3-12b") : QStringLiteral("qwen3-coder-30b") },
        { QStringLiteral("server"), laptop ? QStringLiteral("laptop") : QStringLiteral("workstation") },
        { QStringLiteral("state"), QStringLiteral("valid") }, { QStringLiteral("tokens"), tokens },
        { QStringLiteral("bytes"), tokens * 26'532 },
        { QStringLiteral("createdAt"), isoUtc(updated - c_minute * (35 + i * 50)) },
        { QStringLiteral("updatedAt"), isoUtc(updated) },
        { QStringLiteral("verdict"), QStringLiteral("verified") }, { QStringLiteral("pinned"), i % 11 == 0 },
        { QStringLiteral("subagent"), i % 13 == 6 } };
    if (i % 3 != 1) {
        row.insert(QStringLiteral("lastRestoreAt"), isoUtc(updated - c_minute));
    } else {
        row.insert(QStringLiteral("verdict"), QStringLiteral("unknown"));
    }
    if (index < 4) {
        row.insert(QStringLiteral("slot"), laptop ? 0 : i);
    }
    if (i % 9 == 8) {
        row.insert(QStringLiteral("state"), QStringLiteral("hidden"));
        row.insert(QStringLiteral("reason"), QStringLiteral("MODEL_CHANGED"));
    } else if (i == 14) {
        row.insert(QStringLiteral("state"), QStringLiteral("suspect"));
        row.insert(QStringLiteral("reason"), QStringLiteral("UNCLEAN_STOP"));
        row.insert(QStringLiteral("verdict"), QStringLiteral("partial"));
    } else if (i == 20) {
        row.insert(QStringLiteral("state"), QStringLiteral("invalid"));
        row.insert(QStringLiteral("reason"), QStringLiteral("FILE_MISSING"));
        row.insert(QStringLiteral("verdict"), QStringLiteral("none"));
    }
    return row;
}

bool matches(const QJsonObject &row, const QString &filter)
{
    for (const char *key : { "label", "hash", "provider", "model", "server" }) {
        if (row.value(QLatin1String(key)).toString().contains(filter, Qt::CaseInsensitive)) {
            return true;
        }
    }
    return filter == QStringLiteral("state:") + row.value(QStringLiteral("state")).toString()
        || filter == QStringLiteral("server:") + row.value(QStringLiteral("server")).toString();
}

bool isLess(const QJsonValue &left, const QJsonValue &right)
{
    return left.isString() ? left.toString().localeAwareCompare(right.toString()) < 0
                           : left.toDouble() < right.toDouble();
}

QJsonObject interval(const char *kind, qint64 from, qint64 to, std::size_t session, qint64 tokens = 0)
{
    QJsonObject out { { QStringLiteral("kind"), QString::fromLatin1(kind) },
        { QStringLiteral("from"), isoUtc(from) },
        { QStringLiteral("session"), hashOf(c_sessions.at(session)).left(6) },
        { QStringLiteral("label"), QString::fromLatin1(c_sessions.at(session).label) } };
    if (to > 0) {
        out.insert(QStringLiteral("to"), isoUtc(to));
    }
    if (tokens > 0) {
        out.insert(QStringLiteral("tokens"), tokens);
        out.insert(QStringLiteral("bytes"), tokens * 26'532);
    }
    return out;
}

/// A session has the slot for some minutes: it is restored, answers a few times, is saved.
void addTurn(QJsonArray &list, std::size_t session, qint64 from, qint64 to, bool last)
{
    const auto seed = static_cast<qint64>(session);
    const qint64 tokens = 9000 + seed * 5300;
    list.append(interval("owner", from, last ? 0 : to, session));
    list.append(interval("restore", from, from + 4000, session, tokens));
    qint64 at = from + 6000;
    for (qint64 i = 0; at + 40'000 < to; ++i) {
        const qint64 length = 14'000 + (seed * 7 + i * 13) % 5 * 9000;
        list.append(interval("inference", at, std::min(at + length, to - 8000), session, tokens + i * 700));
        at += length + 18'000 + (seed + i) % 4 * 11'000;
    }
    if (to - from < c_minute) {
        list.append(interval("inference", from + 5000, to - 6000, session, tokens));
    }
    if (last) {
        list.append(interval("inference", to - 12'000, 0, session, tokens));
    } else if (session == 6) {
        QJsonObject failure = interval("failure", to - 5000, to - 5000, session);
        failure.insert(QStringLiteral("code"), QStringLiteral("KV_SAVE_FAILED"));
        list.append(failure);
    } else {
        list.append(interval("save", to - 5000, to - 500, session, tokens + 2100));
    }
}

QJsonObject slotLane(int id, const std::vector<std::size_t> &sessions, qint64 nowMs)
{
    QJsonArray list;
    qint64 from = nowMs - 60 * c_minute;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        const bool last = i + 1 == sessions.size();
        const auto weight = static_cast<qint64>((sessions[i] * 5 + i * 3) % 7);
        // Two that take turns at once drive each other out: thrashing.
        const bool back = i >= 2 && sessions[i - 2] == sessions[i] && i + 2 < sessions.size()
            && sessions[i + 2] == sessions[i];
        const qint64 stay = back ? 35'000 : (4 + weight) * c_minute;
        const qint64 to = last ? nowMs : std::min(nowMs - c_minute, from + stay);
        addTurn(list, sessions[i], from, to, last);
        from = to + 1500;
    }
    return { { QStringLiteral("id"), id }, { QStringLiteral("intervals"), list } };
}

} // namespace

QJsonObject sampleList(const QJsonObject &params, qint64 nowMs)
{
    const QString filter = params.value(QStringLiteral("filter")).toString();
    const QString sort = params.value(QStringLiteral("sort")).toString(QStringLiteral("updatedAt"));
    const bool desc = params.value(QStringLiteral("desc")).toBool(!params.contains(QStringLiteral("sort")));
    std::vector<QJsonObject> rows;
    for (std::size_t i = 0; i < c_sessions.size(); ++i) {
        QJsonObject row = rowAt(i, nowMs);
        if (filter.isEmpty() || matches(row, filter)) {
            rows.push_back(std::move(row));
        }
    }
    std::stable_sort(
        rows.begin(), rows.end(), [&sort, desc](const QJsonObject &left, const QJsonObject &right) {
            return desc ? isLess(right.value(sort), left.value(sort))
                        : isLess(left.value(sort), right.value(sort));
        });
    QJsonArray page;
    const auto offset = static_cast<std::size_t>(params.value(QStringLiteral("offset")).toInteger());
    const auto limit = static_cast<std::size_t>(params.value(QStringLiteral("limit")).toInteger(100));
    for (std::size_t i = offset; i < std::min(rows.size(), offset + limit); ++i) {
        page.append(rows[i]);
    }
    return { { QStringLiteral("rows"), page },
        { QStringLiteral("total"), static_cast<qint64>(rows.size()) } };
}

QJsonObject sampleHistory(const QJsonObject &params, qint64 nowMs)
{
    const QString server = params.value(QStringLiteral("server")).toString();
    const bool laptop = server == QStringLiteral("laptop");
    QJsonArray buckets;
    for (qint64 i = 0; i < 60; ++i) {
        if ((i * 7) % 5 == 3 || (laptop && i % 3 != 0)) {
            continue; // nothing happened
        }
        const qint64 requests = 1 + (i * 11) % 4;
        buckets.append(QJsonObject { { QStringLiteral("at"), isoUtc(nowMs - (60 - i) * c_minute) },
            { QStringLiteral("requests"), requests }, { QStringLiteral("residents"), requests - 1 },
            { QStringLiteral("restores"), i % 3 == 0 ? 1 : 0 }, { QStringLiteral("saves"), (i + 1) % 2 },
            { QStringLiteral("coldStarts"), i % 17 == 4 ? 1 : 0 },
            { QStringLiteral("failures"), i == 41 ? 1 : 0 },
            { QStringLiteral("promptTokens"), 12'000 + (i * 977) % 9000 },
            { QStringLiteral("cachedTokens"), 11'200 + (i * 911) % 8000 },
            { QStringLiteral("completionTokens"), 200 + (i * 131) % 700 },
            { QStringLiteral("timeSavedMs"), laptop ? 9000 : 60'000 + (i * 7451) % 90'000 },
            { QStringLiteral("bytesSaved"), 900'000'000 + (i % 7) * 120'000'000 },
            { QStringLiteral("bytesRestored"), 800'000'000 + (i % 5) * 150'000'000 } });
    }
    QJsonArray lanes;
    if (laptop) {
        lanes.append(slotLane(0, { 11, 19, 3 }, nowMs));
    } else {
        lanes.append(slotLane(0, { 4, 6, 5, 0, 8, 9, 0 }, nowMs));
        lanes.append(slotLane(1, { 7, 12, 1 }, nowMs));
        lanes.append(slotLane(2, { 14, 2, 10, 18, 10, 18, 10, 18, 10, 18, 10, 21, 2 }, nowMs));
    }
    return { { QStringLiteral("server"), server },
        { QStringLiteral("from"), params.value(QStringLiteral("from")) },
        { QStringLiteral("to"), params.value(QStringLiteral("to")) },
        { QStringLiteral("bucketMs"), c_minute }, { QStringLiteral("buckets"), buckets },
        { QStringLiteral("slots"), lanes } };
}

QList<QJsonObject> sampleEvents(qint64 nowMs)
{
    struct Sample {
        const char *name;
        qint64 agoMs;
        const char *label;
        qint64 tokens; ///< 0: not told
        double ms;
        const char *reason;
    };
    static constexpr auto c_samples = std::to_array<Sample>({
        { "kv.session.switch", 96'400, "Fix the build", 0, 0, "" },
        { "kv.session.restore.start", 96'300, "Fix the build", 48'712, 0, "" },
        { "kv.session.restore.success", 96'120, "Fix the build", 48'712, 181, "" },
        { "kv.reuse.verified", 93'000, "Fix the build", 48'640, 0, "" },
        { "kv.slot.release", 61'000, "Fix the build", 0, 0, "" },
        { "kv.slot.acquire", 42'500, "Release notes", 0, 0, "resident" },
        { "kv.session.save.start", 12'900, "Release notes", 51'230, 0, "" },
        { "kv.session.save.success", 12'600, "Release notes", 51'230, 288, "" },
        { "kv.snapshot.saved", 12'590, "Release notes", 51'230, 0, "" },
    });
    QList<QJsonObject> events;
    for (const Sample &sample : c_samples) {
        QJsonObject event { { QStringLiteral("at"), isoUtc(nowMs - sample.agoMs) },
            { QStringLiteral("name"), QLatin1String(sample.name) },
            { QStringLiteral("server"), QStringLiteral("workstation") },
            { QStringLiteral("label"), QLatin1String(sample.label) },
            { QStringLiteral("reason"), QLatin1String(sample.reason) } };
        if (sample.tokens > 0) {
            event.insert(QStringLiteral("tokens"), sample.tokens);
        }
        if (sample.ms > 0) {
            event.insert(QStringLiteral("ms"), sample.ms);
        }
        events.append(event);
    }
    const auto progress = [&events, nowMs](const char *what, const char *label, int permille, qint64 bytes) {
        events.append({ { QStringLiteral("at"), isoUtc(nowMs - 200) },
            { QStringLiteral("name"), QStringLiteral("kv.operation.progress") },
            { QStringLiteral("server"), QStringLiteral("workstation") },
            { QStringLiteral("label"), QLatin1String(label) },
            { QStringLiteral("what"), QLatin1String(what) }, { QStringLiteral("permille"), permille },
            { QStringLiteral("bytes"), bytes }, { QStringLiteral("ms"), 1400 } });
    };
    progress("check", "Review of the parser", 620, 3'540'000'000);
    events.last().insert(QStringLiteral("slot"), 2);
    progress("checksum", "Release notes", 380, 2'560'000'000);
    return events;
}

} // namespace kv
