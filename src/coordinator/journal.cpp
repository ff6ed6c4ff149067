// SPDX-License-Identifier: MIT
#include "journal.h"

#include <QtEndian>

namespace kv {

namespace {

constexpr QByteArrayView c_magic = "kv-persist journal\n";
/// Of header and records. The content's own changes are told by the schema.
constexpr quint32 c_format = 1;
constexpr qsizetype c_prefixSize = 8; // length, checksum
constexpr qsizetype c_largestHead = 4096;
constexpr char c_startRecord = 'S';
constexpr char c_eventRecord = 'E';

QByteArray number32(quint32 value)
{
    QByteArray bytes(sizeof(value), Qt::Uninitialized);
    qToLittleEndian(value, bytes.data());
    return bytes;
}

QByteArray framed(const QByteArray &payload)
{
    return number32(static_cast<quint32>(payload.size())) + number32(journalChecksum(payload)) + payload;
}

/// The payload of the record at `at`; nothing: it is damaged or not there.
std::optional<QByteArrayView> recordAt(QByteArrayView bytes, qsizetype at)
{
    if (at < 0 || bytes.size() - at < c_prefixSize) {
        return {};
    }
    const auto length = static_cast<qsizetype>(qFromLittleEndian<quint32>(bytes.data() + at));
    const auto checksum = qFromLittleEndian<quint32>(bytes.data() + at + 4);
    if (length > c_largestJournalRecord || length > bytes.size() - at - c_prefixSize) {
        return {};
    }
    const QByteArrayView payload = bytes.sliced(at + c_prefixSize, length);
    return journalChecksum(payload) == checksum ? std::optional(payload) : std::nullopt;
}

Error unreadable(const QString &sentence) { return { ErrorCode::BadRequest, sentence, {} }; }

} // namespace

JournalEncoder::JournalEncoder(const QString &program, const QString &server, Texts texts)
    : m_bytes(texts == Texts::Redacted ? &m_redactor : nullptr)
{
    JournalBytes head(nullptr);
    head.count(journalSchema());
    head.put(program);
    head.put(m_redactor.shown(TextPrivacy::Name, server));
    m_header = c_magic.toByteArray() + number32(c_format) + framed(head.take());
}

QByteArray JournalEncoder::record() { return framed(m_bytes.take()); }

void JournalEncoder::putTime(Instant now)
{
    // Both clocks run alike but for a jump of the wall's.
    m_bytes.number(now.monoMs - m_last.monoMs);
    m_bytes.number((now.wallMs - m_last.wallMs) - (now.monoMs - m_last.monoMs));
    m_last = now;
}

QByteArray JournalEncoder::start(const Coordinator &coordinator, Instant now)
{
    m_bytes.forget();
    m_last = {};
    m_bytes.count(static_cast<quint64>(c_startRecord));
    putTime(now);
    m_bytes.put(coordinator);
    return record();
}

QByteArray JournalEncoder::event(const Event &event, Instant now, const Effects &effects)
{
    m_bytes.count(static_cast<quint64>(c_eventRecord));
    putTime(now);
    m_bytes.put(event);
    m_bytes.count(digestOf(effects));
    return record();
}

Result<JournalReader> JournalReader::open(const QByteArray &bytes)
{
    const QByteArrayView all(bytes);
    if (!all.startsWith(c_magic) || all.size() < c_magic.size() + 4) {
        return unreadable(QStringLiteral("This is no journal of kv-persist."));
    }
    const auto format = qFromLittleEndian<quint32>(all.data() + c_magic.size());
    if (format > c_format) {
        return unreadable(
            QStringLiteral("The journal was written by a newer kv-persist (its format is %1, this "
                           "program reads %2). Replay it with that version.")
                .arg(format)
                .arg(c_format));
    }
    JournalReader reader;
    reader.m_at = c_magic.size() + 4;
    const std::optional<QByteArrayView> head = recordAt(all, reader.m_at);
    if (format != c_format || !head || head->size() > c_largestHead) {
        return unreadable(
            QStringLiteral("The journal's header is damaged (at byte %1).").arg(c_magic.size()));
    }
    quint64 schema = 0;
    reader.m_parser.begin(*head);
    reader.m_parser.get(schema);
    reader.m_parser.get(reader.m_head.program);
    reader.m_parser.get(reader.m_head.server);
    if (reader.m_parser.failed()) {
        return unreadable(QStringLiteral("The journal's header is damaged (at byte %1).").arg(reader.m_at));
    }
    if (schema != journalSchema()) {
        return unreadable(QStringLiteral("The journal was written by kv-persist %1, whose events are not "
                                         "those of this program. Replay it with that version.")
                              .arg(reader.m_head.program));
    }
    reader.m_parser.forget();
    reader.m_at += c_prefixSize + head->size();
    reader.m_bytes = bytes;
    return reader;
}

std::optional<JournalEntry> JournalReader::next()
{
    if (!m_problem.isEmpty() || m_at >= m_bytes.size()) {
        return {};
    }
    const std::optional<QByteArrayView> payload = recordAt(m_bytes, m_at);
    if (!payload) {
        damaged(QStringLiteral("it is cut off or damaged"));
        return {};
    }
    std::optional<JournalEntry> entry = parse(*payload);
    if (!entry) {
        damaged(QStringLiteral("the record there makes no sense"));
        return {};
    }
    m_at += c_prefixSize + payload->size();
    return entry;
}

std::optional<JournalEntry> JournalReader::parse(QByteArrayView payload)
{
    m_parser.begin(payload);
    quint64 kind = 0;
    m_parser.get(kind);
    if (kind == static_cast<quint64>(c_startRecord)) {
        m_parser.forget();
        m_last = {};
        JournalStart start;
        start.at = readTime();
        start.coordinator = std::make_unique<Coordinator>(Policy {}, InitialState {});
        m_parser.get(*start.coordinator);
        m_started = true;
        return m_parser.failed() || !m_parser.atEnd() ? std::nullopt
                                                      : std::optional<JournalEntry>(std::move(start));
    }
    if (kind != static_cast<quint64>(c_eventRecord) || !m_started) {
        return {};
    }
    JournalEvent event;
    event.at = readTime();
    m_parser.get(event.event);
    m_parser.get(event.digest);
    return m_parser.failed() || !m_parser.atEnd() ? std::nullopt
                                                  : std::optional<JournalEntry>(std::move(event));
}

Instant JournalReader::readTime()
{
    qint64 mono = 0;
    qint64 drift = 0;
    m_parser.get(mono);
    m_parser.get(drift);
    // As unsigned: what a damaged record makes of it is of no interest, but must not be undefined.
    const auto sum = [](qint64 a, qint64 b) {
        return static_cast<qint64>(static_cast<quint64>(a) + static_cast<quint64>(b));
    };
    m_last = { sum(m_last.monoMs, mono), sum(m_last.wallMs, sum(mono, drift)) };
    return m_last;
}

void JournalReader::damaged(const QString &how)
{
    m_problem = QStringLiteral("The journal ends at byte %1 of %2: %3. What came before is good.")
                    .arg(m_at)
                    .arg(m_bytes.size())
                    .arg(how);
}

qsizetype JournalReader::soundLength(QByteArrayView bytes, QByteArrayView header)
{
    if (!bytes.startsWith(header)) {
        return -1;
    }
    qsizetype at = header.size();
    while (const std::optional<QByteArrayView> payload = recordAt(bytes, at)) {
        at += c_prefixSize + payload->size();
    }
    return at;
}

} // namespace kv
