// SPDX-License-Identifier: MIT
#pragma once

#include "discovery.h"
#include "doctorchecks.h"
#include "folderprobe.h"
#include "verifyrun.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <memory>
#include <optional>
#include <vector>

namespace kv {

/// The checks of kv.doctor, the daemon's own first, then one server after the other: it collects the facts,
/// and doctorchecks.h judges them. Emits check() for each check as it is done, then finished() once, never
/// before start() has returned. Deleting it cancels. GETs only, but for the proof that was asked for.
class DoctorRun final : public QObject {
    Q_OBJECT

public:
    struct Tools {
        QThreadPool *pool = nullptr; ///< looks at folders; must outlive the run
        FolderLook look = {}; ///< empty: lookAtFolder()
        ProcessFinder finder = findListeningServer;
        /// Makes the proof of a server, and owns it. Empty: none is wanted.
        std::function<Result<VerifyRun *>(const DoctorSubject &)> prove = {};
    };

    /// `daemon`: without the folders, which are looked at here; nothing: the daemon itself is not checked.
    DoctorRun(std::vector<DoctorSubject> subjects, std::optional<DaemonFacts> daemon, Tools tools,
        QObject *parent = nullptr);
    ~DoctorRun() override;
    Q_DISABLE_COPY_MOVE(DoctorRun)

    void start();

Q_SIGNALS:
    void check(const QJsonObject &check);
    /// `result`, `checks` as PROTOCOL.md has them.
    void finished(const QJsonObject &document);

private:
    using OnFolders = std::function<void(const std::map<QString, FolderFacts> &)>;

    void look(const QStringList &folders, OnFolders then);
    void next();
    void onFindings(const ServerFindings &findings);
    void checkFolder(const ServerFindings &findings);
    [[nodiscard]] std::optional<DoctorFinding> whyNoProof(const ServerFindings &findings) const;
    void prove(const ServerFindings &findings);
    void subjectDone();
    void add(const DoctorFinding &finding, const QString &server);
    void add(const DoctorFindings &findings, const QString &server);

    std::vector<DoctorSubject> m_subjects;
    std::optional<DaemonFacts> m_daemon;
    Tools m_tools;
    std::size_t m_at = 0;
    QJsonArray m_checks;
    bool m_stops = false; ///< a check of this server has failed that stands in the way of the proof
    std::unique_ptr<ServerDiscovery> m_discovery;
    std::unique_ptr<FolderProbe> m_folders;
    QPointer<VerifyRun> m_proof;
};

} // namespace kv
