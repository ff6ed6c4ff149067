// SPDX-License-Identifier: MIT
#pragma once

#include "discovery.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QObject>

#include <memory>
#include <vector>

namespace kv {

/// The checks of kv.doctor, one server after the other. Emits check() for each check as it is done, then
/// finished() once, never before start() has returned. Deleting it cancels. GETs only.
class DoctorRun final : public QObject {
    Q_OBJECT

public:
    struct Subject {
        QString server; ///< name in the configuration; empty: none
        ServerEndpoint endpoint;
        bool managed = false; ///< mode: managed-slots
        int slotId = 0;
        QString knownTrouble; ///< what operations have already shown ("started without --slot-save-path")
        bool savedBefore = false; ///< an operation has shown that saving works
        int pinless = 0; ///< requests that named no slot although the server has several
    };

    /// `local`: checks of the daemon's own, already done.
    DoctorRun(std::vector<Subject> subjects, std::vector<QJsonObject> local, QObject *parent = nullptr);
    ~DoctorRun() override;
    Q_DISABLE_COPY_MOVE(DoctorRun)

    void start();

    static QJsonObject makeCheck(
        const QString &name, const QString &result, const QString &message, const QString &remedy = {});

Q_SIGNALS:
    void check(const QJsonObject &check);
    /// `result`, `checks` as PROTOCOL.md has them.
    void finished(const QJsonObject &document);

private:
    void next();
    void onFindings(const Subject &subject, const ServerFindings &findings);
    void checkSlots(const Subject &subject, const ServerFindings &findings);
    void add(QJsonObject one, const QString &server);

    std::vector<Subject> m_subjects;
    std::vector<QJsonObject> m_local;
    std::size_t m_at = 0;
    QJsonArray m_checks;
    std::unique_ptr<ServerDiscovery> m_discovery;
};

} // namespace kv
