// SPDX-License-Identifier: MIT
#include "benchkit.h"
#include "benchreport.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <QTextStream>

using namespace kv::bench;

namespace {

using Measure = QJsonObject (*)(const Sizes &);

const QMap<QString, Measure> &measures()
{
    static const QMap<QString, Measure> all { { QStringLiteral("ttft"), measureFirstToken },
        { QStringLiteral("bases"), measureBases }, { QStringLiteral("overhead"), measureOverhead },
        { QStringLiteral("switch"), measureSwitch }, { QStringLiteral("traffic"), measureTraffic },
        { QStringLiteral("slots"), measureSlots }, { QStringLiteral("proxy"), measureProxy },
        { QStringLiteral("soak"), measureSoak }, { QStringLiteral("start"), measureStarts },
        { QStringLiteral("list"), measureList }, { QStringLiteral("memory"), measureMemory },
#ifdef KV_BENCH_TRAY
        { QStringLiteral("tray"), measureTray },
#endif
        { QStringLiteral("growth"), measureGrowth } };
    return all;
}

struct Options {
    QStringList parts;
    Sizes sizes;
    bool quick = false;
    QString command; ///< what was measured, as one would ask for it again
    QString from;
    QString json;
    QString markdown;
    QString plot;
    QString readme;
};

int fail(const QString &why)
{
    QTextStream(stderr) << "kv-persist-bench: " << why << '\n';
    return 1;
}

bool write(const QString &path, const QByteArray &data)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(data) == data.size() && file.commit();
}

QByteArray asJson(const QJsonObject &results)
{
    return QJsonDocument(results).toJson(QJsonDocument::Indented);
}

/// Measures the parts into `results`, and keeps what is there already in the file after each.
void measure(const Options &options, QJsonObject &results)
{
    QTextStream progress(stderr);
    QElapsedTimer whole;
    whole.start();
    const QJsonObject before = results.value(u"run").toObject();
    const QString earlier = before.value(u"command").toString();
    QJsonObject run { { QStringLiteral("command"),
                          earlier.isEmpty() ? options.command
                                            : earlier + QStringLiteral("; then ") + options.command },
        { QStringLiteral("date"), QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-dd")) },
        { QStringLiteral("version"), QStringLiteral(KV_PERSIST_VERSION) },
        { QStringLiteral("buildType"), QStringLiteral(KV_BENCH_BUILD_TYPE) },
        { QStringLiteral("compiler"), QStringLiteral(KV_BENCH_COMPILER) },
        { QStringLiteral("quick"), options.quick } };
    results.insert(QStringLiteral("machine"), machine());
    for (const QString &part : options.parts) {
        progress << part << " … " << Qt::flush;
        QElapsedTimer timer;
        timer.start();
        const Measure how = measures().value(part);
        QJsonObject measured
            = how != nullptr ? how(options.sizes) : skipped(QStringLiteral("built without the tray program"));
        const double seconds = static_cast<double>(timer.elapsed()) / 1000;
        measured.insert(QStringLiteral("seconds"), seconds);
        results.insert(part, measured);
        run.insert(QStringLiteral("seconds"),
            before.value(u"seconds").toDouble() + static_cast<double>(whole.elapsed()) / 1000);
        results.insert(QStringLiteral("run"), run);
        progress << seconds << " s\n" << Qt::flush;
        if (!options.json.isEmpty() && !write(options.json, asJson(results))) {
            progress << options.json << " cannot be written\n";
        }
    }
}

/// The folder of the drawings, as a text in `path` names it.
QString plotsFor(const QString &plot, const QString &path)
{
    return plot.isEmpty()
        ? QString()
        : QFileInfo(path).absoluteDir().relativeFilePath(QFileInfo(plot).absoluteFilePath());
}

int updateReadme(const Options &options, const QJsonObject &results)
{
    QFile file(options.readme);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("%1 cannot be read").arg(options.readme));
    }
    const auto updated = withNumbers(
        QString::fromUtf8(file.readAll()), markdownReport(results, plotsFor(options.plot, options.readme)));
    if (!updated) {
        return fail(
            QStringLiteral("%1 has no place for numbers: a line with <!-- numbers: begin, and one with "
                           "<!-- numbers: end -->, once each")
                .arg(options.readme));
    }
    return write(options.readme, updated->toUtf8())
        ? 0
        : fail(QStringLiteral("%1 cannot be written").arg(options.readme));
}

int report(const Options &options, const QJsonObject &results)
{
    if (!options.json.isEmpty() && !write(options.json, asJson(results))) {
        return fail(QStringLiteral("%1 cannot be written").arg(options.json));
    }
    if (!options.plot.isEmpty()) {
        const QMap<QString, QByteArray> files = drawings(results);
        for (auto it = files.begin(); it != files.end(); ++it) {
            const QString path = options.plot + QLatin1Char('/') + it.key();
            if (!QDir().mkpath(options.plot) || !write(path, it.value())) {
                return fail(QStringLiteral("%1 cannot be written").arg(path));
            }
        }
    }
    if (!options.markdown.isEmpty()
        && !write(
            options.markdown, markdownReport(results, plotsFor(options.plot, options.markdown)).toUtf8())) {
        return fail(QStringLiteral("%1 cannot be written").arg(options.markdown));
    }
    QTextStream(stdout) << asJson(results);
    return options.readme.isEmpty() ? 0 : updateReadme(options, results);
}

QCommandLineOption option(const char *name, const char *help, const char *value = "")
{
    return { QString::fromLatin1(name), QString::fromLatin1(help), QString::fromLatin1(value) };
}

/// Empty: `options` are as asked for.
QString readOptions(const QCommandLineParser &parser, Options &options)
{
    options.quick = parser.isSet(QStringLiteral("quick"));
    options.from = parser.value(QStringLiteral("from"));
    options.json = parser.value(QStringLiteral("json"));
    options.markdown = parser.value(QStringLiteral("markdown"));
    options.plot = parser.value(QStringLiteral("plot"));
    options.readme = parser.value(QStringLiteral("update-readme"));
    options.command = QStringLiteral("kv-persist-bench");
    options.sizes = options.quick ? Sizes::quick() : Sizes();
    options.command += options.quick ? QStringLiteral(" --quick") : QString();
    if (parser.isSet(QStringLiteral("rounds"))) {
        options.sizes.firstTokenRounds = parser.value(QStringLiteral("rounds")).toInt();
        options.command += QStringLiteral(" --rounds %1").arg(options.sizes.firstTokenRounds);
    }
    if (parser.isSet(QStringLiteral("soak"))) {
        options.sizes.soakMinutes = parser.value(QStringLiteral("soak")).toDouble();
        options.command += QStringLiteral(" --soak %1").arg(options.sizes.soakMinutes);
    }
    if (options.sizes.firstTokenRounds < 1 || options.sizes.soakMinutes <= 0) {
        return QStringLiteral("--rounds and --soak take a number above 0");
    }
    options.parts = parser.positionalArguments();
    for (const QString &part : std::as_const(options.parts)) {
        if (!reportParts().contains(part)) {
            return QStringLiteral("there is no part %1; parts are %2")
                .arg(part, reportParts().join(QStringLiteral(", ")));
        }
        options.command += QLatin1Char(' ') + part;
    }
    if (options.parts.isEmpty() && options.from.isEmpty()) {
        options.parts = reportParts();
    }
    return {};
}

void declareOptions(QCommandLineParser &parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "Measures kv-persist and prints JSON. Parts: ttft (time to the first token, beside the bare server), "
        "bases (new sessions that begin alike), overhead (a resident request against a bare socket echo), "
        "switch (on a real server), traffic (a parent and three sub-agents at once), slots (two sessions at "
        "once; eight that take turns at random on four slots), proxy (what it adds to a request and a "
        "chunk), "
        "soak (minutes of traffic through the proxy, and what it leaves over), start (with 10 000 and 100 "
        "000 "
        "snapshots), list (of 100 000), memory, tray (its table with 100 000 snapshots), growth (cost "
        "against "
        "snapshots, clients, slots). What needs a llama-server that is not there says so."));
    parser.addHelpOption();
    parser.addPositionalArgument(QStringLiteral("part"),
        reportParts().join(QStringLiteral(", ")) + QStringLiteral("; none: all of them, or none with --from"),
        QStringLiteral("[part...]"));
    parser.addOptions({ option("rounds", "of ttft, each with a prompt of its own; 3 by default", "number"),
        option("soak", "how long the soak lasts; 5 by default", "minutes"),
        option("quick", "little of everything: shows that it works, its numbers mean nothing"),
        option(
            "from", "begins with the results in this file; parts that are named are measured anew", "file"),
        option("json", "writes the results to this file, after each part", "file"),
        option("markdown", "writes the tables to this file", "file"),
        option("plot", "draws into this folder, as SVG", "folder"),
        option("update-readme", "puts the tables between the marks of this file", "file") });
    QCommandLineOption echo = option("echo-server", "", "socket");
    echo.setFlags(QCommandLineOption::HiddenFromHelp);
    parser.addOption(echo);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    declareOptions(parser);
    parser.process(app);
    if (parser.isSet(QStringLiteral("echo-server"))) {
        return runEchoServer(parser.value(QStringLiteral("echo-server")));
    }
    if (qEnvironmentVariableIsEmpty("KV_PERSIST_TEST_BIN")) {
        qputenv("KV_PERSIST_TEST_BIN", QCoreApplication::applicationDirPath().toUtf8());
    }
    Options options;
    if (const QString why = readOptions(parser, options); !why.isEmpty()) {
        return fail(why);
    }
    QJsonObject results;
    if (!options.from.isEmpty()) {
        QFile file(options.from);
        if (file.open(QIODevice::ReadOnly)) {
            results = QJsonDocument::fromJson(file.readAll()).object();
        }
        if (results.isEmpty()) {
            return fail(QStringLiteral("%1 holds no results").arg(options.from));
        }
    }
    if (!options.parts.isEmpty()) {
        measure(options, results);
    }
    return report(options, results);
}
