// SPDX-License-Identifier: MIT
#pragma once

#include "methods.h"
#include "result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <optional>

namespace kv {

// The parameters of each method as plain values. Absent: an empty string, −1, or nullopt, as each field says.

inline constexpr qsizetype c_maxSessionBytes = 4096;
inline constexpr qsizetype c_maxNameBytes = 1024; ///< provider, model, server, call, …
inline constexpr qsizetype c_maxLabelCharacters = 200; ///< longer labels are cut
inline constexpr qint64 c_maxCount = qint64 { 1 } << 53; ///< beyond it JSON numbers are not exact
inline constexpr qint64 c_maxRows = 1000; ///< kv.list, rows in one answer
inline constexpr qint64 c_maxBuckets = 10'000; ///< kv.history

struct HelloParams {
    QString client;
    QString version;
    int protocol = c_protocolVersion;
    bool pins = false;
};

struct BeginParams {
    QString call;
    QString session; ///< empty: an auxiliary request
    QString provider;
    QString model;
    QString purpose;
    QString origin;
    QString parent;
    QString base;
    QString fork;
    qint64 forkSeq = -1;
    QString label;
    qint64 seq = -1;
    qint64 timeoutMs = -1;
    bool running = false;
    bool lora = false;
};

struct UsageParams {
    qint64 promptTokens = -1;
    qint64 completionTokens = -1;
    qint64 cachedTokens = -1;
};
struct TimingsParams {
    double firstChunkMs = -1;
    double promptMs = -1;
    qint64 promptTokens = -1;
    double predictedMs = -1;
    qint64 predictedTokens = -1;
};
struct EndParams {
    quint64 lease = 0; ///< 0: named by `call`
    QString call; ///< empty: named by `lease`
    QString outcome; ///< ok, error, aborted
    std::optional<bool> more;
    UsageParams usage;
    TimingsParams timings;
};

struct SessionEventParams {
    QString session;
    QString type; ///< created, resumed, flush, disposed, turn-end, step-end, compacted
    QString provider;
    QString model;
    QString label;
    qint64 seq = -1;
};

struct ListParams {
    QString filter;
    QString sort = QStringLiteral("updatedAt");
    bool desc = true;
    int offset = 0;
    int limit = 100;
    QString kind; ///< "session" or "base"; empty: both
};

/// kv.get, kv.save, kv.restore, kv.purge; with its last fields kv.invalidate and kv.pin.
struct SessionParams {
    QString session;
    QString provider;
    QString model;
    QString server;
    QString reason; ///< kv.invalidate
    bool pinned = true; ///< kv.pin
};

struct EraseParams {
    QString server;
    int slot = 0;
    QString model; ///< router mode: whose slot
};

struct GcParams {
    bool dryRun = false;
};

/// kv.pause and kv.resume.
struct PauseParams {
    QString server; ///< empty: all
    qint64 forMs = -1; ///< kv.pause; −1: until resumed
};

struct DoctorParams {
    QString server;
    QString baseUrl;
    QString apiKey;
    bool verify = false;
    bool restart = false; ///< with verify: across a restart of the server, which the user makes
};

struct ConfigParams {
    QString action; ///< get, validate, set
    QString yaml;
    QString ifHash;
};

struct HistoryParams {
    QString session; ///< exactly one of session and server is given
    QString server;
    qint64 fromMs = 0; ///< since the epoch
    qint64 toMs = 0;
    qint64 bucketMs = 0; ///< 0: the daemon chooses
};

struct CancelParams {
    QJsonValue id;
};

struct SubscribeParams {
    std::optional<QStringList> topics; ///< nullopt: all events; empty: none
};

// Every error is BadRequest and names the field. Unknown fields are ignored.
Result<HelloParams> decodeHello(const QJsonObject &params);
Result<BeginParams> decodeBegin(const QJsonObject &params);
Result<EndParams> decodeEnd(const QJsonObject &params);
Result<SessionEventParams> decodeSessionEvent(const QJsonObject &params);
Result<ListParams> decodeList(const QJsonObject &params);
Result<SessionParams> decodeSession(const QJsonObject &params);
Result<EraseParams> decodeErase(const QJsonObject &params);
Result<GcParams> decodeGc(const QJsonObject &params);
Result<PauseParams> decodePause(const QJsonObject &params);
Result<DoctorParams> decodeDoctor(const QJsonObject &params);
Result<ConfigParams> decodeConfig(const QJsonObject &params);
Result<HistoryParams> decodeHistory(const QJsonObject &params);
Result<CancelParams> decodeCancel(const QJsonObject &params);
Result<SubscribeParams> decodeSubscribe(const QJsonObject &params);

/// Whether `params` would be taken by `method`; for tests and clients.
Result<Done> checkParams(ApiMethod method, const QJsonObject &params);

/// Names by which kv.list can sort, which are the fields of a row.
const QStringList &rowFields();

// A lease on the wire: "L" and its number, "L12". A number would not survive clients whose numbers are
// doubles.
QString leaseToText(quint64 lease);
std::optional<quint64> leaseFromText(QStringView text);

} // namespace kv
