// SPDX-License-Identifier: MIT
// kv-persist-bench as a program, with little of everything: each part works and is reported. No time is
// asserted.
#include "benchfit.h"
#include "benchreport.h"
#include "benchsvgcheck.h"
#include "realdaemon.h"
#include "realllamaserver.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;
using namespace kv::bench;

namespace {

constexpr int c_patienceMs = 280'000;

struct Run {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

Run runBench(const QStringList &arguments)
{
    QProcess process;
    process.start(test::builtProgram(QStringLiteral("kv-persist-bench")), arguments);
    Run run;
    if (process.waitForFinished(c_patienceMs) && process.exitStatus() == QProcess::NormalExit) {
        run.exitCode = process.exitCode();
    }
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool write(const QString &path, const QByteArray &data)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(data) == data.size();
}

/// All paths at which something says that it was skipped.
QStringList skips(const QJsonValue &value, const QString &path)
{
    QStringList found;
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.key() == QStringLiteral("skipped")) {
            found.append(path + QStringLiteral(": ") + it.value().toString());
        }
        found += skips(it.value(), path + QLatin1Char('/') + it.key());
    }
    const QJsonArray array = value.toArray();
    for (const QJsonValue each : array) {
        found += skips(each, path + QStringLiteral("[]"));
    }
    return found;
}

} // namespace

class TestBenchProgram final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPartIsMeasuredAndReported();
    void reportsFromAFileWithoutMeasuring();
    void refusesWhatItDoesNotKnow();

private:
    QTemporaryDir m_folder;
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder.filePath(QString::fromLatin1(name));
    }
};

void TestBenchProgram::everyPartIsMeasuredAndReported()
{
    QVERIFY(write(
        path("README.md"), "# x\n<!-- numbers: begin. -->\nold words by hand\n<!-- numbers: end -->\n"));
    const Run run = runBench({ QStringLiteral("--quick"), QStringLiteral("--json"), path("numbers.json"),
        QStringLiteral("--markdown"), path("numbers.md"), QStringLiteral("--plot"), path("plots"),
        QStringLiteral("--update-readme"), path("README.md") });
    QVERIFY2(run.exitCode == 0, run.err.constData());
    qInfo("%s", run.err.constData());

    const QJsonObject results = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(QJsonDocument::fromJson(contents(path("numbers.json"))).object(), results);
    const bool server = test::RealLlamaServer::whyNot(QStringLiteral("tiny-dense")).isEmpty();
    const QStringList needsServer { QStringLiteral("ttft"), QStringLiteral("bases"), QStringLiteral("switch"),
        QStringLiteral("traffic"), QStringLiteral("slots"), QStringLiteral("proxy"), QStringLiteral("soak") };
    for (const QString &part : reportParts()) {
        QVERIFY2(results[part].isObject(), qPrintable(part));
        const QStringList skipped = skips(results[part], part);
        if (server || !needsServer.contains(part)) {
            const bool trayless = part == QStringLiteral("tray")
                && test::builtProgram(QStringLiteral("kv-persist-tray")).isEmpty();
            QVERIFY2(skipped.isEmpty() || trayless, qPrintable(skipped.join(QLatin1Char('\n'))));
        } else {
            QVERIFY2(!skipped.isEmpty() && skipped.first().contains(QStringLiteral("llama-server")),
                qPrintable(part));
        }
    }

    const auto sharedBy = [bases = results[QStringLiteral("bases")]](const QString &kind) {
        return bases[kind][QStringLiteral("sharedTokens")].toInt();
    };
    // What prompts share is a matter of their text, however much of it a model can take up again.
    const QJsonValue second = results[QStringLiteral("bases")][QStringLiteral("dense")][QStringLiteral(
        "inARow")][QStringLiteral("bareServer")][QStringLiteral("sessions")][1];
    QCOMPARE(sharedBy(QStringLiteral("dense")), second[QStringLiteral("cachedTokens")].toInt());
    QCOMPARE(sharedBy(QStringLiteral("recurrent")), sharedBy(QStringLiteral("dense")));

    const QString text = QString::fromUtf8(contents(path("numbers.md")));
    for (const auto &[what, measured] : measuredRows(results)) {
        QVERIFY2(text.contains(QStringLiteral("| %1 | %2 |").arg(what, measured)), qPrintable(what));
        QVERIFY2(!server || !measured.contains(QStringLiteral("? ")), qPrintable(what + measured));
    }
    QVERIFY(text.contains(QStringLiteral("kv-persist-bench --quick")));
    for (const Situation &situation : situations()) {
        QVERIFY2(!server || text.contains(situation.label), qPrintable(situation.label));
    }
    for (const char *family : { "snapshots", "clients", "slots" }) {
        const QJsonArray curves
            = results[QStringLiteral("growth")][QLatin1String(family)][QStringLiteral("curves")].toArray();
        QVERIFY(curves.size() >= 2);
        for (const QJsonValue curve : curves) {
            QCOMPARE(curvePoints(curve.toObject()).size(), std::size_t { 3 });
            QVERIFY2(text.contains(curve[QStringLiteral("growth")].toString()), family);
        }
    }
    const QStringList files = QDir(path("plots")).entryList(QDir::Files);
    QCOMPARE(files.size(), server ? 4 : 3);
    for (const QString &file : files) {
        const QStringList faults = faultsOf(contents(path("plots/") + file));
        QVERIFY2(faults.isEmpty(), qPrintable(file + faults.join(QLatin1Char('\n'))));
        QVERIFY2(text.contains(QStringLiteral("(plots/%1)").arg(file)), qPrintable(file));
    }
    const QString readme = QString::fromUtf8(contents(path("README.md")));
    QVERIFY(readme.contains(text));
    QVERIFY(!readme.contains(QStringLiteral("by hand")));
}

void TestBenchProgram::reportsFromAFileWithoutMeasuring()
{
    QVERIFY2(QFile::exists(path("numbers.json")), "written by the test before");
    const Run run = runBench({ QStringLiteral("--from"), path("numbers.json"), QStringLiteral("--markdown"),
        path("again.md"), QStringLiteral("--plot"), path("plots") });
    QCOMPARE(run.exitCode, 0);
    QCOMPARE(contents(path("again.md")), contents(path("numbers.md")));
}

void TestBenchProgram::refusesWhatItDoesNotKnow()
{
    QCOMPARE(runBench({ QStringLiteral("nothing") }).exitCode, 1);
    QCOMPARE(
        runBench({ QStringLiteral("--quick"), QStringLiteral("--rounds"), QStringLiteral("x") }).exitCode, 1);
    QCOMPARE(runBench({ QStringLiteral("--from"), path("no.json") }).exitCode, 1);
    QVERIFY(write(path("plain.md"), "no marks\n"));
    const Run run = runBench({ QStringLiteral("--from"), path("numbers.json"),
        QStringLiteral("--update-readme"), path("plain.md") });
    QCOMPARE(run.exitCode, 1);
    QVERIFY2(run.err.contains("no place for numbers"), run.err.constData());
    QCOMPARE(contents(path("plain.md")), QByteArray("no marks\n"));
}

QTEST_GUILESS_MAIN(TestBenchProgram)
#include "tst_benchprogram.moc"
