// SPDX-License-Identifier: MIT
#include "overviewlimits.h"

#include "bytesize.h"

#include <QRegularExpression>

namespace kv {

namespace {

// RetentionConfig's; the tray does not link the daemon's configuration.
constexpr qint64 c_defaultTotal = 100'000'000'000;
constexpr qint64 c_defaultFree = 5'000'000'000;

QRegularExpression lineOf(const QString &key)
{
    return QRegularExpression(
        QStringLiteral("^[^#\\n]*\\b%1[\"']?\\s*:\\s*[\"']?([^\\s,}#\"']+(?: [A-Za-z]+)?)").arg(key),
        QRegularExpression::MultilineOption);
}

std::optional<qint64> sizeOf(const QString &yaml, const QRegularExpression &line, qint64 otherwise)
{
    const QRegularExpressionMatch found = line.match(yaml);
    if (!found.hasMatch()) {
        return otherwise;
    }
    const Result<qint64> size = parseByteSize(found.captured(1));
    return size.ok() ? std::optional(size.value()) : std::nullopt;
}

} // namespace

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
    static const QRegularExpression total = lineOf(QStringLiteral("maxTotalBytes"));
    static const QRegularExpression free = lineOf(QStringLiteral("minFreeBytes"));
    return { true, sizeOf(yaml, total, c_defaultTotal), sizeOf(yaml, free, c_defaultFree) };
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
            if (m_limits != limits) {
                m_limits = limits;
                Q_EMIT changed();
            }
        },
        Daemon::c_deadlineMs);
}

} // namespace kv
