// SPDX-License-Identifier: MIT
#pragma once

#include "httpcall.h"
#include "localprocess.h"
#include "servercommandline.h"
#include "serverendpoint.h"
#include "serverjson.h"

#include <QList>
#include <QObject>
#include <QStringList>
#include <QUrl>

#include <optional>
#include <vector>

namespace kv {

/// Something without which kv-persist cannot save and restore on a server.
struct MissingPiece {
    QString name; ///< "server", "slots", "slotSavePath", "apiKey", "model": stable, for programs
    QString remedy; ///< the flag or setting that helps: "--slot-save-path DIR"
    QString message; ///< what happened, what it means, what to do
};

/// What a look at an endpoint told. GETs only, and none that wakes a sleeping server or loads a model.
struct ServerFindings {
    enum class Key { NotAsked, Accepted, Missing, Wrong };

    QUrl base;
    bool heard = false; ///< something listens there and answers, or hangs up: perhaps no llama-server
    bool alive = false; ///< inference: GET /health answers ok
    bool loading = false; ///< it answers, but its model is still being loaded
    bool llamaServer = false; ///< it answers as a llama-server does
    bool router = false;
    bool sleeping = false;
    Key key = Key::NotAsked;
    std::optional<bool>
        slotsListing; ///< GET /slots is served; nullopt: not known (asleep, router, no rights)
    /// Whether it was started with --slot-save-path. No GET tells; known only where its command line can be
    /// read. Of a router: whether any of its models is, as it tells itself.
    std::optional<bool> slotSavePath;
    int totalSlots = 0;
    qint64 slotContext = 0;
    QString boot; ///< bootOf(); empty: not known (a router, or what it tells of one of its models)
    QString build;
    QString modelPath;
    QString alias;
    std::optional<bool> multimodal; ///< it takes images or sound; nullopt: not told
    bool showsPrompts = false; ///< GET /slots shows what is in the slots, to whoever asks
    QStringList models; ///< router: names of its models
    QStringList loadedModels; ///< router: those of them that are in memory
    /// Its command line and environment, where they can be read: of a process on this machine, or as a router
    /// tells it of its model.
    std::optional<ServerCommandLine> commandLine;
    /// Of the router itself, where it can be read: it is what others reach, its models' processes are not.
    std::optional<ServerCommandLine> routerLine;
    bool local = false; ///< a process of this machine, which sees the same files
    QString slotFolder; ///< `local`: the folder that it saves slots to; empty: none, or not known
    qint64 userId = -1; ///< `local`: whose rights it has; −1: not known
    std::vector<qint64> groupIds;
    QList<MissingPiece> missing; ///< empty: nothing that can be seen from outside stands in the way
};

/// One look at one endpoint. Emits finished() once and never before start() has returned; deleting it
/// cancels.
class ServerDiscovery final : public QObject {
    Q_OBJECT

public:
    /// In router mode `endpoint.routerModel` may name the model that is meant.
    explicit ServerDiscovery(const ServerEndpoint &endpoint, QObject *parent = nullptr,
        ProcessFinder finder = findListeningServer);
    ~ServerDiscovery() override;
    Q_DISABLE_COPY_MOVE(ServerDiscovery)

    /// Also asks for the slots of a server that is awake and says that it lists them: to see what is shown.
    void lookIntoSlots() { m_looksIntoSlots = true; }
    void start();

Q_SIGNALS:
    void finished(const kv::ServerFindings &findings);

private:
    using Step = void (ServerDiscovery::*)(const HttpAnswer &);
    void ask(const QString &path, Step next);
    void onHealth(const HttpAnswer &answer);
    void onProps(const HttpAnswer &answer);
    void onModels(const HttpAnswer &answer);
    void onSlots(const HttpAnswer &answer);
    [[nodiscard]] bool savesSlots(const ModelEntry &model) const; ///< as it was, or would be, started
    void judgeRouter(const std::vector<ModelEntry> &models);
    void addMissing(const QString &name, const QString &remedy, const QString &message);
    void lookAtProcess(const PropsAnswer &props);
    void finish();

    HttpClient m_http;
    ProcessFinder m_finder;
    QString m_where;
    ServerFindings m_findings;
    bool m_looksIntoSlots = false;
};

/// Looks at the ports of this machine where a llama-server usually listens. Emits finished() once, with those
/// that are llama-servers, in the order of the ports.
class LocalDiscovery final : public QObject {
    Q_OBJECT

public:
    explicit LocalDiscovery(QList<quint16> ports = { 8080, 9931 }, QObject *parent = nullptr);
    ~LocalDiscovery() override;
    Q_DISABLE_COPY_MOVE(LocalDiscovery)

    void start();

Q_SIGNALS:
    void finished(const QList<kv::ServerFindings> &servers);

private:
    void oneDone(qsizetype index, const ServerFindings &findings);

    QList<quint16> m_ports;
    QList<ServerFindings> m_found;
    qsizetype m_running = 0;
};

} // namespace kv
