// SPDX-License-Identifier: MIT
#include "trapkit.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QtEndian>

namespace kv::test {

QByteArray tokensIn(const QByteArray &file)
{
    constexpr qsizetype c_header = 36;
    constexpr qsizetype c_countAt = 8;
    constexpr qsizetype c_bytesPerToken = 4;
    QByteArray out;
    if (file.size() >= c_header) {
        const auto tokens = static_cast<qsizetype>(qFromLittleEndian<quint64>(file.constData() + c_countAt));
        for (qsizetype i = 0; i < tokens && c_header + i * c_bytesPerToken < file.size(); ++i) {
            out.append(file.at(c_header + i * c_bytesPerToken));
        }
    }
    return out;
}

void onceCalled(FakeLlamaServer &server, const QString &action, std::function<void()> deed)
{
    const auto due = std::make_shared<bool>(true);
    QObject::connect(&server, &FakeLlamaServer::called, &server,
        [action, deed = std::move(deed), due](const FakeCall &call) {
            const bool isIt = call.method == "POST" ? call.action() == action : call.path == u'/' + action;
            if (*due && isIt) {
                *due = false;
                deed();
            }
        });
}

void strangerBegins(FakeLlamaServer &server, const QByteArray &prompt, int slot)
{
    FakeCompletion request;
    request.prompt = prompt;
    request.slot = slot;
    server.engine().setManualInference(true);
    server.engine().complete(request, [](const FakeCompletionReply &) {});
}

ProcessFinder localServer(const QStringList &arguments, qint64 startedMsAgo)
{
    const qint64 startedWallMs = QDateTime::currentMSecsSinceEpoch() - startedMsAgo;
    return [arguments, startedWallMs](quint16) {
        LocalProcess process;
        process.pid = QCoreApplication::applicationPid();
        process.startTicks = 1;
        process.startWallMs = startedWallMs;
        process.argv = QStringList { u"llama-server"_qs } + arguments;
        process.workingDirectory = u"/"_qs;
        return std::optional<LocalProcess>(process);
    };
}

void manageSlots(Stage &stage) { stage.config.servers.front().mode = ServerConfig::Mode::ManagedSlots; }

QJsonObject manifestOf(Stage &stage, const QString &session)
{
    const Result<QJsonObject> got = stage.service().get(stage.call(session));
    return got ? got.value().value(u"manifests").toArray().at(0).toObject() : QJsonObject();
}

QByteArray savedTokens(Stage &stage, const QString &session)
{
    const QString name = manifestOf(stage, session).value(u"snapshotFilename").toString();
    return tokensIn(stage.server().files().read(name).value_or(QByteArray()));
}

} // namespace kv::test
