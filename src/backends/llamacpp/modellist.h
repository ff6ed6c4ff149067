// SPDX-License-Identifier: MIT
#pragma once

#include "httpcall.h"
#include "serverendpoint.h"
#include "serverjson.h"

#include <QObject>

#include <vector>

namespace kv {

/// Asks a router for its models (GET /models): their names and which of them are loaded. Loads nothing.
class ModelList final : public QObject {
    Q_OBJECT

public:
    explicit ModelList(ServerEndpoint endpoint, QObject *parent = nullptr);
    ~ModelList() override;
    Q_DISABLE_COPY_MOVE(ModelList)

    /// Answered by a signal from the event loop, with what the router says from now on: if it is being asked
    /// already, it is asked once more, and only that answer is told.
    void ask();

Q_SIGNALS:
    void told(const std::vector<kv::ModelEntry> &models);
    void failed(const QString &message); ///< for the user

private:
    void onAnswer(const HttpAnswer &answer);

    HttpClient m_http;
    HttpCall *m_call = nullptr;
    bool m_again = false;
};

} // namespace kv
