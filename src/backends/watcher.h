// SPDX-License-Identifier: MIT
#pragma once

#include "factsbook.h"
#include "httpcall.h"
#include "processexit.h"
#include "serverendpoint.h"
#include "serverfacts.h"
#include "serverjson.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace kv {

/// Looks again and again whether the server is there and still the same, without changing what it looks at:
/// GET /props (router mode: GET /models), on connections of its own. Never GET /slots, which would wake a
/// sleeper. One poll at a time; the next is due one interval after the last was answered. The end of a local
/// server process is told at once, by the system.
class Watcher final : public QObject {
    Q_OBJECT

public:
    /// `book`: the backend's, so that both tell the same boot id.
    Watcher(const ServerEndpoint &endpoint, std::shared_ptr<FactsBook> book, QObject *parent = nullptr);
    ~Watcher() override;
    Q_DISABLE_COPY_MOVE(Watcher)

    /// In force at once: a wait that has begun is made as short as the new interval.
    void setInterval(int ms);
    void start(); ///< polls now
    void stop(); ///< drops a running poll; no signal after it
    void pollNow(); ///< unless a poll runs
    /// Router mode: as if it had asked for this list itself.
    void take(const std::vector<ModelEntry> &models);

Q_SIGNALS:
    /// After every poll that was answered: a sign of life, whatever is new in it.
    void observed(const kv::ServerFacts &facts);
    /// After every poll that was not, or not by a llama-server that serves us. `message` is for the user.
    /// Router mode: also when the model's process failed, before observed() says that it is not loaded; that
    /// the router unloads a model is no loss. `refused`: nobody listens, so the process is gone and with it
    /// what its slots held.
    void lost(const QString &message, bool refused);

private:
    void onProcessEnded();
    void onAnswer(const HttpAnswer &answer);
    [[nodiscard]] QString readProps(const HttpAnswer &answer);
    [[nodiscard]] QString readModels(const HttpAnswer &answer);
    [[nodiscard]] QString noteModels(const std::vector<ModelEntry> &models);
    void tell(const QString &trouble, bool refused);

    HttpClient m_http;
    std::shared_ptr<FactsBook> m_book;
    QTimer m_timer;
    ProcessExit m_process;
    HttpCall *m_call = nullptr;
    int m_intervalMs = 15000;
    bool m_started = false;
};

} // namespace kv
