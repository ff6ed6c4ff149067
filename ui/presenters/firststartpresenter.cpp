// SPDX-License-Identifier: MIT
#include "firststartpresenter.h"

#include "settingsdraft.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QSettings>

namespace kv {

namespace {

QString doneKey() { return QStringLiteral("firstStart/done"); }
QString configMethod() { return QStringLiteral("kv.config"); }

} // namespace

FirstStartPresenter::FirstStartPresenter(
    Daemon &daemon, QSettings &store, Autostart autostart, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
    , m_store(store)
    , m_autostart(std::move(autostart))
    , m_doctor(daemon)
{
}

bool FirstStartPresenter::isWanted(const QSettings &store, const QJsonObject &status)
{
    return !store.value(doneKey()).toBool() && !status.isEmpty()
        && status.value(u"configPath").toString().isEmpty();
}

void FirstStartPresenter::setSeen() { m_store.setValue(doneKey(), true); }

void FirstStartPresenter::find()
{
    if (m_finding) {
        return;
    }
    m_finding = true;
    m_findTrouble.clear();
    m_found.clear();
    m_daemon.call(
        QStringLiteral("kv.discover"), {}, this, [this](const CallResult &answer) { onFound(answer); },
        Daemon::c_deadlineMs);
    Q_EMIT foundChanged();
}

void FirstStartPresenter::onFound(const CallResult &answer)
{
    m_finding = false;
    if (!answer.ok()) {
        m_findTrouble = answer.error.error.message;
    }
    const QJsonArray servers = answer.result.value(u"servers").toArray();
    for (const QJsonValue &one : servers) {
        const QJsonObject server = one.toObject();
        const int count = server.value(u"slots").toInt();
        const QJsonArray missing = server.value(u"missing").toArray();
        QStringList parts { server.value(u"baseURL").toString() };
        if (const QString model = server.value(u"model").toString(); !model.isEmpty()) {
            parts.append(model);
        }
        if (count > 0) {
            parts.append(tr("%n slot(s)", nullptr, count));
        }
        if (!missing.isEmpty()) {
            parts.append(tr("missing: %1").arg(missing.first().toString()));
        }
        m_found.append({ parts.first(), parts.join(QStringLiteral(" · ")), missing.isEmpty() });
    }
    Q_EMIT foundChanged();
}

QString FirstStartPresenter::findText() const
{
    if (m_finding) {
        return tr("Looking for servers on this machine…");
    }
    if (!m_findTrouble.isEmpty()) {
        return m_findTrouble;
    }
    return m_found.isEmpty()
        ? tr(
            "No llama-server was found on the usual ports of this machine. Start one and look again, or type "
            "its address.")
        : tr(
            "%n server(s) found. Choose one, or type an address.", nullptr, static_cast<int>(m_found.size()));
}

void FirstStartPresenter::write(
    const QString &address, const QString &apiKey, const QString &server, const QString &provider)
{
    if (m_writing == Writing::Busy) {
        return;
    }
    const QStringList section { QStringLiteral("servers"), server };
    std::vector<YamlChange> changes { { YamlChange::Kind::Set,
                                          section + QStringList(QStringLiteral("baseURL")), address },
        { YamlChange::Kind::Set, { QStringLiteral("providers"), provider }, server } };
    if (!apiKey.isEmpty()) {
        changes.push_back({ YamlChange::Kind::Set, section + QStringList(QStringLiteral("apiKey")), apiKey });
    }
    setWriting(Writing::Busy, tr("Writing the configuration…"));
    m_daemon.call(
        configMethod(), { { QStringLiteral("action"), QStringLiteral("get") } }, this,
        [this, changes](const CallResult &answer) { onFile(answer, changes); }, Daemon::c_deadlineMs);
}

void FirstStartPresenter::onFile(const CallResult &answer, const std::vector<YamlChange> &changes)
{
    if (!answer.ok()) {
        setWriting(Writing::Failed, answer.error.error.message);
        return;
    }
    const Result<YamlEdit> read = YamlEdit::read(answer.result.value(u"yaml").toString());
    const Result<YamlEdit> edit = read ? withChanges(read.value(), changes) : read.error();
    if (!edit) {
        setWriting(Writing::Failed, edit.error().message);
        return;
    }
    QJsonObject params { { QStringLiteral("action"), QStringLiteral("set") },
        { QStringLiteral("yaml"), edit.value().text() } };
    if (const QString hash = answer.result.value(u"hash").toString(); !hash.isEmpty()) {
        params.insert(QStringLiteral("ifHash"), hash);
    }
    m_daemon.call(
        configMethod(), params, this,
        [this](const CallResult &written) {
            setWriting(written.ok() ? Writing::Done : Writing::Failed,
                written.ok() ? tr("Written to %1.").arg(written.result.value(u"path").toString())
                             : written.error.error.message);
        },
        Daemon::c_deadlineMs);
}

QString FirstStartPresenter::pluginCommand()
{
    // Beside the program: where a package puts it, or where it was built.
    const QDir program(QCoreApplication::applicationDirPath());
    QString folder = QStringLiteral("/path/to/kv-persist/packaging/dsh-plugin");
    for (const char *place : { "../share/kv-persist/dsh-plugin", "../../../packaging/dsh-plugin" }) {
        if (program.exists(QLatin1String(place))) {
            folder = QDir::cleanPath(program.filePath(QLatin1String(place)));
            break;
        }
    }
    return QStringLiteral("dsh plugin --profile web add '%1'").arg(folder);
}

void FirstStartPresenter::setWriting(Writing writing, const QString &text)
{
    m_writing = writing;
    m_writeText = text;
    Q_EMIT writingChanged();
}

} // namespace kv
