// SPDX-License-Identifier: MIT
#include "realllamaserver.h"

#include <QDir>
#include <QFileInfo>
#include <QHostAddress>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QStandardPaths>
#include <QTcpServer>
#include <QtTest>

namespace kv::test {

namespace {

constexpr int c_startMs = 30000;
constexpr int c_stopMs = 10000;
constexpr int c_starts = 3; // somebody may take the free port before the server does

QString cacheFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
        + QStringLiteral("/kv-persist");
}

} // namespace

quint16 freePort()
{
    QTcpServer probe;
    return probe.listen(QHostAddress::LocalHost) ? probe.serverPort() : quint16 { 0 };
}

QString RealLlamaServer::program()
{
    const QString named = qEnvironmentVariable("KV_PERSIST_TEST_LLAMA_SERVER");
    const QString file
        = named.isEmpty() ? cacheFolder() + QStringLiteral("/llama-server/llama-server") : named;
    return QFileInfo(file).isExecutable() ? file : QString();
}

QString RealLlamaServer::model(const QString &name)
{
    const QString named = qEnvironmentVariable("KV_PERSIST_TEST_MODELS");
    const QString folder = named.isEmpty() ? cacheFolder() + QStringLiteral("/models") : named;
    const QString file = folder + QLatin1Char('/') + name + QStringLiteral(".gguf");
    return QFileInfo::exists(file) ? file : QString();
}

QString RealLlamaServer::whyNot(const QString &modelName)
{
    if (program().isEmpty()) {
        return QStringLiteral("no llama-server here: packaging/test.sh fetches one where it can, "
                              "KV_PERSIST_TEST_LLAMA_SERVER names one");
    }
    if (model(modelName).isEmpty()) {
        return QStringLiteral("the model %1 is missing: tests/tools/make_tiny_gguf.py makes it")
            .arg(modelName);
    }
    return {};
}

RealLlamaServer::RealLlamaServer(
    const QString &modelName, const QString &slotFolder, const QStringList &flags)
    : m_modelName(modelName)
    , m_slotFolder(slotFolder)
    , m_flags(flags)
{
}

RealLlamaServer::~RealLlamaServer() { kill(); }

bool RealLlamaServer::start()
{
    for (int attempt = 0; attempt < c_starts; ++attempt) {
        if (m_port == 0) {
            m_port = freePort();
        }
        QStringList arguments { QStringLiteral("--host"), QStringLiteral("127.0.0.1"),
            QStringLiteral("--port"), QString::number(m_port) };
        if (!m_modelName.isEmpty()) {
            arguments << QStringLiteral("-m") << model(m_modelName);
        }
        if (!m_slotFolder.isEmpty()) {
            arguments << QStringLiteral("--slot-save-path") << m_slotFolder;
        }
        m_process = std::make_unique<QProcess>();
        m_process->setProcessChannelMode(QProcess::MergedChannels);
        QObject::connect(m_process.get(), &QProcess::readyRead, m_process.get(),
            [this] { m_log += QString::fromUtf8(m_process->readAll()); });
        m_process->start(program(), arguments + m_flags);
        if (waitHealthy()) {
            return true;
        }
        const bool taken = m_log.contains(QStringLiteral("bind"));
        kill();
        if (!taken) {
            return false;
        }
        m_port = 0;
    }
    return false;
}

bool RealLlamaServer::waitHealthy()
{
    QNetworkAccessManager network;
    bool healthy = false;
    return QTest::qWaitFor(
               [&] {
                   QNetworkReply *reply = network.get(QNetworkRequest(url(QStringLiteral("/health"))));
                   const bool answered = QTest::qWaitFor([reply] { return reply->isFinished(); }, 1000);
                   healthy = answered
                       && reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == 200;
                   delete reply;
                   return healthy || !running();
               },
               c_startMs)
        && healthy && running();
}

void RealLlamaServer::stop()
{
    if (running()) {
        m_process->terminate();
        if (!QTest::qWaitFor([this] { return !running(); }, c_stopMs)) {
            m_log += QStringLiteral("(it did not stop and was killed)\n");
        }
    }
    kill();
}

void RealLlamaServer::kill()
{
    if (m_process != nullptr) {
        m_process->kill();
        m_process->waitForFinished(c_stopMs);
        m_log += QString::fromUtf8(m_process->readAll());
        m_process.reset();
    }
}

bool RealLlamaServer::restart()
{
    stop();
    return start();
}

bool RealLlamaServer::running() const
{
    return m_process != nullptr && m_process->state() != QProcess::NotRunning;
}

QUrl RealLlamaServer::url(const QString &path) const
{
    return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(m_port).arg(path));
}

qint64 RealLlamaServer::pid() const { return m_process == nullptr ? 0 : m_process->processId(); }

} // namespace kv::test
