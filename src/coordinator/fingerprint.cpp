// SPDX-License-Identifier: MIT
#include "fingerprint.h"

#include <QCryptographicHash>

#include <algorithm>
#include <array>

namespace kv {

namespace {

struct Rule {
    QStringView field;
    QStringView reason;
};

// In order of weight: the first field that differs is the one a user is told.
constexpr std::array<Rule, 22> c_rules { {
    { field::runtimeKey, u"RUNTIME_KEY_CHANGED" },
    { field::schema, u"SCHEMA_CHANGED" },
    { field::backend, u"BUILD_CHANGED" },
    { field::modelPath, u"MODEL_CHANGED" },
    { field::nParams, u"MODEL_CHANGED" },
    { field::modelSize, u"MODEL_CHANGED" },
    { field::nVocab, u"MODEL_CHANGED" },
    { field::nEmbd, u"MODEL_CHANGED" },
    { field::nCtxTrain, u"MODEL_CHANGED" },
    { field::fileSize, u"MODEL_CHANGED" },
    { field::fileMtime, u"MODEL_CHANGED" },
    { field::fileSample, u"MODEL_CHANGED" },
    { field::build, u"BUILD_CHANGED" },
    { field::lora, u"LORA_CHANGED" },
    { field::typeK, u"KV_TYPE_CHANGED" },
    { field::typeV, u"KV_TYPE_CHANGED" },
    { field::flashAttention, u"KV_TYPE_CHANGED" },
    { field::rope, u"KV_TYPE_CHANGED" },
    { field::swaFull, u"KV_TYPE_CHANGED" },
    { field::draftModel, u"MODEL_CHANGED" },
    { field::kvUnified, u"SLOTS_CHANGED" },
    { field::streams, u"SLOTS_CHANGED" },
} };

void appendLengthPrefixed(QByteArray &to, const QString &text)
{
    const QByteArray utf8 = text.toUtf8();
    to += QByteArray::number(utf8.size());
    to += ':';
    to += utf8;
}

QString lookUp(const FieldList &fields, QStringView name)
{
    for (const auto &[key, value] : fields) {
        if (key == name) {
            return value;
        }
    }
    return {};
}

} // namespace

Fingerprint::Fingerprint(FieldList compared, FieldList shown, qint64 slotContext)
    : m_compared(std::move(compared))
    , m_shown(std::move(shown))
    , m_slotContext(slotContext)
{
    std::erase_if(m_compared, [](const auto &entry) { return entry.second.isEmpty(); });
    std::sort(m_compared.begin(), m_compared.end());
    QByteArray canonical;
    for (const auto &[key, value] : m_compared) {
        appendLengthPrefixed(canonical, key);
        appendLengthPrefixed(canonical, value);
    }
    m_hash = QString::fromLatin1(QCryptographicHash::hash(canonical, QCryptographicHash::Sha256).toHex());
}

QString Fingerprint::value(QStringView name) const
{
    const QString found = lookUp(m_compared, name);
    return found.isEmpty() ? lookUp(m_shown, name) : found;
}

std::optional<Mismatch> compareFingerprints(
    const Fingerprint &saved, const Fingerprint &running, qint64 tokens)
{
    if (saved.hash() != running.hash()) {
        for (const Rule &rule : c_rules) {
            const QString was = lookUp(saved.compared(), rule.field);
            const QString is = lookUp(running.compared(), rule.field);
            // A field that one side does not know says nothing.
            if (!was.isEmpty() && !is.isEmpty() && was != is) {
                return Mismatch { rule.reason.toString(), rule.field.toString(), was, is };
            }
        }
    }
    if (running.slotContext() > 0 && tokens > running.slotContext()) {
        return Mismatch { QStringLiteral("CONTEXT_TOO_SMALL"), QStringLiteral("slotContext"),
            QString::number(tokens), QString::number(running.slotContext()) };
    }
    return std::nullopt;
}

} // namespace kv
