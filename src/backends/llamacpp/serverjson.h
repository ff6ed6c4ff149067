// SPDX-License-Identifier: MIT
#pragma once

#include "operation.h"
#include "result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace kv {

// The JSON of llama-server's answers, as values. Pure. Builds differ: a field that is missing is "not told";
// one of a wrong type or an impossible value makes the answer an error (ErrorCode::BackendUnavailable), as
// nothing in it can be trusted then.

struct PropsAnswer {
    bool router = false; ///< a router's own properties: none of a model
    int modelsMax = 0; ///< router: `max_instances`; 0: not told, or without a limit
    int totalSlots = 0; ///< 0: not told
    qint64 slotContext = 0; ///< 0: not told
    QString build;
    QString modelPath;
    QString alias;
    QString mediaMarker; ///< empty: the build has none
    QString chatTemplateHash; ///< empty: not told
    bool sleeping = false;
    std::optional<bool> slotsEndpoint; ///< whether GET /slots is served, where the build tells
    std::optional<bool> multimodal; ///< it takes images or sound, where the build tells
};
Result<PropsAnswer> parseProps(const QByteArray &json);

/// One model of GET /v1/models, or of a router's GET /models.
struct ModelEntry {
    QString id;
    QStringList aliases;
    QString status; ///< router: "loaded", "unloaded", "loading", …; else empty
    bool failed = false; ///< router: its last process ended by itself, not because the router unloaded it
    QStringList args; ///< router: the child's command line
    std::optional<qint64> nParams;
    std::optional<qint64> size;
    std::optional<qint64> nVocab;
    std::optional<qint64> nEmbd;
    std::optional<qint64> nCtxTrain;

    [[nodiscard]] bool loaded() const { return status.isEmpty() || status == QStringView(u"loaded"); }
    [[nodiscard]] bool hasName(const QString &name) const { return id == name || aliases.contains(name); }
};
Result<std::vector<ModelEntry>> parseModels(const QByteArray &json);

/// GET /lora-adapters as one comparable text: "none", or "path=scale" by id, joined by "; ".
Result<QString> parseLora(const QByteArray &json);

Result<std::vector<SlotObservation>> parseSlots(const QByteArray &json);

struct ActionAnswer {
    int slot = -1;
    QString fileName; ///< Save, Restore
    qint64 tokens = -1; ///< n_saved, n_restored, n_erased
    qint64 bytes = -1; ///< n_written, n_read; Erase: -1
    double serverMs = -1; ///< -1: not told
};
/// The answer to POST /slots/ID?action=…; `kind` is Save, Restore or Erase.
Result<ActionAnswer> parseAction(OpKind kind, const QByteArray &json);

/// The server's own words in an error answer, shortened and without control characters; empty: none.
QString parseErrorText(const QByteArray &body);

} // namespace kv
