// SPDX-License-Identifier: MIT
#include "runtimefingerprint.h"

#include "snapshot.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kv {

namespace {

/// What a server may tell that decides. The caller's own (runtimeKey, schema, file…) are added here, not
/// taken from it.
constexpr std::array<QStringView, 17> c_serverFields { field::backend, field::build, field::modelPath,
    field::nParams, field::modelSize, field::nVocab, field::nEmbd, field::nCtxTrain, field::lora,
    field::typeK, field::typeV, field::flashAttention, field::rope, field::draftModel, field::swaFull,
    field::kvUnified, field::streams };

constexpr std::array<QStringView, 5> c_ownFields { field::runtimeKey, field::schema, field::fileSize,
    field::fileMtime, field::fileSample };

/// Clocks of file systems and of processes differ by less than this.
constexpr qint64 c_clockSlackMs = 2000;

template <std::size_t N> bool isOneOf(const std::array<QStringView, N> &names, const QString &name)
{
    return std::any_of(names.begin(), names.end(), [&](QStringView each) { return each == name; });
}

/// Random per process: in a fingerprint it would hide every snapshot at each restart.
bool isMediaMarker(const QString &name)
{
    return name == QLatin1String("media_marker") || name == QLatin1String("mediaMarker");
}

} // namespace

RuntimeFingerprint::RuntimeFingerprint(QString runtimeKey, bool modelFileExpected)
    : m_runtimeKey(std::move(runtimeKey))
    , m_fileExpected(modelFileExpected)
{
}

void RuntimeFingerprint::setRuntimeKey(const QString &runtimeKey)
{
    m_runtimeKey = runtimeKey;
    form();
}

void RuntimeFingerprint::setModelFileExpected(bool expected)
{
    m_fileExpected = expected;
    form();
}

void RuntimeFingerprint::assumeModelFile(const QString &boot, const ModelFileFacts &facts)
{
    m_assumedBoot = boot;
    m_assumedFile = facts;
}

void RuntimeFingerprint::startBoot(const QString &boot, qint64 wallMs)
{
    m_boot = boot;
    m_bootSeenWallMs = wallMs;
    m_processStartWallMs = 0;
    m_complete = false;
    m_compared.clear();
    m_shown.clear();
    m_slotContext = 0;
    m_fileAnswered = false;
    m_fileChanged = false;
    m_file.reset();
    m_firstFile.reset();
    if (boot == m_assumedBoot) {
        m_firstFile = m_assumedFile;
    }
}

void RuntimeFingerprint::serverSeen(const ServerSeen &seen, qint64 wallMs)
{
    m_bootKnown = !seen.boot.isEmpty();
    if (!m_bootKnown) {
        form();
        return;
    }
    if (seen.boot != m_boot) {
        startBoot(seen.boot, wallMs);
    }
    const QString formerPath = modelPath();
    merge(seen);
    if (!formerPath.isEmpty() && formerPath != modelPath()) {
        m_fileAnswered = false;
        m_file.reset();
        m_firstFile.reset();
    }
    judgeModelFile(wallMs);
    form();
}

void RuntimeFingerprint::merge(const ServerSeen &seen)
{
    m_complete = m_complete || seen.complete;
    m_slotContext = seen.slotContext > 0 ? seen.slotContext : m_slotContext;
    m_processStartWallMs = seen.processStartWallMs > 0 ? seen.processStartWallMs : m_processStartWallMs;
    const auto take = [&](const FieldList &fields, bool compared) {
        for (const auto &[name, value] : fields) {
            if (value.isEmpty() || isMediaMarker(name) || isOneOf(c_ownFields, name)) {
                continue;
            }
            (compared && isOneOf(c_serverFields, name) ? m_compared : m_shown).insert_or_assign(name, value);
        }
    };
    take(seen.compared, true);
    take(seen.shown, false);
}

void RuntimeFingerprint::modelFileSeen(const QString &path, const ModelFileFacts &facts, qint64 wallMs)
{
    if (m_boot.isEmpty() || path != modelPath()) {
        return;
    }
    m_fileAnswered = true;
    if (facts.readable) {
        if (!m_firstFile) {
            m_firstFile = facts;
        }
        m_file = facts;
        judgeModelFile(wallMs);
    }
    form();
}

void RuntimeFingerprint::judgeModelFile(qint64 wallMs)
{
    if (!m_file || m_fileChanged) {
        return;
    }
    const qint64 loadedMs = m_processStartWallMs > 0 ? m_processStartWallMs : m_bootSeenWallMs;
    // A time in the future is a wrong clock, no evidence: with it the file would count as changed for ever.
    const bool future = m_file->mtimeMs > wallMs + c_clockSlackMs;
    const bool later = m_file->mtimeMs > loadedMs + c_clockSlackMs && !future;
    m_fileChanged = later || (m_firstFile && *m_firstFile != *m_file);
}

QString RuntimeFingerprint::modelPath() const
{
    const auto found = m_compared.find(field::modelPath.toString());
    return found == m_compared.end() ? QString() : found->second;
}

void RuntimeFingerprint::form()
{
    if (!unknownReason().isEmpty()) {
        m_fingerprint.reset();
        return;
    }
    FieldList compared(m_compared.begin(), m_compared.end());
    compared.emplace_back(field::runtimeKey.toString(), m_runtimeKey);
    compared.emplace_back(field::schema.toString(), QString::number(c_manifestSchema));
    if (m_fileExpected && m_file) {
        const FieldList file = m_file->fields();
        compared.insert(compared.end(), file.begin(), file.end());
    }
    auto formed = std::make_shared<const Fingerprint>(
        std::move(compared), FieldList(m_shown.begin(), m_shown.end()), m_slotContext);
    const bool same = m_fingerprint != nullptr && m_fingerprint->hash() == formed->hash()
        && m_fingerprint->shown() == formed->shown() && m_fingerprint->slotContext() == formed->slotContext();
    if (!same) {
        m_fingerprint = std::move(formed);
    }
}

Identity RuntimeFingerprint::identity() const
{
    return Identity { m_bootKnown ? m_boot : QString(), m_fingerprint };
}

QString RuntimeFingerprint::unknownReason() const
{
    if (!m_bootKnown) {
        return QStringLiteral(
            "It is not known which server process answers, so nothing is saved or restored yet.");
    }
    if (m_fileExpected && m_fileChanged) {
        return QStringLiteral(
            "The model file %1 changed after the server had loaded it, so nothing is saved or restored "
            "until the server is started anew.")
            .arg(modelPath());
    }
    if (!m_complete) {
        return QStringLiteral(
            "The server has not yet told everything about its model, so nothing is saved or restored "
            "yet.");
    }
    if (m_fileExpected && !m_fileAnswered && !modelPath().isEmpty()) {
        return QStringLiteral(
            "The model file %1 is still being looked at, so nothing is saved or restored yet.")
            .arg(modelPath());
    }
    return {};
}

} // namespace kv
