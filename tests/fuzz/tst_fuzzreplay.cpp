// SPDX-License-Identifier: MIT
// Runs one fuzz target over its corpus and over seeded mutations of it. A target that fails ends the process;
// what it was doing is told then, so that it can be repeated:
//   KV_PERSIST_FUZZ_SEED=N KV_PERSIST_FUZZ_RUNS=1 tst_fuzz<target>
#include "fuzzmutator.h"
#include "fuzztarget.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <csignal>
#include <string>
#include <vector>

// AddressSanitizer ends the process without a signal, and asks this; UBSan's own library is told to abort.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));
extern "C" const char *__ubsan_default_options();
extern "C" const char *__ubsan_default_options() { return "abort_on_error=1"; }

namespace {

constexpr quint64 c_firstSeed = 1;
constexpr int c_runs = 4000;

std::string s_doing; // for a handler that can be given nothing

void tellWhere()
{
    static_cast<void>(std::fprintf(stderr, "FAIL!  : fuzz target %s, %s\n", KV_FUZZ_TARGET, s_doing.c_str()));
    static_cast<void>(std::fflush(stderr));
}

void onSignal(int number)
{
    tellWhere();
    static_cast<void>(std::signal(number, SIG_DFL));
    static_cast<void>(std::raise(number));
}

void run(const QByteArray &bytes, std::string doing)
{
    s_doing = std::move(doing);
    // A copy of exactly this size, so that a sanitizer sees a read past the end.
    const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

} // namespace

class FuzzReplay final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (__sanitizer_set_death_callback != nullptr) {
            __sanitizer_set_death_callback(tellWhere);
        } else {
            static_cast<void>(std::signal(SIGSEGV, onSignal));
        }
        static_cast<void>(std::signal(SIGABRT, onSignal));
        const QDir folder(QStringLiteral(KV_FUZZ_CORPUS));
        m_names = folder.entryList(QDir::Files, QDir::Name);
        for (const QString &name : m_names) {
            QFile file(folder.filePath(name));
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            m_corpus.append(file.readAll());
        }
        QVERIFY2(m_corpus.size() >= 10, "the corpus is missing");
    }

    void theMutationsAreThoseOfTheSeed()
    {
        int changed = 0;
        for (quint64 seed = 0; seed < 100; ++seed) {
            const QByteArray bytes = kv::mutated(m_corpus, seed);
            QCOMPARE(bytes, kv::mutated(m_corpus, seed));
            changed += m_corpus.contains(bytes) ? 0 : 1;
        }
        QVERIFY(changed > 50);
    }

    void theEmptyInputAndTheWholeCorpusPass()
    {
        run({}, "the empty input");
        for (qsizetype i = 0; i < m_corpus.size(); ++i) {
            run(m_corpus.at(i), "file " + m_names.at(i).toStdString());
        }
    }

    void mutationsOfTheCorpusPass()
    {
        bool given = false;
        const int seed = qEnvironmentVariableIntValue("KV_PERSIST_FUZZ_SEED", &given);
        const quint64 first = given ? static_cast<quint64>(seed) : c_firstSeed;
        const int runs = qEnvironmentVariableIntValue("KV_PERSIST_FUZZ_RUNS", &given);
        const int count = given ? runs : c_runs;
        for (quint64 i = 0; i < static_cast<quint64>(count); ++i) {
            run(kv::mutated(m_corpus, first + i), "seed " + std::to_string(first + i));
        }
        qInfo("%s: %d mutations of %d files, seeds from %llu", KV_FUZZ_TARGET, count,
            static_cast<int>(m_corpus.size()), static_cast<unsigned long long>(first));
    }

private:
    QList<QByteArray> m_corpus;
    QStringList m_names;
};

QTEST_GUILESS_MAIN(FuzzReplay)
#include "tst_fuzzreplay.moc"
