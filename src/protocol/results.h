// SPDX-License-Identifier: MIT
#pragma once

#include "methods.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <optional>

namespace kv {

// Answers of the request path and of the manual methods as plain values, parallel to the coordinator's
// structs. A field that is empty, −1 or nullopt is left out of the object.

struct HelloResult {
    QString name;
    QString version;
    QStringList features;
    QStringList providers;
};

struct TransportResult {
    int idSlot = 0;
    bool cachePrompt = true;
};

struct BeginResult {
    bool managed = false;
    QString outcome;
    quint64 lease = 0; ///< 0: none
    QString server;
    int slot = -1;
    std::optional<TransportResult> transport;
    qint64 tokens = -1;
    qint64 bytes = -1;
    double waitMs = 0;
    double saveMs = -1;
    double restoreMs = -1;
    QString reason;
};

struct ReuseResult {
    QString verdict; ///< verified, partial, none, unknown
    qint64 expected = 0;
    qint64 actual = 0;
    QString cause;
};

struct EndResult {
    bool dirty = false;
    quint64 revision = 0;
    std::optional<ReuseResult> reuse;
};

struct ManualResult {
    quint64 revision = 0;
    int slot = -1;
    qint64 tokens = -1;
    qint64 bytes = -1;
    double ms = -1;
    int count = 0;
    bool fileRemains = false;
    QString skipped;
};

QJsonObject encodeHello(const HelloResult &result);
QJsonObject encodeBegin(const BeginResult &result);
QJsonObject encodeEnd(const EndResult &result);
/// `method`: Save, Restore, Invalidate, Purge, Pin, Erase or Flush; each takes the fields that are its own.
QJsonObject encodeManual(ApiMethod method, const ManualResult &result);

} // namespace kv
