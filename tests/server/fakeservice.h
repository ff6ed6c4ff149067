// SPDX-License-Identifier: MIT
#pragma once

#include "service.h"

#include <QList>
#include <QStringList>

#include <map>
#include <optional>

namespace kv {

/// A Service whose answers a test scripts. It records what it was asked; answers that are held are given by
/// release…(), and are dropped, as the contract says, when their connection closes.
class FakeService final : public Service {
    Q_OBJECT

public:
    using Service::Service;

    // What it was asked
    QStringList calls; ///< names of the functions in the order of their calls
    QList<ConnectionId> opened;
    QList<ConnectionId> closed;
    std::optional<BeginRequest> lastBegin;
    std::optional<EndRequest> lastEnd;
    std::optional<SessionHint> lastHint;
    std::optional<SessionCall> lastCall;
    std::optional<ListCall> lastList;
    std::optional<HistoryCall> lastHistory;
    SlotKey lastSlot;
    QString lastServer;
    QString lastReason;
    bool lastFlag = false; ///< pinned, dryRun
    qint64 lastForMs = 0;
    QStringList lastConfig;
    QJsonObject lastDoctor;
    ClientNote lastClient;

    // What it answers
    bool hold = false; ///< calls with a Reply wait for releaseAll()
    std::variant<BeginAnswer, BeginFailure> beginAnswer = residentGrant();
    Result<EndAnswer> endAnswer = EndAnswer { true, 7, std::nullopt, 0, 0, {} };
    Result<ManualAnswer> manualAnswer = ManualAnswer();
    Result<QJsonObject> document = QJsonObject { { QStringLiteral("marker"), 1 } };
    QList<QJsonObject> doctorChecks;
    QJsonObject statusDocument { { QStringLiteral("enabled"), true } };

    static BeginAnswer residentGrant()
    {
        BeginAnswer answer;
        answer.managed = true;
        answer.server = QStringLiteral("local");
        answer.grant.outcome = Outcome::Resident;
        answer.grant.lease = 12;
        answer.grant.slot = { {}, 0 };
        return answer;
    }

    [[nodiscard]] std::size_t heldCount() const { return m_held.size(); }
    /// Answers all held calls, the newest first: the order of answers is not that of the requests.
    void releaseAll()
    {
        while (!m_held.empty()) {
            auto last = std::prev(m_held.end());
            const Held held = last->second;
            m_held.erase(last);
            held.answer(false);
        }
    }

    ConnectionId openConnection() override
    {
        opened.append(++m_lastConnection);
        return m_lastConnection;
    }
    void closeConnection(ConnectionId connection) override
    {
        closed.append(connection);
        std::erase_if(
            m_held, [connection](const auto &entry) { return entry.second.connection == connection; });
    }
    bool cancel(ConnectionId connection, RequestId request) override
    {
        calls.append(QStringLiteral("cancel"));
        const auto entry = m_held.find(request);
        if (entry == m_held.end() || entry->second.connection != connection) {
            return false;
        }
        const Held held = entry->second;
        m_held.erase(entry);
        held.answer(true);
        return true;
    }

    [[nodiscard]] QStringList providers() const override { return { QStringLiteral("local-qwen") }; }
    [[nodiscard]] QStringList features() const override { return { QStringLiteral("events") }; }

    RequestId begin(BeginRequest request, BeginReply reply) override
    {
        calls.append(QStringLiteral("begin"));
        lastBegin = request;
        return answerOrHold(request.connection, [this, reply](bool cancelled) {
            cancelled ? reply(BeginFailure { cancelledError(), false }) : reply(beginAnswer);
        });
    }
    void end(EndRequest request, Reply<EndAnswer> reply) override
    {
        calls.append(QStringLiteral("end"));
        lastEnd = request;
        reply(endAnswer);
    }
    std::vector<LeaseView> leaseViews; ///< what leases() answers
    QStringList prefixNotes; ///< "session: change" of each
    [[nodiscard]] std::vector<LeaseView> leases(const QString &) const override { return leaseViews; }
    void notePrefix(const QString &, const QString &session, const QString &change) override
    {
        if (!change.isEmpty()) {
            prefixNotes.append(session + QStringLiteral(": ") + change);
        }
    }
    QStringList reuseNotes; ///< "session: cached/total" of each
    void noteReuse(const QString &, const QString &session, qint64 cached, qint64 total) override
    {
        reuseNotes.append(QStringLiteral("%1: %2/%3").arg(session).arg(cached).arg(total));
    }
    void hint(SessionHint hint) override
    {
        calls.append(QStringLiteral("hint"));
        lastHint = hint;
    }

    RequestId save(const SessionCall &call, Reply<ManualAnswer> reply) override
    {
        return manual(QStringLiteral("save"), call, reply);
    }
    RequestId restore(const SessionCall &call, Reply<ManualAnswer> reply) override
    {
        return manual(QStringLiteral("restore"), call, reply);
    }
    RequestId invalidate(const SessionCall &call, const QString &reason, Reply<ManualAnswer> reply) override
    {
        lastReason = reason;
        return manual(QStringLiteral("invalidate"), call, reply);
    }
    RequestId purge(const SessionCall &call, Reply<ManualAnswer> reply) override
    {
        return manual(QStringLiteral("purge"), call, reply);
    }
    RequestId pin(const SessionCall &call, bool pinned, Reply<ManualAnswer> reply) override
    {
        lastFlag = pinned;
        return manual(QStringLiteral("pin"), call, reply);
    }
    RequestId erase(ConnectionId connection, const QString &server, const SlotKey &slot,
        Reply<ManualAnswer> reply) override
    {
        lastSlot = slot;
        return manual(QStringLiteral("erase"), { connection, {}, {}, {}, server }, reply);
    }
    RequestId flush(ConnectionId connection, Reply<ManualAnswer> reply) override
    {
        return manual(QStringLiteral("flush"), { connection, {}, {}, {}, {} }, reply);
    }

    [[nodiscard]] Document status() const override { return statusDocument; }
    [[nodiscard]] Result<Document> list(const ListCall &call) const override
    {
        const_cast<FakeService *>(this)->lastList = call;
        return document;
    }
    [[nodiscard]] Result<Document> get(const SessionCall &call) const override
    {
        const_cast<FakeService *>(this)->lastCall = call;
        return document;
    }
    [[nodiscard]] Result<Document> history(const HistoryCall &call) const override
    {
        const_cast<FakeService *>(this)->lastHistory = call;
        return document;
    }
    [[nodiscard]] QString metricsText() const override { return QStringLiteral("dsh_kv_save_total 1\n"); }
    void discover(Reply<Document> reply) override
    {
        calls.append(QStringLiteral("discover"));
        reply(document);
    }
    void noteClient(ConnectionId /*connection*/, const ClientNote &note) override { lastClient = note; }
    RequestId doctor(ConnectionId connection, const QJsonObject &params,
        std::function<void(QJsonObject)> check, Reply<Document> reply) override
    {
        calls.append(QStringLiteral("doctor"));
        lastDoctor = params;
        for (const QJsonObject &done : std::as_const(doctorChecks)) {
            check(done);
        }
        return answerOrHold(connection, [this, reply](bool cancelled) {
            reply(cancelled ? Result<Document>(cancelledError()) : document);
        });
    }
    Result<Document> gc(bool dryRun) override
    {
        calls.append(QStringLiteral("gc"));
        lastFlag = dryRun;
        return document;
    }
    Result<Document> pause(const QString &server, qint64 forMs) override
    {
        calls.append(QStringLiteral("pause"));
        lastServer = server;
        lastForMs = forMs;
        return document;
    }
    Result<Document> resume(const QString &server) override
    {
        calls.append(QStringLiteral("resume"));
        lastServer = server;
        return document;
    }
    Result<Document> reload() override
    {
        calls.append(QStringLiteral("reload"));
        return document;
    }
    Result<Document> config(const QString &action, const QString &yaml, const QString &ifHash) override
    {
        calls.append(QStringLiteral("config"));
        lastConfig = { action, yaml, ifHash };
        return document;
    }

private:
    struct Held {
        ConnectionId connection = 0;
        std::function<void(bool cancelled)> answer;
    };

    static Error cancelledError() { return { ErrorCode::Cancelled, QStringLiteral("Cancelled."), {} }; }

    RequestId answerOrHold(ConnectionId connection, std::function<void(bool cancelled)> answer)
    {
        const RequestId id = ++m_lastRequest;
        if (hold) {
            m_held.emplace(id, Held { connection, std::move(answer) });
        } else {
            answer(false);
        }
        return id;
    }
    RequestId manual(const QString &name, const SessionCall &call, const Reply<ManualAnswer> &reply)
    {
        calls.append(name);
        lastCall = call;
        return answerOrHold(call.connection, [this, reply](bool cancelled) {
            reply(cancelled ? Result<ManualAnswer>(cancelledError()) : manualAnswer);
        });
    }

    ConnectionId m_lastConnection = 0;
    RequestId m_lastRequest = 0;
    std::map<RequestId, Held> m_held;
};

} // namespace kv
