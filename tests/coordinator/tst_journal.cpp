// SPDX-License-Identifier: MIT
#include "coordinatortest.h"
#include "journal.h"
#include "sessionhash.h"

#include <QtEndian>

using namespace kv;
using namespace kv::test;

namespace {

/// Gives every field another value than the one before, and every text one that is not empty.
class Filler final {
public:
    template <typename T> void operator()(FieldName /*name*/, T &value) { fill(value); }

    template <typename T> void fill(T &value)
    {
        ++m_next;
        if constexpr (std::is_same_v<T, bool>) {
            value = !value;
        } else if constexpr (std::is_enum_v<T>) {
            const T other = static_cast<T>(static_cast<int>(value) == 1 ? 0 : 1);
            value = other;
        } else if constexpr (std::is_arithmetic_v<T>) {
            value = static_cast<T>(m_next * (m_next % 2 == 0 ? 7919 : 3));
        } else if constexpr (std::is_same_v<T, QString>) {
            value = u"/secret/%1 of somebody"_qs.arg(m_next);
        } else if constexpr (std::is_same_v<T, QJsonObject>) {
            value = { { u"secret"_qs, m_next } };
        } else if constexpr (std::is_same_v<T, FingerprintPtr>) {
            value = std::make_shared<Fingerprint>(
                FieldList { { u"modelPath"_qs, u"/home/secret/%1.gguf"_qs.arg(m_next) } },
                FieldList { { u"alias"_qs, u"secret %1"_qs.arg(m_next) } }, m_next);
        } else if constexpr (c_isOptional<T>) {
            fill(value.emplace());
        } else if constexpr (c_isSequence<T>) {
            typename T::value_type entry {};
            fill(entry);
            value.insert(value.end(), std::move(entry));
        } else {
            JournalAccess::fields(*this, value);
        }
    }

private:
    int m_next = 0;
};

template <std::size_t... Index> std::vector<Event> filledEvents(std::index_sequence<Index...> /*all*/)
{
    Filler filler;
    std::vector<Event> events;
    const auto add = [&](auto event) {
        filler.fill(event);
        events.emplace_back(std::move(event));
    };
    (add(std::variant_alternative_t<Index, Event> {}), ...);
    return events;
}

std::vector<Event> filledEvents()
{
    return filledEvents(std::make_index_sequence<std::variant_size_v<Event>>());
}

QByteArray bytesOf(const Event &event)
{
    JournalBytes bytes(nullptr);
    bytes.put(event);
    return bytes.take();
}

/// Of a small run: a session is saved, another one takes its slot, the first comes back.
QByteArray smallJournal(JournalEncoder::Texts texts = JournalEncoder::Texts::Redacted)
{
    CoordinatorHarness h;
    JournalEncoder encoder(u"9.9"_qs, u"local"_qs, texts);
    QByteArray journal = encoder.header() + encoder.start(*h.coordinator, h.now());
    h.witness = [&](const Event &event, Instant now, const Effects &effects) {
        journal += encoder.event(event, now, effects);
    };
    h.turn(u"A", 5000);
    h.turn(u"B", 7000);
    h.turn(u"A", 5100);
    return journal;
}

struct Read {
    bool opened = false;
    int events = 0;
    int starts = 0;
    QString problem;

    explicit Read(const QByteArray &journal)
    {
        Result<JournalReader> reader = JournalReader::open(journal);
        opened = reader.ok();
        if (!reader) {
            problem = reader.error().message;
            return;
        }
        while (const std::optional<JournalEntry> entry = reader.value().next()) {
            ++(std::holds_alternative<JournalStart>(*entry) ? starts : events);
        }
        problem = reader.value().problem();
    }
};

} // namespace

class TstJournal final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFieldOfEveryEventComesBack();
    void nothingPrivateIsWritten();
    void differentSecretsStayDifferentAndEqualOnesEqual();
    void sentencesLoseKeysAddressesAndPaths();
    void damageAnywhereKeepsWhatCameBefore();
    void aCutAnywhereKeepsWhatCameBefore();
    void aSecondRunInOneFileNeedsNothingOfTheFirst();
    void anotherFormatIsSaidSo();
    void aNumberOrTextThatComesAgainIsShort();
    void aJournalGoesOnWhereItIsWhole();
};

void TstJournal::everyFieldOfEveryEventComesBack()
{
    CoordinatorHarness h;
    JournalEncoder encoder(u"1"_qs, u"s"_qs, JournalEncoder::Texts::Exact);
    QByteArray journal = encoder.header() + encoder.start(*h.coordinator, h.now());
    const std::vector<Event> events = filledEvents();
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto at = static_cast<qint64>(i);
        journal += encoder.event(events[i], { 1000 * at * at, 1'700'000'000'000 - 77 * at }, {});
    }
    Result<JournalReader> reader = JournalReader::open(journal);
    QVERIFY(reader.ok());
    QVERIFY(std::holds_alternative<JournalStart>(reader.value().next().value()));
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto at = static_cast<qint64>(i);
        const JournalEvent read = std::get<JournalEvent>(reader.value().next().value());
        QCOMPARE(read.event.index(), events[i].index());
        QCOMPARE(bytesOf(read.event), bytesOf(events[i]));
        QCOMPARE(read.at.monoMs, 1000 * at * at);
        QCOMPARE(read.at.wallMs, 1'700'000'000'000 - 77 * at);
    }
    QVERIFY(!reader.value().next());
    QVERIFY(reader.value().problem().isEmpty());
    // The filler leaves nothing as it is made: what is compared above is not a default.
    BeginRequest begin;
    Filler().fill(begin);
    QVERIFY(bytesOf(begin) != bytesOf(BeginRequest {}));
    QVERIFY(begin.pins && begin.running && begin.seq != -1 && !begin.label.isEmpty());
}

void TstJournal::nothingPrivateIsWritten()
{
    CoordinatorHarness h;
    JournalEncoder encoder(u"1"_qs, u"s"_qs);
    QByteArray journal = encoder.header();
    for (const Event &event : filledEvents()) {
        journal += encoder.event(event, h.now(), {});
    }
    QVERIFY2(!journal.contains("secret"), journal.mid(journal.indexOf("secret") - 20, 60).constData());
    // A state, too.
    CoordinatorHarness full;
    full.turn(u"secret session", 5000);
    (void)full.begin(u"secret other", [](BeginRequest &begin) {
        begin.label = u"a secret beginning"_qs;
        begin.call = u"secret call"_qs;
        begin.model = u"/home/secret/model.gguf"_qs;
    });
    const QByteArray state = encoder.start(*full.coordinator, full.now());
    QVERIFY2(!state.contains("secret"), state.mid(state.indexOf("secret") - 20, 60).constData());
    QVERIFY(state.contains(sessionHash(u"secret session"_qs).left(16).toUtf8()));
    QVERIFY(state.contains("/model.gguf"));
}

void TstJournal::differentSecretsStayDifferentAndEqualOnesEqual()
{
    TextRedactor redactor;
    for (const TextPrivacy privacy : { TextPrivacy::Hashed, TextPrivacy::Name }) {
        QStringList seen;
        for (const QString &text : { u"a"_qs, u"/a"_qs, u"/b/a"_qs, u"b a!"_qs, u"#a"_qs,
                 u"http://u:p@h/a"_qs, u"C:\\a"_qs, QString(200, u'a'), QString(201, u'a'), u"ä"_qs }) {
            const QString shown = redactor.shown(privacy, text);
            QCOMPARE(redactor.shown(privacy, text), shown);
            QVERIFY2(!seen.contains(shown), qPrintable(shown));
            QVERIFY(!shown.isEmpty() && !shown.contains(u"u:p"));
            seen << shown;
        }
        QVERIFY(redactor.shown(privacy, {}).isEmpty());
    }
    QCOMPARE(redactor.shown(TextPrivacy::Name, u"qwen-2.5:32b"_qs), u"qwen-2.5:32b"_qs);
    QCOMPARE(redactor.shown(TextPrivacy::Hashed, u"s"_qs), sessionHash(u"s"_qs).left(16));
    QVERIFY(redactor.shown(TextPrivacy::Dropped, u"Fix the build"_qs).isEmpty());
}

void TstJournal::sentencesLoseKeysAddressesAndPaths()
{
    QCOMPARE(withoutPrivateParts(u"The server at http://me:pw@box:8080/x does not answer (HTTP 500)."_qs),
        u"The server at (address) does not answer (HTTP 500)."_qs);
    QCOMPARE(withoutPrivateParts(u"cannot open /home/me/kv/a.bin: no space"_qs),
        u"cannot open (path) no space"_qs);
    QCOMPARE(withoutPrivateParts(u"cannot open 'models/mine.gguf'"_qs), u"cannot open '(path)'"_qs);
    QVERIFY(!withoutPrivateParts(u"Authorization: Bearer abcdef123"_qs).contains(u"abcdef123"));
    QCOMPARE(withoutPrivateParts(u"24 of 32 tokens/s, and/or less"_qs), u"24 of 32 tokens/s, and/or less"_qs);
    QCOMPARE(withoutPrivateParts(QString(5000, u'x')).size(), 300);
}

void TstJournal::damageAnywhereKeepsWhatCameBefore()
{
    const QByteArray journal = smallJournal();
    const Read whole(journal);
    QVERIFY2(whole.problem.isEmpty(), qPrintable(whole.problem));
    QCOMPARE(whole.starts, 1);
    QVERIFY(whole.events > 10);
    int opened = 0;
    for (qsizetype at = 0; at < journal.size(); ++at) {
        for (const int flip : { 1, 0x80, 0xff }) {
            QByteArray damaged = journal;
            damaged[at] = static_cast<char>(damaged.at(at) ^ flip);
            const Read read(damaged);
            QVERIFY2(!read.problem.isEmpty(), qPrintable(u"byte %1"_qs.arg(at)));
            QVERIFY(read.events < whole.events);
            opened += read.opened ? 1 : 0;
        }
    }
    QVERIFY(opened > journal.size());
    // The last byte: all but the last event are there.
    QByteArray last = journal;
    last[last.size() - 1] = static_cast<char>(last.back() ^ 1);
    QCOMPARE(Read(last).events, whole.events - 1);
    QVERIFY(Read(last).problem.contains(u"What came before is good"));
}

void TstJournal::aCutAnywhereKeepsWhatCameBefore()
{
    const QByteArray journal = smallJournal();
    const int events = Read(journal).events;
    int before = 0;
    int clean = 0;
    for (qsizetype size = 0; size <= journal.size(); ++size) {
        const Read read(journal.left(size));
        QVERIFY(read.events >= before); // never fewer with more bytes
        before = read.events;
        clean += read.problem.isEmpty() ? 1 : 0;
    }
    QCOMPARE(before, events);
    QCOMPARE(clean, events + 2); // after the header, the start and every event
}

void TstJournal::aSecondRunInOneFileNeedsNothingOfTheFirst()
{
    const QByteArray one = smallJournal();
    const QByteArray header = JournalEncoder(u"9.9"_qs, u"local"_qs).header();
    const Read both(one + one.mid(header.size()));
    QVERIFY2(both.problem.isEmpty(), qPrintable(both.problem));
    QCOMPARE(both.starts, 2);
    QCOMPARE(both.events, 2 * Read(one).events);
}

void TstJournal::anotherFormatIsSaidSo()
{
    const QByteArray journal = smallJournal();
    QVERIFY(Read({}).problem.contains(u"no journal"));
    QVERIFY(Read("PNG and more").problem.contains(u"no journal"));
    QByteArray newer = journal;
    newer[19] = 2;
    QVERIFY(Read(newer).problem.contains(u"newer kv-persist"));
    // Another list of fields: the schema is the first number of the header's record.
    JournalBytes head(nullptr);
    head.count(journalSchema() + 1);
    head.put(u"8.8"_qs);
    head.put(u"s"_qs);
    const QByteArray payload = head.take();
    QByteArray prefix(8, '\0');
    qToLittleEndian(static_cast<quint32>(payload.size()), prefix.data());
    qToLittleEndian(journalChecksum(payload), prefix.data() + 4);
    const Read other(journal.left(23) + prefix + payload);
    QVERIFY2(other.problem.contains(u"kv-persist 8.8"), qPrintable(other.problem));
}

void TstJournal::aNumberOrTextThatComesAgainIsShort()
{
    CoordinatorHarness h;
    JournalEncoder encoder(u"1"_qs, u"s"_qs);
    (void)encoder.start(*h.coordinator, h.now());
    ServerObserved seen;
    seen.identity = h.coordinator->identity();
    QVERIFY(seen.identity.known());
    (void)encoder.event(seen, h.now(), {});
    const QByteArray again = encoder.event(seen, h.now(), {});
    QVERIFY2(again.size() < 32, qPrintable(QString::number(again.size())));
}

void TstJournal::aJournalGoesOnWhereItIsWhole()
{
    const QByteArray journal = smallJournal();
    const QByteArray header = JournalEncoder(u"9.9"_qs, u"local"_qs).header();
    QCOMPARE(JournalReader::soundLength(journal, header), journal.size());
    QCOMPARE(JournalReader::soundLength(journal + "torn", header), journal.size());
    QVERIFY(JournalReader::soundLength(journal.left(journal.size() - 1), header) < journal.size() - 1);
    QCOMPARE(JournalReader::soundLength(header, header), header.size());
    QCOMPARE(JournalReader::soundLength(header.left(10), header), -1);
    QCOMPARE(JournalReader::soundLength(journal, JournalEncoder(u"9.8"_qs, u"local"_qs).header()), -1);
}

QTEST_GUILESS_MAIN(TstJournal)
#include "tst_journal.moc"
