// SPDX-License-Identifier: MIT
#pragma once
// Stands in for src/runtime/runtimeservice.h until that file is there (src/daemon/CMakeLists.txt chooses): a
// service that manages nothing, so that the process around it can be built and tested.

#include "config.h"
#include "configreader.h"
#include "service.h"

#include <QCoreApplication>
#include <QProcessEnvironment>
#include <QTimer>

#include <memory>

namespace kv {

struct RuntimeOptions {
    Config config;
    QString configPath;
};

class RuntimeService final : public Service {
    Q_OBJECT

public:
    static Result<std::unique_ptr<RuntimeService>> create(RuntimeOptions options, QObject *parent)
    {
        return std::unique_ptr<RuntimeService>(new RuntimeService(std::move(options), parent));
    }
    void shutdown(qint64 /*boundMs*/) { QTimer::singleShot(0, this, &RuntimeService::shutdownFinished); }

    ConnectionId openConnection() override { return ++m_lastConnection; }
    void closeConnection(ConnectionId /*connection*/) override { }
    bool cancel(ConnectionId /*connection*/, RequestId /*request*/) override { return false; }
    [[nodiscard]] QStringList providers() const override { return {}; }
    [[nodiscard]] QStringList features() const override { return {}; }
    RequestId begin(BeginRequest /*request*/, BeginReply reply) override
    {
        BeginAnswer answer;
        answer.grant.outcome = Outcome::Unmanaged;
        reply(answer);
        return ++m_lastRequest;
    }
    void end(EndRequest /*request*/, Reply<EndAnswer> reply) override
    {
        reply(Error { ErrorCode::LeaseUnknown, QStringLiteral("There is no such lease."), {} });
    }
    void hint(SessionHint /*hint*/) override { }
    RequestId save(const SessionCall & /*call*/, Reply<ManualAnswer> reply) override
    {
        return nothing(reply);
    }
    RequestId restore(const SessionCall & /*call*/, Reply<ManualAnswer> reply) override
    {
        return nothing(reply);
    }
    RequestId invalidate(
        const SessionCall & /*call*/, const QString & /*reason*/, Reply<ManualAnswer> reply) override
    {
        return nothing(reply);
    }
    RequestId purge(const SessionCall & /*call*/, Reply<ManualAnswer> reply) override
    {
        return nothing(reply);
    }
    RequestId pin(const SessionCall & /*call*/, bool /*pinned*/, Reply<ManualAnswer> reply) override
    {
        return nothing(reply);
    }
    RequestId erase(ConnectionId /*connection*/, const QString & /*server*/, const SlotKey & /*slot*/,
        Reply<ManualAnswer> reply) override
    {
        return nothing(reply);
    }
    RequestId flush(ConnectionId /*connection*/, Reply<ManualAnswer> reply) override
    {
        reply(ManualAnswer {});
        return ++m_lastRequest;
    }
    [[nodiscard]] Document status() const override
    {
        return { { QStringLiteral("enabled"), m_options.config.enabled },
            { QStringLiteral("pid"), QCoreApplication::applicationPid() },
            { QStringLiteral("configPath"), m_options.configPath } };
    }
    [[nodiscard]] Result<Document> list(const ListCall & /*call*/) const override { return Document(); }
    [[nodiscard]] Result<Document> get(const SessionCall & /*call*/) const override { return Document(); }
    [[nodiscard]] Result<Document> history(const HistoryCall & /*call*/) const override { return Document(); }
    [[nodiscard]] QString metricsText() const override { return {}; }
    void discover(Reply<Document> reply) override { reply(Document()); }
    RequestId doctor(ConnectionId /*connection*/, const QJsonObject & /*params*/,
        std::function<void(QJsonObject)> /*check*/, Reply<Document> reply) override
    {
        reply(Document());
        return ++m_lastRequest;
    }
    Result<Document> gc(bool /*dryRun*/) override { return Document(); }
    Result<Document> pause(const QString & /*server*/, qint64 /*forMs*/) override { return Document(); }
    Result<Document> resume(const QString & /*server*/) override { return Document(); }
    Result<Document> reload() override
    {
        Result<LoadedConfig> loaded
            = loadConfigFile(m_options.configPath, QProcessEnvironment::systemEnvironment());
        if (!loaded) {
            return loaded.error();
        }
        m_options.config = loaded.value().config;
        Q_EMIT eventEmitted({ { QStringLiteral("name"), QStringLiteral("kv.config.reloaded") } });
        return Document();
    }
    Result<Document> config(
        const QString & /*action*/, const QString & /*yaml*/, const QString & /*ifHash*/) override
    {
        return Document();
    }

Q_SIGNALS:
    void shutdownFinished();

private:
    RuntimeService(RuntimeOptions options, QObject *parent)
        : Service(parent)
        , m_options(std::move(options))
    {
    }
    RequestId nothing(const Reply<ManualAnswer> &reply)
    {
        reply(Error { ErrorCode::SessionUnknown, QStringLiteral("No such session."), {} });
        return ++m_lastRequest;
    }

    RuntimeOptions m_options;
    ConnectionId m_lastConnection = 0;
    RequestId m_lastRequest = 0;
};

} // namespace kv
