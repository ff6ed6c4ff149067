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

    /// Unless it is being asked already. Answered by exactly one signal, from the event loop.
    void ask();
    [[nodiscard]] bool isAsking() const { return m_call != nullptr; }

Q_SIGNALS:
    void told(const std::vector<kv::ModelEntry> &models);
    void failed(const QString &message); ///< for the user

private:
    void onAnswer(const HttpAnswer &answer);

    HttpClient m_http;
    HttpCall *m_call = nullptr;
};

} // namespace kv
