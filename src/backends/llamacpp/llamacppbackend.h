// SPDX-License-Identifier: MIT
#pragma once

#include "factsbook.h"
#include "httpcall.h"
#include "kvbackend.h"
#include "serverendpoint.h"

#include <QElapsedTimer>
#include <QJsonObject>

#include <memory>

namespace kv {

/// llama-server over HTTP. The only place that sends anything to /slots. How failures are told apart:
/// failuretext.h.
class LlamaCppBackend final : public KvBackend {
    Q_OBJECT

public:
    explicit LlamaCppBackend(const ServerEndpoint &endpoint, QObject *parent = nullptr,
        ProcessFinder finder = findListeningServer);
    ~LlamaCppBackend() override;
    Q_DISABLE_COPY_MOVE(LlamaCppBackend)

    void start(const Op &op, const QString &fileName) override;

    /// For the watcher of the same server, so that both tell the same boot id.
    [[nodiscard]] const std::shared_ptr<FactsBook> &book() const { return m_book; }

private:
    void startRead(const Op &op);
    void startAction(const Op &op, const QString &fileName);
    void startNudge(const Op &op);
    void nameModel(QJsonObject &body) const; ///< router mode only
    void onAction(const Op &op, const QString &fileName, const HttpAnswer &answer);
    void refuse(const Op &op, const QString &message);

    HttpClient m_http;
    std::shared_ptr<FactsBook> m_book;
};

/// The port of an endpoint if it is on this machine, else 0.
quint16 localPort(const QUrl &base);

} // namespace kv
