// SPDX-License-Identifier: MIT
#include "configreader.h"

#include "keyfile.h"
#include "mapreader.h"
#include "routesection.h"
#include "serversection.h"
#include "yamltree.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace kv {

namespace {

struct ConfigReaderText {
    Q_DECLARE_TR_FUNCTIONS(kv::ConfigReader)
};

QString wrapperText() { return QStringLiteral("kv-persist"); }

void readCheckpoint(MapReader &top, CheckpointConfig &checkpoint)
{
    using Subagents = CheckpointConfig::Subagents;
    MapReader reader = top.section(QStringLiteral("checkpoint"));
    reader.boolean(QStringLiteral("onSwitch"), checkpoint.onSwitch);
    reader.boolean(QStringLiteral("onShutdown"), checkpoint.onShutdown);
    reader.boolean(QStringLiteral("onSessionFlush"), checkpoint.onSessionFlush);
    reader.boolean(QStringLiteral("onDispose"), checkpoint.onDispose);
    reader.millisecondsOrOff(QStringLiteral("idleMs"), checkpoint.idleMs);
    reader.boolean(QStringLiteral("onTurnEnd"), checkpoint.onTurnEnd);
    reader.boolean(QStringLiteral("onStepEnd"), checkpoint.onStepEnd);
    reader.numberOr(QStringLiteral("auto"), QStringLiteral("minTokens"), checkpoint.minTokens,
        ConfigReaderText::tr("a number of tokens"));
    reader.sizeOrOff(QStringLiteral("maxBytesPerDay"), checkpoint.maxBytesPerDay, false);
    reader.milliseconds(QStringLiteral("maxDirtyMs"), checkpoint.maxDirtyMs);
    reader.choice<Subagents>(QStringLiteral("subagents"), checkpoint.subagents,
        { { QStringLiteral("never"), Subagents::Never },
            { QStringLiteral("whileAlive"), Subagents::WhileAlive },
            { QStringLiteral("always"), Subagents::Always } });
    reader.finish();
}

void readRestore(MapReader &top, RestoreConfig &restore)
{
    using Verify = RestoreConfig::Verify;
    MapReader reader = top.section(QStringLiteral("restore"));
    reader.boolean(QStringLiteral("enabled"), restore.enabled);
    reader.choice<Verify>(QStringLiteral("verify"), restore.verify,
        { { QStringLiteral("off"), Verify::Off }, { QStringLiteral("basic"), Verify::Basic },
            { QStringLiteral("strict"), Verify::Strict } },
        { { QStringLiteral("true"), Verify::Basic }, { QStringLiteral("false"), Verify::Off } });
    reader.finish();
}

void readLimits(MapReader &top, Config &config)
{
    MapReader leases = top.section(QStringLiteral("leases"));
    leases.milliseconds(QStringLiteral("idleMs"), config.leases.idleMs);
    leases.milliseconds(QStringLiteral("holdMs"), config.leases.holdMs);
    leases.finish();

    MapReader failure = top.section(QStringLiteral("failure"));
    failure.boolean(QStringLiteral("strict"), config.failure.strict);
    failure.number(QStringLiteral("maxConsecutiveFailures"), config.failure.maxConsecutiveFailures,
        ConfigReaderText::tr("a number of failures"), 1);
    failure.milliseconds(QStringLiteral("cooldownMs"), config.failure.cooldownMs);
    failure.finish();

    MapReader retention = top.section(QStringLiteral("retention"));
    retention.sizeOrOff(QStringLiteral("maxTotalBytes"), config.retention.maxTotalBytes, false);
    retention.sizeOrOff(QStringLiteral("minFreeBytes"), config.retention.minFreeBytes, true);
    retention.numberOrOff(QStringLiteral("maxSessions"), config.retention.maxSessions,
        ConfigReaderText::tr("a number of sessions"), 1);
    retention.numberOrOff(QStringLiteral("maxAgeDays"), config.retention.maxAgeDays,
        ConfigReaderText::tr("a number of days"), 1);
    retention.finish();
}

void readLogFilter(MapReader &logging, LogFilter &filter)
{
    const QString key = QStringLiteral("filter");
    const YamlNode *found = logging.node(key);
    if (found == nullptr || found->kind == YamlNode::Kind::Null) {
        return;
    }
    const ParsedLogFilter parsed = parseLogFilter(found->text);
    if (found->kind == YamlNode::Kind::Scalar && parsed.wrong.isEmpty()) {
        filter = parsed.filter;
        return;
    }
    const QString between = QStringLiteral(", ");
    logging.wrong(key, *found,
        ConfigReaderText::tr(
            "parts of the program with levels, such as \"proxy=debug,runtime=warn\"; parts: %1; levels: %2")
            .arg(logParts().join(between), logLevelNames().join(between)));
}

void readSurroundings(MapReader &top, Config &config)
{
    MapReader metadata = top.section(QStringLiteral("metadata"));
    metadata.path(QStringLiteral("path"), config.metadataPath);
    metadata.finish();

    MapReader logging = top.section(QStringLiteral("logging"));
    logging.choice<LogLevel>(QStringLiteral("level"), config.logging.level,
        { { toString(LogLevel::Error), LogLevel::Error }, { toString(LogLevel::Warning), LogLevel::Warning },
            { toString(LogLevel::Info), LogLevel::Info }, { toString(LogLevel::Debug), LogLevel::Debug } });
    logging.choice<LogFormat>(QStringLiteral("format"), config.logging.format,
        { { toString(LogFormat::Text), LogFormat::Text }, { toString(LogFormat::Json), LogFormat::Json } });
    readLogFilter(logging, config.logging.filter);
    logging.finish();

    MapReader metrics = top.section(QStringLiteral("metrics"));
    config.metricsListen = readListen(metrics);
    metrics.finish();
}

void readTop(MapReader &top, Config &config)
{
    top.boolean(QStringLiteral("enabled"), config.enabled);
    config.servers = readServers(top);
    config.providers = readProviders(top, config.servers);
    top.choice<Config::Auxiliary>(QStringLiteral("auxiliaryRequests"), config.auxiliaryRequests,
        { { QStringLiteral("isolate"), Config::Auxiliary::Isolate },
            { QStringLiteral("ignore"), Config::Auxiliary::Ignore } });
    top.choice<Config::ColdStart>(QStringLiteral("coldStart"), config.coldStart,
        { { QStringLiteral("erase"), Config::ColdStart::Erase },
            { QStringLiteral("keep"), Config::ColdStart::Keep },
            { QStringLiteral("base"), Config::ColdStart::Base } });
    readLimits(top, config);
    readCheckpoint(top, config.checkpoint);
    readRestore(top, config.restore);
    readSurroundings(top, config);
    config.proxy = readProxy(top, config.servers);
    if (config.proxy && config.proxy->listen == config.metricsListen && config.proxy->listen.port != 0) {
        top.problem(
            QStringLiteral("proxy"), ConfigReaderText::tr("listens at the same address as 'metrics'"));
    }
    config.autodiscover
        = config.servers.empty() && config.providers.empty() && !top.has(QStringLiteral("servers"));
    if (config.providers.empty() && !config.servers.empty()) {
        top.context().problems.warn(0,
            ConfigReaderText::tr(
                "no provider is routed to a server, so nothing will be managed; add 'providers'"));
    }
    top.finish();
}

/// The file's map, or what stands below `kv-persist:`.
const YamlNode *unwrapped(const YamlNode *root, ProblemList &problems)
{
    if (root == nullptr || root->kind != YamlNode::Kind::Map) {
        return root;
    }
    const YamlNode *inner = nullptr;
    for (const YamlNode::Entry &entry : root->entries) {
        if (entry.key == wrapperText()) {
            inner = entry.value;
        }
    }
    if (inner == nullptr) {
        return root;
    }
    int seen = 0;
    for (const YamlNode::Entry &entry : root->entries) {
        if (entry.key != wrapperText() || ++seen > 1) {
            problems.add(entry.line,
                ConfigReaderText::tr("key %1 stands beside 'kv-persist'; move it into that section")
                    .arg(shownText(entry.key)));
        }
    }
    return inner;
}

} // namespace

Result<LoadedConfig> readConfig(
    const QByteArray &yaml, const QString &fileName, const QProcessEnvironment &environment)
{
    ProblemList problems(fileName);
    const std::optional<YamlTree> tree = parseYaml(yaml, problems);
    if (!tree) {
        return problems.toError();
    }
    LoadedConfig loaded;
    loaded.config = defaultConfig(environment);
    loaded.file = fileName;
    loaded.hash = configHash(yaml);
    ReadContext context { problems, environment };
    MapReader top(unwrapped(tree->root(), problems), QString(), context);
    readTop(top, loaded.config);
    if (!problems.isEmpty()) {
        return problems.toError();
    }
    loaded.warnings = problems.warnings();
    return loaded;
}

Result<LoadedConfig> loadConfigFile(const QString &path, const QProcessEnvironment &environment)
{
    const QFileInfo info(path);
    if (!info.exists() && !info.isSymLink()) {
        LoadedConfig loaded;
        loaded.config = defaultConfig(environment);
        loaded.file = path;
        loaded.fileExists = false;
        return loaded;
    }
    QFile file(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly)) {
        return Error { ErrorCode::ConfigInvalid,
            ConfigReaderText::tr(
                "%1: the configuration cannot be read (%2). Make it a file that this user may read.")
                .arg(path,
                    info.exists() && !info.isFile() ? ConfigReaderText::tr("it is not a file")
                                                    : file.errorString()),
            path };
    }
    Result<LoadedConfig> loaded = readConfig(file.read(c_maxYamlBytes + 1), path, environment);
    if (!loaded) {
        return loaded;
    }
    for (const ServerConfig &server : loaded.value().config.servers) {
        if (!server.apiKey.isEmpty() && server.apiKeyFile.isEmpty() && othersMayReadFile(path)) {
            loaded.value().warnings.append(ConfigReaderText::tr(
                "%1: other users of this machine can read the apiKey in it; chmod 600 keeps it to you")
                                               .arg(path));
            break;
        }
    }
    return loaded;
}

QString configHash(const QByteArray &yaml)
{
    return QString::fromLatin1(QCryptographicHash::hash(yaml, QCryptographicHash::Sha256).toHex());
}

} // namespace kv
