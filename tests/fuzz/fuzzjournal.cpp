// SPDX-License-Identifier: MIT
// A journal as somebody attached it to an issue. The first byte of an input says what the rest is:
//   bit 0: patches (position, position, value) of a journal that is made here, so that the corpus does not
//   grow
//          old with the lists of fields; else records
//   bit 1: checksums are made right afterwards, so that the parser sees what was changed
#include "fuzztarget.h"
#include "journal.h"

#include <QtEndian>

using namespace kv;

namespace {

constexpr qsizetype c_prefix = 8;

const QByteArray &header()
{
    static const QByteArray c_header = JournalEncoder(QStringLiteral("1"), QStringLiteral("s")).header();
    return c_header;
}

QByteArray makeRecords()
{
    Coordinator coordinator(Policy {}, {});
    JournalEncoder encoder(QStringLiteral("1"), QStringLiteral("s"));
    Instant now { 1000, 1'700'000'000'000 };
    QByteArray bytes = encoder.start(coordinator, now);
    Effects effects;
    const auto handle = [&](const Event &event) {
        now.monoMs += 10;
        effects = coordinator.handle(event, now);
        bytes += encoder.event(event, now, effects);
    };
    const Identity identity { QStringLiteral("boot"),
        std::make_shared<Fingerprint>(
            FieldList { { QStringLiteral("build"), QStringLiteral("b1") } }, FieldList {}, 4096) };
    handle(ServerObserved { identity, false, 1 });
    BeginRequest begin;
    begin.request = 1;
    begin.session = QStringLiteral("A");
    handle(begin);
    for (const Effect &effect : Effects(effects)) {
        if (const auto *start = std::get_if<StartOp>(&effect)) {
            OpReply reply;
            reply.id = start->op.id;
            reply.kind = start->op.kind;
            reply.identity = identity;
            reply.slotsListed = true;
            reply.slotList = { SlotObservation { 0, false, 4096, 12, 0, 3 } };
            handle(OpFinished { reply });
        }
    }
    handle(RemoveRows { { { QStringLiteral("A"), QStringLiteral("f"), QStringLiteral("age") } } });
    handle(StoreFailed { 7, { ErrorCode::MetadataIo, QStringLiteral("full"), {} } });
    handle(ConfigChanged { Policy {} });
    return bytes + encoder.start(coordinator, now);
}

QByteArray patched(QByteArrayView patches)
{
    static const QByteArray c_records = makeRecords();
    QByteArray records = c_records;
    for (; patches.size() >= 3; patches = patches.sliced(3)) {
        records[qFromLittleEndian<quint16>(patches.data()) % records.size()] = patches[2];
    }
    return records;
}

void seal(QByteArray &records)
{
    for (qsizetype at = 0; records.size() - at >= c_prefix;) {
        const qsizetype most = records.size() - at - c_prefix;
        const auto length = std::min<qsizetype>(qFromLittleEndian<quint32>(records.constData() + at), most);
        qToLittleEndian(static_cast<quint32>(length), records.data() + at);
        const quint32 checksum = journalChecksum(QByteArrayView(records).sliced(at + c_prefix, length));
        qToLittleEndian(checksum, records.data() + at + 4);
        at += c_prefix + length;
    }
}

template <typename T> QByteArray bytesOf(const T &value)
{
    JournalBytes bytes(nullptr);
    bytes.put(value);
    return bytes.take();
}

template <typename T> void checkAgain(const T &value, T again)
{
    const QByteArray bytes = bytesOf(value);
    JournalParser parser;
    parser.begin(bytes);
    parser.get(again);
    require(!parser.failed() && parser.atEnd() && bytesOf(again) == bytes,
        "what was read can be written and read");
}

void checkJournal(const QByteArray &journal)
{
    Result<JournalReader> opened = JournalReader::open(journal);
    require(opened.ok() || !opened.error().message.isEmpty(), "a refused file has a sentence");
    if (!opened) {
        return;
    }
    const qsizetype sound = JournalReader::soundLength(journal, header());
    require(sound <= journal.size(), "no more is sound than there is");
    JournalReader &reader = opened.value();
    while (const std::optional<JournalEntry> entry = reader.next()) {
        if (const auto *event = std::get_if<JournalEvent>(&*entry)) {
            checkAgain(event->event, Event {});
        } else {
            const Coordinator &state = *std::get<JournalStart>(*entry).coordinator;
            const QByteArray bytes = bytesOf(state);
            Coordinator again(Policy {}, {});
            JournalParser parser;
            parser.begin(bytes);
            parser.get(again);
            require(!parser.failed() && parser.atEnd() && bytesOf(again) == bytes, "a state comes back");
        }
    }
    require(sound == journal.size() || !reader.problem().isEmpty(), "an end in damage is told");
    require(!reader.next(), "the end stays the end");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzzBytes(data, size);
    checkJournal(bytes);
    if (bytes.isEmpty()) {
        return 0;
    }
    const int mode = bytes.front();
    QByteArray records = (mode & 1) != 0 ? patched(QByteArrayView(bytes).sliced(1)) : bytes.mid(1);
    if ((mode & 2) != 0) {
        seal(records);
    }
    checkJournal(header() + records);
    return 0;
}
