// SPDX-License-Identifier: MIT
#include "keptsettings.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace kv {

namespace {
QString proofPrefix() { return QStringLiteral("proof."); }
}

QString proofSetting(const QString &fingerprintHash) { return proofPrefix() + fingerprintHash; }
QString nudgeSetting() { return QStringLiteral("nudgeBuilds"); }
QString purgedSetting() { return QStringLiteral("purgedFiles"); }

QString nudgeText(const std::map<QString, bool> &builds)
{
    QJsonObject object;
    for (const auto &[build, refuses] : builds) {
        object.insert(build, refuses);
    }
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QString purgedText(const std::vector<NameNumber> &files)
{
    QStringList numbers;
    for (const NameNumber number : files) {
        numbers.append(QString::number(number));
    }
    return numbers.join(QLatin1Char(' '));
}

void applySettings(const QMap<QString, QString> &settings, InitialState &initial)
{
    const QString prefix = proofPrefix();
    for (auto at = settings.lowerBound(prefix); at != settings.end() && at.key().startsWith(prefix); ++at) {
        initial.proofs.emplace(at.key().mid(prefix.size()), at.value());
    }
    const QJsonObject builds = QJsonDocument::fromJson(settings.value(nudgeSetting()).toUtf8()).object();
    for (auto at = builds.begin(); at != builds.end(); ++at) {
        if (at.value().isBool()) {
            initial.nudgeBuilds.emplace(at.key(), at.value().toBool());
        }
    }
    const QStringList numbers = settings.value(purgedSetting()).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString &text : numbers) {
        bool ok = false;
        const NameNumber number = text.toLongLong(&ok);
        if (ok && number >= 0) {
            initial.purgedFiles.push_back(number);
        }
    }
}

} // namespace kv
