// SPDX-License-Identifier: MIT
#include "overviewlimits.h"

#include "bytesize.h"
#include "settingsdraft.h"
#include "settingsschema.h"

namespace kv {

OverviewLimits::OverviewLimits(Daemon &daemon, QObject *parent)
    : QObject(parent)
    , m_daemon(daemon)
{
    connect(&daemon, &Daemon::linkChanged, this, &OverviewLimits::read);
    connect(&daemon, &Daemon::eventReceived, this, [this](const QJsonObject &event) {
        if (event.value(QStringLiteral("name")) == QStringLiteral("kv.config.reloaded")) {
            read();
        }
    });
    read();
}

OverviewLimits::Limits OverviewLimits::limitsIn(const QString &yaml)
{
    const Result<YamlEdit> file = YamlEdit::read(yaml);
    if (!file) {
        return {};
    }
    const SettingsValues values = SettingsDraft::of(file.value()).values;
    const auto size = [&values](const QString &key) {
        const auto written = values.find(key);
        QString text;
        if (written != values.end()) {
            text = written->second;
        } else if (const SettingsField *field = settingsField(settingsFields(), key)) {
            text = field->standard;
        }
        const Result<qint64> bytes = parseByteSize(text);
        return bytes ? std::optional(bytes.value()) : std::nullopt;
    };
    return { true, size(QStringLiteral("retention.maxTotalBytes")),
        size(QStringLiteral("retention.minFreeBytes")) };
}

void OverviewLimits::read()
{
    if (m_daemon.link() != Daemon::Link::Connected) {
        return;
    }
    m_daemon.call(
        QStringLiteral("kv.config"), { { QStringLiteral("action"), QStringLiteral("get") } }, this,
        [this](const CallResult &answer) {
            if (!answer.ok()) {
                return;
            }
            const Limits limits = limitsIn(answer.result.value(QStringLiteral("yaml")).toString());
            if (limits.known && m_limits != limits) { // else the daemon goes on with what it read before
                m_limits = limits;
                Q_EMIT changed();
            }
        },
        Daemon::c_deadlineMs);
}

} // namespace kv
