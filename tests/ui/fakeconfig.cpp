// SPDX-License-Identifier: MIT
#include "fakeconfig.h"

namespace kv {

FakeConfig::FakeConfig(FakeUiDaemon &daemon, const QString &yaml)
    : text(yaml)
    , exists(!yaml.isEmpty())
{
    daemon.answer(QStringLiteral("kv.config"), [this](const QJsonObject &params) { return answer(params); });
}

QString FakeConfig::hash() const { return exists ? QString::number(qHash(text)) : QString(); }

CallResult FakeConfig::answer(const QJsonObject &params)
{
    const QString action = params.value(u"action").toString();
    QJsonObject out { { QStringLiteral("path"), path() }, { QStringLiteral("exists"), exists } };
    if (action == QStringLiteral("validate")) {
        out.insert(QStringLiteral("valid"), errors.isEmpty());
        out.insert(QStringLiteral("errors"), errors);
    } else if (action == QStringLiteral("set")) {
        const QString ifHash = params.value(u"ifHash").toString();
        if (!ifHash.isEmpty() && ifHash != hash()) {
            return FakeUiDaemon::refused(QStringLiteral("KV_CONFIG_INVALID"),
                QStringLiteral("The file was changed by somebody else since it was read."));
        }
        text = params.value(u"yaml").toString();
        exists = true;
        out.insert(QStringLiteral("exists"), true);
        out.insert(QStringLiteral("hash"), hash());
        out.insert(QStringLiteral("changed"), changed);
        out.insert(QStringLiteral("restartNeeded"), restartNeeded);
    } else {
        out.insert(QStringLiteral("yaml"), text);
        out.insert(QStringLiteral("hash"), hash());
    }
    return FakeUiDaemon::ok(out);
}

} // namespace kv
