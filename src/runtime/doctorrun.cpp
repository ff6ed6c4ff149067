// SPDX-License-Identifier: MIT
#include "doctorrun.h"

#include "factsbook.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>

namespace kv {

DoctorRun::DoctorRun(
    std::vector<DoctorSubject> subjects, std::optional<DaemonFacts> daemon, Tools tools, QObject *parent)
    : QObject(parent)
    , m_subjects(std::move(subjects))
    , m_daemon(std::move(daemon))
    , m_tools(std::move(tools))
{
}

DoctorRun::~DoctorRun()
{
    if (m_proof) {
        m_proof->disconnect(this);
        m_proof->cancel();
    }
}

void DoctorRun::start()
{
    QTimer::singleShot(0, this, [this] {
        if (!m_daemon) {
            next();
            return;
        }
        const QString folder
            = m_daemon->socketPath.isEmpty() ? QString() : QFileInfo(m_daemon->socketPath).path();
        look({ m_daemon->metadataPath, m_daemon->socketPath, folder },
            [this, folder](const std::map<QString, FolderFacts> &facts) {
                const auto seen = [&](const QString &path) {
                    const auto found = facts.find(path);
                    return found == facts.end() ? FolderFacts {} : found->second;
                };
                m_daemon->metadata = seen(m_daemon->metadataPath);
                m_daemon->socket = seen(m_daemon->socketPath);
                m_daemon->socketFolder = seen(folder);
                add(checkDaemon(*m_daemon), {});
                next();
            });
    });
}

void DoctorRun::look(const QStringList &folders, OnFolders then)
{
    m_folders = std::make_unique<FolderProbe>(m_tools.pool, m_tools.look);
    connect(m_folders.get(), &FolderProbe::looked, this,
        [this, then = std::move(then)](const std::map<QString, FolderFacts> &facts) {
            m_folders.release()->deleteLater(); // the sender of this very signal
            then(facts);
        });
    m_folders->look(folders);
}

void DoctorRun::add(const DoctorFinding &finding, const QString &server)
{
    // What a proof may show to be otherwise by now is no reason against it.
    m_stops = m_stops
        || (finding.result == DoctorFinding::Result::Failed && finding.name != QStringView(u"compatibility")
            && finding.name != QStringView(u"persistence"));
    const QJsonObject one = finding.toJson(server);
    m_checks.append(one);
    Q_EMIT check(one);
}

void DoctorRun::add(const DoctorFindings &findings, const QString &server)
{
    const QPointer<DoctorRun> self(this);
    for (const DoctorFinding &finding : findings) {
        if (self) { // a check may be answered by the end of this
            add(finding, server);
        }
    }
}

void DoctorRun::next()
{
    if (m_at >= m_subjects.size()) {
        const auto any = [&](const QString &result) {
            return std::any_of(m_checks.begin(), m_checks.end(),
                [&](const QJsonValue &one) { return one.toObject().value(u"result").toString() == result; });
        };
        const QString verdict = any(QStringLiteral("failed")) ? QStringLiteral("not-ready")
            : any(QStringLiteral("warning"))                  ? QStringLiteral("ready-with-warnings")
                                                              : QStringLiteral("ready");
        Q_EMIT finished({ { QStringLiteral("result"), verdict }, { QStringLiteral("checks"), m_checks } });
        return;
    }
    m_stops = false;
    m_discovery = std::make_unique<ServerDiscovery>(m_subjects[m_at].endpoint, nullptr, m_tools.finder);
    m_discovery->lookIntoSlots();
    connect(m_discovery.get(), &ServerDiscovery::finished, this, [this](const ServerFindings &findings) {
        m_discovery.release()->deleteLater();
        onFindings(findings);
    });
    m_discovery->start();
}

void DoctorRun::onFindings(const ServerFindings &findings)
{
    DoctorSubject &subject = m_subjects[m_at];
    if (isFormerBoot(subject.boot, findings.boot)) {
        forgetProcess(subject);
    }
    add(checkServer(subject, findings), subject.server);
    if (mayCheckFolder(subject, findings)) {
        checkFolder(findings);
        return;
    }
    const bool unused = std::none_of(m_subjects.begin(), m_subjects.end(),
        [&](const DoctorSubject &one) { return one.server.startsWith(subject.server + QLatin1Char('/')); });
    if (!findings.router) {
        prove(findings); // says that it cannot be tried
        return;
    }
    if (m_tools.prove && unused) {
        add(warned(QStringLiteral("verify"),
                QStringLiteral("Not tried: no model of this router has been used through kv-persist yet."),
                QStringLiteral("Send a request for the model, then verify again.")),
            subject.server);
    }
    subjectDone();
}

void DoctorRun::checkFolder(const ServerFindings &findings)
{
    const DoctorSubject &subject = m_subjects[m_at];
    const QString path = subject.slotFolder.isEmpty() ? findings.slotFolder : subject.slotFolder;
    if (path.isEmpty()) {
        prove(findings);
        return;
    }
    look({ path }, [this, path, findings](const std::map<QString, FolderFacts> &facts) {
        const DoctorSubject &of = m_subjects[m_at];
        add(checkSlotFolder(of, findings, path, facts.at(path)), of.server);
        prove(findings);
    });
}

std::optional<DoctorFinding> DoctorRun::whyNoProof(const ServerFindings &findings) const
{
    const QString name = QStringLiteral("verify");
    if (m_stops) {
        return warned(name, QStringLiteral("Not tried: something above stands in the way."),
            QStringLiteral("Do what is said there, then verify again."));
    }
    if (findings.loading) {
        return warned(name, QStringLiteral("Not tried: the model is still being loaded."),
            QStringLiteral("Wait until it is loaded, then verify again."));
    }
    if (findings.sleeping) {
        return warned(name, QStringLiteral("Not tried: the server sleeps, and would be woken."),
            QStringLiteral("Send it a request, then verify again."));
    }
    return std::nullopt;
}

void DoctorRun::prove(const ServerFindings &findings)
{
    const DoctorSubject &subject = m_subjects[m_at];
    if (!m_tools.prove) {
        subjectDone();
        return;
    }
    if (const std::optional<DoctorFinding> why = whyNoProof(findings)) {
        add(*why, subject.server);
        subjectDone();
        return;
    }
    const QString name = QStringLiteral("verify");
    const Result<VerifyRun *> made = m_tools.prove(subject);
    if (!made) {
        add(warned(name, QStringLiteral("Not tried: %1").arg(made.error().message), made.error().detail),
            subject.server);
        subjectDone();
        return;
    }
    m_proof = made.value();
    connect(m_proof, &VerifyRun::found, this,
        [this](const DoctorFinding &finding) { add(finding, m_subjects[m_at].server); });
    connect(m_proof, &VerifyRun::finished, this, [this] {
        m_proof->disconnect(this);
        m_proof = nullptr; // what it still has to clean up, it does by itself
        subjectDone();
    });
    m_proof->start();
}

void DoctorRun::subjectDone()
{
    ++m_at;
    next();
}

} // namespace kv
