// SPDX-License-Identifier: MIT
#pragma once

#include "fakeengine.h"
#include "fakefiles.h"
#include "fakehttp.h"
#include "fakeoptions.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QUrl>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace kv::test {

/// One request that the server got.
struct FakeCall {
    QByteArray method;
    QString path;
    QUrlQuery query;
    QByteArray body;
    QByteArray authorization;
    qint64 atMs = 0; ///< since the fake was made

    [[nodiscard]] QString action() const { return query.queryItemValue(QStringLiteral("action")); }
    [[nodiscard]] QJsonObject json() const;
};

/// A llama-server over real HTTP on loopback, in the test's own event loop. Faults are scripted per action:
/// "save", "restore", "erase", "slots", "props", "models", "lora", "metrics", "health", "completion"; each
/// takes the next call of that action, in the order in which they were given.
class FakeLlamaServer final : public QObject {
    Q_OBJECT

public:
    explicit FakeLlamaServer(FakeOptions options = {}, QObject *parent = nullptr);
    ~FakeLlamaServer() override;
    Q_DISABLE_COPY_MOVE(FakeLlamaServer)

    bool start(); ///< listens; with a new media_marker and empty slots
    void stop(); ///< as a killed process: connections cut, nobody listens, slots gone
    bool restart(); ///< stop and start in an instant, same port
    bool restartWith(const FakeOptions &options);
    /// Another process took the port between two calls, so fast that no connection was refused.
    void becomes(const FakeOptions &options);
    void setLoading(bool loading) { m_loading = loading; } ///< 503 for everything
    void sleepNow() { engine().sleepNow(); }
    void setDiskFull(bool full); ///< until set again
    void setLora(const QByteArray &json) { m_options.lora = json; }
    /// Router: loads or unloads a model, as somebody else would.
    void loadModel(const QString &model);
    void unloadModel(const QString &model) { m_engines.erase(model); }
    void failModel(const QString &model) ///< its process crashes
    {
        m_engines.erase(model);
        m_failed.insert(model);
    }
    /// Router: of a loaded model; null: it is not loaded.
    [[nodiscard]] FakeEngine *modelEngine(const QString &model) const
    {
        const auto found = m_engines.find(model);
        return found == m_engines.end() ? nullptr : found->second.get();
    }

    // Faults of the next call of an action.
    void failNext(const QString &action, int status, int times = 1);
    void dropNext(const QString &action); ///< carried out, then the connection is cut without an answer
    void dropBeforeNext(const QString &action); ///< cut without an answer, and not carried out
    void delayNext(const QString &action, int ms); ///< save, restore, erase: takes effect that much later
    void holdNext(const QString &action, int ms); ///< carried out now, answered later
    void hangNext(const QString &action); ///< carried out, never answered, connection kept
    void garbageNext(const QString &action, const QByteArray &body = "\x01\x02 no JSON {");
    void truncateNext(const QString &action); ///< a 200 whose body ends half way
    void answerNext(const QString &action, int status, const QByteArray &body); ///< not carried out

    void clearFaults() { m_faults.clear(); } ///< that no call has taken yet

    [[nodiscard]] quint16 port() const { return m_http.port(); }
    [[nodiscard]] QUrl url() const;
    [[nodiscard]] const QString &mediaMarker() const { return m_marker; }
    /// The (first loaded) model's slots. Valid until stop() or restart().
    [[nodiscard]] FakeEngine &engine(const QString &model = {});
    [[nodiscard]] FakeFiles &files() { return m_files; }

    [[nodiscard]] const std::vector<FakeCall> &calls() const { return m_calls; }
    [[nodiscard]] std::vector<FakeCall> slotCalls() const; ///< POST /slots/…
    [[nodiscard]] std::vector<FakeCall> callsTo(const QString &path) const;
    void clearCalls() { m_calls.clear(); }
    [[nodiscard]] int connectionsSeen() const { return m_http.connectionsSeen(); }

Q_SIGNALS:
    void called(const kv::test::FakeCall &call);
    void died(); ///< a damaged snapshot killed it

private:
    enum class FaultKind { Fail, Drop, DropBefore, Delay, Hold, Hang, Garbage, Truncate, Answer };
    struct Fault {
        FaultKind kind = FaultKind::Fail;
        int number = 0;
        QByteArray body;
    };
    struct Reply {
        int status = 200;
        QByteArray body;
        QList<QByteArray> headers;
    };
    void beginProcess();
    void forgetEngines();
    void handle(const FakeExchangePtr &exchange);
    void route(const FakeExchangePtr &exchange, const QString &action, const std::optional<Fault> &fault);
    [[nodiscard]] static QString actionOf(const FakeHttpRequest &request);
    [[nodiscard]] std::optional<Fault> takeFault(const QString &action);
    void answer(const FakeExchangePtr &exchange, const Reply &reply, const std::optional<Fault> &fault,
        int waitMs = 0);
    [[nodiscard]] FakeEngine *engineFor(const FakeExchangePtr &exchange, Reply &refusal);
    // fakeroutes.cpp
    [[nodiscard]] Reply props(const FakeEngine *engine) const;
    [[nodiscard]] Reply models() const;
    [[nodiscard]] Reply inspection(const FakeEngine &engine, const QString &action) const;
    void slotAction(FakeEngine &engine, const FakeExchangePtr &exchange, const QString &action,
        const std::optional<Fault> &fault);
    void completion(FakeEngine &engine, const FakeExchangePtr &exchange, const std::optional<Fault> &fault);
    [[nodiscard]] static Reply error(int status, const QString &message, const QString &type);

    FakeOptions m_options;
    FakeFiles m_files;
    FakeHttp m_http;
    std::set<QString> m_failed; // router: models whose last process crashed
    std::map<QString, std::unique_ptr<FakeEngine>> m_engines; // router: loaded models; else one, under ""
    std::map<QString, int> m_childPorts;
    QHash<QString, QList<Fault>> m_faults;
    std::vector<FakeCall> m_calls;
    QElapsedTimer m_clock;
    QString m_marker;
    int m_markers = 0;
    bool m_loading = false;
};

} // namespace kv::test
