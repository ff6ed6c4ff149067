// SPDX-License-Identifier: MIT
#pragma once

#include "fakellamaserver.h"
#include "runtimeservice.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <optional>
#include <vector>

namespace kv::test {

/// What a call was answered, if it was.
template <typename T> struct Asked {
    std::optional<T> answer;
    std::optional<Error> error;
    RequestId id = 0;
    int replies = 0;
    bool strict = false;

    [[nodiscard]] bool done() const { return replies > 0; }
    [[nodiscard]] bool waited()
    {
        return QTest::qWaitFor([this] { return done(); }, 20'000);
    }
};
template <typename T> using AskedPtr = std::shared_ptr<Asked<T>>;

/// The real runtime and database before fake llama-servers over HTTP: server "a" serves provider "pa", "b"
/// serves "pb" and so on. Without a watcher (so that every request a server gets was caused by a call) unless
/// told otherwise.
class Stage final {
public:
    explicit Stage(int servers = 1, const FakeOptions &options = {});
    ~Stage();
    Q_DISABLE_COPY_MOVE(Stage)

    /// Each takes effect with the next open().
    Config config;
    bool watched = false;
    ProcessFinder finder; ///< empty: finds nothing
    const Clock *clock = nullptr;
    StoreOptions store;
    int progressEveryMs = 500;
    FolderLook folderLook; ///< empty: as it is
    int verifyStepMs = 20'000;

    [[nodiscard]] bool open();
    void crash(); ///< the service goes without a word
    [[nodiscard]] bool stop(qint64 boundMs = 5000); ///< in order, and gone afterwards

    [[nodiscard]] RuntimeService &service() { return *m_service; }
    /// Of the server opened last; null without `watched`. Valid as long as the service.
    [[nodiscard]] Watcher *watcher() const { return m_watcher; }
    [[nodiscard]] FakeLlamaServer &server(int index = 0)
    {
        return *m_servers.at(static_cast<std::size_t>(index));
    }
    [[nodiscard]] QString metadata() const { return m_folder.filePath(u"meta"_qs); }
    [[nodiscard]] QString configPath() const { return m_folder.filePath(u"config.yaml"_qs); }
    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] ConnectionId connection() const { return m_connection; }
    /// A configuration file for `names` of our servers, with their addresses; `more` is appended.
    [[nodiscard]] QString yaml(const QStringList &names, const QString &more = {}) const;
    void writeConfig(const QString &text) const;
    [[nodiscard]] Error openError() const { return m_openError; }

    [[nodiscard]] BeginRequest request(const QString &session, const QString &provider = u"pa"_qs) const;
    AskedPtr<BeginAnswer> beginLater(const BeginRequest &request);
    AskedPtr<BeginAnswer> beginLater(const QString &session, const QString &provider = u"pa"_qs);
    /// Waits for the answer. An error leaves Outcome::Unmanaged.
    BeginAnswer begin(const QString &session, const QString &provider = u"pa"_qs);
    AskedPtr<EndAnswer> endLater(const EndRequest &request);
    EndAnswer end(const BeginAnswer &begun, const FakeCompletionReply &reply);
    /// Begin, inference on the slot, end; the outcome's name.
    QString turn(const QString &session, const QByteArray &prompt, int server = 0);
    FakeCompletionReply infer(const QByteArray &prompt, int server = 0, int slot = 0);
    EndAnswer lastEnd;

    AskedPtr<ManualAnswer> save(const QString &session);
    /// Saves and waits until it is durable.
    bool saved(const QString &session);
    [[nodiscard]] SessionCall call(const QString &session) const;
    [[nodiscard]] QJsonObject status() const { return m_service->status(); }
    [[nodiscard]] QJsonObject serverStatus(int index = 0) const;
    [[nodiscard]] qint64 stat(const QString &name) const;
    [[nodiscard]] int rows() const;
    /// "save restore erase" sent to a server, in order, and forgets them.
    QString takeActions(int index = 0);
    [[nodiscard]] QStringList events() const { return m_events; }
    void clearEvents() { m_events.clear(); }

    template <typename T> static Service::Reply<T> into(const AskedPtr<T> &asked)
    {
        return [asked](const Result<T> &result) {
            ++asked->replies;
            if (result) {
                asked->answer = result.value();
            } else {
                asked->error = result.error();
            }
        };
    }

private:
    QTemporaryDir m_folder;
    std::vector<std::unique_ptr<FakeLlamaServer>> m_servers;
    std::unique_ptr<RuntimeService> m_service;
    Watcher *m_watcher = nullptr;
    ConnectionId m_connection = 0;
    QStringList m_events;
    Error m_openError;
};

/// The options of a server with its slot folder at `folder`, …
FakeOptions savingTo(const QTemporaryDir &folder, FakeOptions options = {});
/// … which the daemon reads too (snapshotBinaryManagement: shared-filesystem).
void shareFolder(Stage &stage, const QTemporaryDir &folder);

/// Size and time of every file of the database: changes when anything is written.
QStringList databaseState(const QString &folder);
/// A document's text, for searching.
QString textOf(const QJsonObject &document);

} // namespace kv::test
