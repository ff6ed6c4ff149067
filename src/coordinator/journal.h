// SPDX-License-Identifier: MIT
#pragma once

#include "coordinator.h"
#include "journalbytes.h"

#include <QByteArray>

#include <memory>
#include <variant>

namespace kv {

// A journal is what happened to one coordinator, so that the same decisions can be made again elsewhere
// (`kv-persist replay`). It begins with the coordinator's complete state; then comes every event with its
// time and a digest of what the coordinator made of it. A file may hold several runs, each with a state of
// its own.
//
// On disk: a header (a line of text, the format's number, the program and server, the schema of the field
// lists), then records: length (4 bytes, little-endian), checksum (4), payload. Texts are made fit for
// strangers' eyes before they are written, see journalprivacy.h. Prompts are in no event.

/// The largest record that is believed; a state of a million snapshots is smaller.
inline constexpr qsizetype c_largestJournalRecord = qsizetype { 512 } * 1024 * 1024;

/// A number for the lists of journalfields.h: another list, another number. Journals of programs with another
/// number cannot be replayed.
quint64 journalSchema();

/// What the effects decide, without their texts: equal for equal decisions on a redacted journal.
quint32 digestOf(const Effects &effects);
/// All that is in them, for comparison in this process.
QByteArray bytesOf(const Effects &effects);

/// Makes the bytes of one journal, in memory. Not thread-safe.
class JournalEncoder final {
public:
    enum class Texts { Redacted, Exact };

    JournalEncoder(const QString &program, const QString &server, Texts texts = Texts::Redacted);
    Q_DISABLE_COPY_MOVE(JournalEncoder)

    [[nodiscard]] const QByteArray &header() const { return m_header; } ///< begins every file
    /// Begins a run, or goes on in another file: what follows needs nothing that was written before.
    [[nodiscard]] QByteArray start(const Coordinator &coordinator, Instant now);
    /// `effects`: what handle() gave for it.
    [[nodiscard]] QByteArray event(const Event &event, Instant now, const Effects &effects);

private:
    [[nodiscard]] QByteArray record();
    void putTime(Instant now);

    TextRedactor m_redactor;
    JournalBytes m_bytes;
    QByteArray m_header;
    Instant m_last;
};

struct JournalHead {
    QString program; ///< version of the one that wrote it
    QString server; ///< its name in the configuration
};
struct JournalStart {
    std::unique_ptr<Coordinator> coordinator; ///< never null
    Instant at;
};
struct JournalEvent {
    Event event;
    Instant at;
    quint32 digest = 0; ///< of the effects then
};
using JournalEntry = std::variant<JournalStart, JournalEvent>;

/// Reads a journal from its begin. Nothing in the bytes is trusted.
class JournalReader final {
public:
    /// Errors (BadRequest): no journal, or one of another format, with what to do.
    static Result<JournalReader> open(const QByteArray &bytes);

    [[nodiscard]] const JournalHead &head() const { return m_head; }
    /// Nothing: the end. Then problem() says whether it is the true one.
    [[nodiscard]] std::optional<JournalEntry> next();
    /// A sentence, when the journal ends in damage; what came before it is good.
    [[nodiscard]] const QString &problem() const { return m_problem; }

    /// How much of a file is whole: to go on writing there. −1: it is not one that begins with `header`.
    static qsizetype soundLength(QByteArrayView bytes, QByteArrayView header);

private:
    JournalReader() = default;
    [[nodiscard]] std::optional<JournalEntry> parse(QByteArrayView payload);
    void damaged(const QString &how);
    [[nodiscard]] Instant readTime();

    QByteArray m_bytes;
    qsizetype m_at = 0;
    JournalHead m_head;
    JournalParser m_parser;
    Instant m_last;
    bool m_started = false;
    QString m_problem;
};

} // namespace kv
