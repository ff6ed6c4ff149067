// SPDX-License-Identifier: MIT
#include "doctorrun.h"

#include "policymaker.h"

#include <QTimer>

#include <algorithm>

namespace kv {

namespace {
QString passedText() { return QStringLiteral("passed"); }
QString warningText() { return QStringLiteral("warning"); }
QString failedText() { return QStringLiteral("failed"); }
}

DoctorRun::DoctorRun(std::vector<Subject> subjects, std::vector<QJsonObject> local, QObject *parent)
    : QObject(parent)
    , m_subjects(std::move(subjects))
    , m_local(std::move(local))
{
}

DoctorRun::~DoctorRun() = default;

QJsonObject DoctorRun::makeCheck(
    const QString &name, const QString &result, const QString &message, const QString &remedy)
{
    QJsonObject out { { QStringLiteral("name"), name }, { QStringLiteral("result"), result },
        { QStringLiteral("message"), message } };
    if (!remedy.isEmpty()) {
        out.insert(QStringLiteral("remedy"), remedy);
    }
    return out;
}

void DoctorRun::start()
{
    QTimer::singleShot(0, this, [this] {
        for (const QJsonObject &one : m_local) {
            add(one, {});
        }
        next();
    });
}

void DoctorRun::add(QJsonObject one, const QString &server)
{
    if (!server.isEmpty()) {
        one.insert(QStringLiteral("server"), server);
    }
    m_checks.append(one);
    Q_EMIT check(one);
}

void DoctorRun::next()
{
    if (m_at >= m_subjects.size()) {
        const auto any = [&](const QString &result) {
            return std::any_of(m_checks.begin(), m_checks.end(),
                [&](const QJsonValue &one) { return one.toObject().value(u"result").toString() == result; });
        };
        const QString verdict = any(failedText()) ? QStringLiteral("not-ready")
            : any(warningText())                  ? QStringLiteral("ready-with-warnings")
                                                  : QStringLiteral("ready");
        Q_EMIT finished({ { QStringLiteral("result"), verdict }, { QStringLiteral("checks"), m_checks } });
        return;
    }
    m_discovery = std::make_unique<ServerDiscovery>(m_subjects[m_at].endpoint);
    connect(m_discovery.get(), &ServerDiscovery::finished, this, [this](const ServerFindings &findings) {
        m_discovery.release()->deleteLater();
        onFindings(m_subjects[m_at], findings);
        ++m_at;
        next();
    });
    m_discovery->start();
}

void DoctorRun::onFindings(const Subject &subject, const ServerFindings &findings)
{
    const QString where = shownEndpoint(subject.endpoint.base);
    const auto missing = [&](const QString &name) -> const MissingPiece * {
        const auto found = std::find_if(findings.missing.begin(), findings.missing.end(),
            [&](const MissingPiece &piece) { return piece.name == name; });
        return found == findings.missing.end() ? nullptr : &*found;
    };
    const auto failed = [&](const QString &name, const MissingPiece &piece) {
        add(makeCheck(name, failedText(), piece.message, piece.remedy), subject.server);
    };
    if (findings.loading) {
        // It is there, and nothing else can be asked yet.
        add(makeCheck(QStringLiteral("reachable"), warningText(),
                QStringLiteral("%1 answers, but its model is still being loaded.").arg(where),
                QStringLiteral("Wait until the model is loaded, then ask again.")),
            subject.server);
        return;
    }
    if (const MissingPiece *piece = missing(QStringLiteral("server"))) {
        failed(QStringLiteral("reachable"), *piece);
        return;
    }
    add(makeCheck(QStringLiteral("reachable"), passedText(), QStringLiteral("%1 answers.").arg(where)),
        subject.server);
    if (const MissingPiece *piece = missing(QStringLiteral("apiKey"))) {
        failed(QStringLiteral("api key"), *piece);
        return;
    }
    if (findings.router && subject.endpoint.routerModel.isEmpty()) {
        add(makeCheck(QStringLiteral("models"), passedText(),
                QStringLiteral("A router with %1 models: %2. Those in use are checked each by itself.")
                    .arg(findings.models.size())
                    .arg(findings.models.join(QStringLiteral(", ")))),
            subject.server);
        return;
    }
    add(makeCheck(QStringLiteral("model"), passedText(),
            QStringLiteral("%1, build %2.")
                .arg(findings.alias.isEmpty() ? findings.modelPath : findings.alias,
                    findings.build.isEmpty() ? QStringLiteral("unknown") : findings.build)),
        subject.server);
    if (findings.sleeping) {
        add(makeCheck(QStringLiteral("sleep"), warningText(),
                QStringLiteral(
                    "The server sleeps: the state of its slots is gone, and its slots cannot be looked at "
                    "without waking it."),
                QStringLiteral("Nothing has to be done; the next request wakes it.")),
            subject.server);
    }
    if (const MissingPiece *piece = missing(QStringLiteral("slots"))) {
        failed(QStringLiteral("slots"), *piece);
    } else {
        checkSlots(subject, findings);
    }
    if (const MissingPiece *piece = missing(QStringLiteral("slotSavePath"))) {
        failed(QStringLiteral("slot saving"), *piece);
    } else if (!subject.knownTrouble.isEmpty()) {
        add(makeCheck(QStringLiteral("slot saving"), failedText(), subject.knownTrouble,
                QStringLiteral("Start llama-server with --slot-save-path FOLDER.")),
            subject.server);
    } else if (subject.savedBefore || findings.slotSavePath.value_or(false)) {
        add(makeCheck(QStringLiteral("slot saving"), passedText(),
                QStringLiteral("The server can save its slots.")),
            subject.server);
    } else {
        add(makeCheck(QStringLiteral("slot saving"), warningText(),
                QStringLiteral(
                    "Whether the server can save its slots shows with the first save; its command line "
                    "cannot be read from here."),
                QStringLiteral("Make sure that it runs with --slot-save-path FOLDER.")),
            subject.server);
    }
}

void DoctorRun::checkSlots(const Subject &subject, const ServerFindings &findings)
{
    const QString name = QStringLiteral("slots");
    if (findings.totalSlots > 0 && !subject.managed && subject.slotId >= findings.totalSlots) {
        add(makeCheck(name, failedText(),
                QStringLiteral("slotId is %1, but the server has %2 slots, numbered from 0.")
                    .arg(subject.slotId)
                    .arg(findings.totalSlots),
                QStringLiteral("Set slotId to 0, or start the server with --parallel %1.")
                    .arg(subject.slotId + 1)),
            subject.server);
    } else if (findings.totalSlots > 1 && !subject.managed) {
        add(makeCheck(name, warningText(),
                QStringLiteral("The server has %1 slots, but one is managed (mode: single-slot): requests "
                               "without id_slot "
                               "may go to another.")
                    .arg(findings.totalSlots),
                QStringLiteral("Start llama-server with --parallel 1, or set mode: managed-slots.")),
            subject.server);
    } else if (findings.totalSlots > 1 && subject.pinless > 0) {
        add(makeCheck(name, warningText(),
                QStringLiteral(
                    "The server has %1 slots, and a client names none in its requests (%2 so far): "
                    "the server chooses one, and which it was is looked up afterwards.")
                    .arg(findings.totalSlots)
                    .arg(subject.pinless),
                QStringLiteral("Start llama-server with --parallel 1, let the client send id_slot, or let it "
                               "use the proxy.")),
            subject.server);
    } else {
        add(makeCheck(name, passedText(),
                findings.totalSlots > 0 ? QStringLiteral("%1 slot(s) of %2 tokens.")
                                              .arg(findings.totalSlots)
                                              .arg(findings.slotContext)
                                        : QStringLiteral("The slots API answers.")),
            subject.server);
    }
}

} // namespace kv
