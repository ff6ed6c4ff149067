// SPDX-License-Identifier: MIT
#include "report.h"

#include "clitext.h"
#include "humantime.h"
#include "paths.h"
#include "replaytext.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QSysInfo>

#include <deque>
#include <utility>

namespace kv {

Result<Replay> openJournal(const QString &path); // replaycommand.cpp

namespace {

constexpr int c_doctorMs = 120'000;
constexpr std::size_t c_eventsShown = 500;
constexpr qint64 c_largestReported = qint64 { 256 } << 20;

QProcessEnvironment environment() { return QProcessEnvironment::systemEnvironment(); }

std::optional<QByteArray> readFile(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly) || file.size() > c_largestReported) {
        return std::nullopt;
    }
    return file.readAll();
}

/// metadata.path of a configuration, as far as it is written the usual way.
QString metadataPathIn(const QString &yaml)
{
    static const QRegularExpression c_path(
        QStringLiteral(R"(^\s*metadata:\s*(?:\{\s*|\n\s+)path:\s*["']?([^"'\n}#]+))"),
        QRegularExpression::MultilineOption);
    const QString written = c_path.match(yaml).captured(1).trimmed();
    const Result<QString> path = written.isEmpty() ? QString() : expandPath(written, environment());
    return path ? path.value() : QString();
}

} // namespace

Report::Report(CommandContext &context, const QDir &folder, QString metadataFolder, QString configFile)
    : m_context(context)
    , m_folder(folder)
    , m_metadataFolder(std::move(metadataFolder))
    , m_configFile(std::move(configFile))
    , m_scrub(homeFolder(environment()))
{
}

void Report::collect()
{
    const Result<QJsonObject> status = m_context.tryAsk(ApiMethod::Status, {}, CommandContext::c_documentMs);
    m_daemonAnswered = status.ok();
    if (status) {
        m_status = status.value();
    } else {
        missing(CliText::tr("status, doctor and metrics: %1").arg(m_scrub.text(status.error().message)));
    }
    collectConfig(); // first: the secrets in it are taken out of all the rest
    if (m_daemonAnswered) {
        collectDocuments();
        collectDoctor();
    }
    collectJournals();
    collectVersions();
    writeIndex();
}

void Report::collectConfig()
{
    if (m_configFile.isEmpty()) {
        m_configFile
            = m_daemonAnswered ? m_status.value(u"configPath").toString() : defaultConfigPath(environment());
    }
    const std::optional<QByteArray> yaml = readFile(m_configFile);
    if (yaml) {
        const QString text = QString::fromUtf8(*yaml);
        if (m_metadataFolder.isEmpty() && !m_daemonAnswered) {
            m_metadataFolder = metadataPathIn(text);
        }
        add(QStringLiteral("config.yaml"), m_scrub.config(text).toUtf8(),
            CliText::tr("the configuration without comments, keys and passwords"));
    } else {
        missing(m_configFile.isEmpty()
                ? CliText::tr("the configuration: none is in use")
                : CliText::tr("the configuration: %1 cannot be read").arg(m_scrub.text(m_configFile)));
    }
    if (m_metadataFolder.isEmpty()) {
        const QString told = m_status.value(u"metadataPath").toString();
        m_metadataFolder = told.isEmpty() ? defaultMetadataFolder(environment()) : told;
    }
}

void Report::collectDocuments()
{
    add(QStringLiteral("status.json"), m_scrub.document(m_status),
        CliText::tr("servers, slots, snapshots and totals"));
    const Result<QJsonObject> metrics
        = m_context.tryAsk(ApiMethod::Metrics, {}, CommandContext::c_documentMs);
    if (metrics) {
        add(QStringLiteral("metrics.txt"), m_scrub.text(metrics.value().value(u"text").toString()).toUtf8(),
            CliText::tr("all counters"));
    } else {
        missing(CliText::tr("metrics: %1").arg(m_scrub.text(metrics.error().message)));
    }
}

void Report::collectDoctor()
{
    const Result<QJsonObject> doctor = m_context.tryAsk(ApiMethod::Doctor, {}, c_doctorMs);
    if (doctor) {
        add(QStringLiteral("doctor.json"), m_scrub.document(doctor.value()),
            CliText::tr("what \"kv-persist doctor\" found"));
    } else {
        missing(CliText::tr("doctor: %1").arg(m_scrub.text(doctor.error().message)));
    }
}

void Report::collectJournals()
{
    const QDir journals(QDir(m_metadataFolder).filePath(QStringLiteral("journal")));
    const QStringList names = journals.entryList(
        { QStringLiteral("*.kvjournal"), QStringLiteral("*.kvjournal.old") }, QDir::Files, QDir::Name);
    if (names.isEmpty()) {
        missing(CliText::tr("journals: there are none in %1").arg(m_scrub.text(journals.path())));
        return;
    }
    for (const QString &name : names) {
        const QString path = journals.filePath(name);
        const std::optional<QByteArray> bytes = readFile(path);
        if (!bytes || !bytes->startsWith("kv-persist journal\n")) {
            missing(CliText::tr("%1: it cannot be read, or is no journal").arg(name));
            continue;
        }
        add(QStringLiteral("journal/") + name, *bytes,
            CliText::tr("what happened, for \"kv-persist replay\"; the last 5 seconds may be missing"));
        if (name.endsWith(QStringLiteral(".kvjournal"))) {
            lastEvents(path, name);
        }
    }
}

void Report::lastEvents(const QString &journal, const QString &name)
{
    Result<Replay> replay = openJournal(journal);
    if (!replay) {
        missing(CliText::tr("the last events of %1: %2").arg(name, m_scrub.text(replay.error().message)));
        return;
    }
    std::deque<QStringList> last;
    while (const std::optional<ReplayStep> step = replay.value().next()) {
        last.push_back(replayLines(*step, false));
        if (last.size() > c_eventsShown) {
            last.pop_front();
        }
    }
    QStringList lines = summaryLines(replay.value().summary(), replay.value().head());
    for (const QStringList &step : last) {
        lines += step;
    }
    lines << replay.value().problem();
    add(QStringLiteral("events/%1.txt").arg(name), m_scrub.text(lines.join(u'\n')).toUtf8() + '\n',
        CliText::tr("its last events in words"));
}

void Report::collectVersions()
{
    QJsonArray servers;
    const QJsonArray known = m_status.value(u"servers").toArray();
    for (const QJsonValue &server : known) {
        servers.append(QJsonObject { { QStringLiteral("name"), server[u"name"] },
            { QStringLiteral("kind"), server[u"backend"][u"kind"] },
            { QStringLiteral("build"), server[u"backend"][u"build"] } });
    }
    QJsonObject versions { { QStringLiteral("kv-persist"), QStringLiteral(KV_PERSIST_VERSION) },
        { QStringLiteral("qt"), QString::fromUtf8(qVersion()) },
        { QStringLiteral("system"), QSysInfo::prettyProductName() },
        { QStringLiteral("kernel"),
            QStringLiteral("%1 %2").arg(QSysInfo::kernelType(), QSysInfo::kernelVersion()) },
        { QStringLiteral("architecture"), QSysInfo::currentCpuArchitecture() },
        { QStringLiteral("madeAt"), isoUtc(m_context.nowWallMs()) } };
    if (m_daemonAnswered) {
        versions.insert(QStringLiteral("kv-persistd"), m_status.value(u"version"));
        versions.insert(QStringLiteral("servers"), servers);
    }
    add(QStringLiteral("versions.json"), m_scrub.document(versions),
        CliText::tr("of the programs and the system"));
}

void Report::writeIndex()
{
    QStringList lines { CliText::tr("A fault report of kv-persist. No prompt, no answer and no label of a "
                                    "conversation is in it; sessions are hashes."),
        {} };
    for (const Part &part : m_parts) {
        lines << (part.file.isEmpty() ? CliText::tr("missing: %1").arg(part.what)
                                      : QStringLiteral("%1: %2").arg(part.file, part.what));
    }
    add(QStringLiteral("README.txt"), lines.join(u'\n').toUtf8() + '\n', CliText::tr("this list"));
}

void Report::add(const QString &file, const QJsonObject &document, const QString &what)
{
    add(file, QJsonDocument(document).toJson(), what);
}

void Report::add(const QString &file, const QByteArray &bytes, const QString &what)
{
    const QString path = m_folder.filePath(file);
    QDir().mkpath(QFileInfo(path).path());
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly | QIODevice::NewOnly, QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        || out.write(bytes) != bytes.size() || !out.flush()) {
        m_failure = CliText::tr("%1 cannot be written: %2.").arg(path, out.errorString());
        missing(m_failure);
        return;
    }
    m_parts.push_back({ file, what });
}

} // namespace kv
