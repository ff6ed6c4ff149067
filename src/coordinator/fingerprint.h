// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QString>

#include <memory>

namespace kv {

struct JournalAccess;

/// The runtime a KV state was computed under: named fields, their sha256, and the capacity of a slot.
/// Immutable and shared: ten thousand snapshots of one runtime hold one Fingerprint.
class Fingerprint final {
public:
    /// `compared`: the fields that decide, any order; `shown`: stored and shown only; `slotContext`: tokens a
    /// slot holds, compared as capacity (0: not known).
    Fingerprint(FieldList compared, FieldList shown, qint64 slotContext);

    [[nodiscard]] const QString &hash() const { return m_hash; } ///< sha256 over the compared fields, hex
    [[nodiscard]] const FieldList &compared() const { return m_compared; } ///< sorted by name
    [[nodiscard]] const FieldList &shown() const { return m_shown; }
    [[nodiscard]] qint64 slotContext() const { return m_slotContext; }
    [[nodiscard]] QString value(QStringView field) const; ///< empty: not known

private:
    friend struct JournalAccess;
    FieldList m_compared;
    FieldList m_shown;
    qint64 m_slotContext;
    QString m_hash;
};
using FingerprintPtr = std::shared_ptr<const Fingerprint>;

/// What differs between a snapshot's runtime and the running one.
struct Mismatch {
    QString reason; ///< MODEL_CHANGED, BUILD_CHANGED, LORA_CHANGED, …
    QString field; ///< the field's name
    QString was;
    QString is;
};

/// The first difference that matters, in order of weight; nullopt: compatible. A field unknown on either side
/// does not count. `tokens`: what the snapshot holds, which must fit the running slot's context.
std::optional<Mismatch> compareFingerprints(
    const Fingerprint &saved, const Fingerprint &running, qint64 tokens);

// Names of the compared fields. A change of any but these is no reason of its own.
namespace field {
inline constexpr QStringView backend = u"backend";
inline constexpr QStringView build = u"build";
inline constexpr QStringView modelPath = u"modelPath";
inline constexpr QStringView nParams = u"nParams";
inline constexpr QStringView modelSize = u"modelSize";
inline constexpr QStringView nVocab = u"nVocab";
inline constexpr QStringView nEmbd = u"nEmbd";
inline constexpr QStringView nCtxTrain = u"nCtxTrain";
inline constexpr QStringView lora = u"lora";
inline constexpr QStringView runtimeKey = u"runtimeKey";
inline constexpr QStringView schema = u"schema";
inline constexpr QStringView fileSize = u"fileSize";
inline constexpr QStringView fileMtime = u"fileMtime";
inline constexpr QStringView fileSample = u"fileSample";
inline constexpr QStringView typeK = u"typeK";
inline constexpr QStringView typeV = u"typeV";
inline constexpr QStringView flashAttention = u"flashAttention";
inline constexpr QStringView rope = u"rope";
inline constexpr QStringView draftModel = u"draftModel";
inline constexpr QStringView swaFull = u"swaFull";
inline constexpr QStringView kvUnified = u"kvUnified";
inline constexpr QStringView streams = u"streams";
// shown only
inline constexpr QStringView alias = u"alias";
inline constexpr QStringView chatTemplate = u"chatTemplate";
inline constexpr QStringView slotSavePath = u"slotSavePath";
} // namespace field

} // namespace kv
