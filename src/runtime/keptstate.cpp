// SPDX-License-Identifier: MIT
#include "keptstate.h"

#include "counters.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace kv {

namespace {

std::map<QString, QString> byFingerprint(const QMap<QString, QString> &settings, const QString &beginning)
{
    std::map<QString, QString> out;
    for (auto at = settings.lowerBound(beginning); at != settings.end() && at.key().startsWith(beginning);
         ++at) {
        out.emplace(at.key().mid(beginning.size()), at.value());
    }
    return out;
}

std::map<QString, bool> nudgeBuilds(const QString &text)
{
    std::map<QString, bool> out;
    const QJsonObject builds = QJsonDocument::fromJson(text.toUtf8()).object();
    for (auto at = builds.begin(); at != builds.end(); ++at) {
        if (at.value().isBool()) {
            out.emplace(at.key(), at.value().toBool());
        }
    }
    return out;
}

std::vector<NameNumber> purgedFiles(const QString &text)
{
    std::vector<NameNumber> out;
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        bool ok = false;
        const NameNumber number = word.toLongLong(&ok);
        if (ok && number >= 0) {
            out.push_back(number);
        }
    }
    return out;
}

} // namespace

QString proofSetting(const QString &fingerprintHash) { return QStringLiteral("proof.") + fingerprintHash; }

QString ratesSetting(const QString &fingerprintHash) { return QStringLiteral("rates.") + fingerprintHash; }
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

InitialState makeInitialState(const LoadedServer &kept, bool cleanStop)
{
    InitialState initial;
    initial.snapshots = kept.snapshots;
    initial.highWater = kept.highWater;
    initial.proofs = byFingerprint(kept.settings, proofSetting({}));
    initial.rates = byFingerprint(kept.settings, ratesSetting({}));
    initial.nudgeBuilds = nudgeBuilds(kept.settings.value(nudgeSetting()));
    initial.purgedFiles = purgedFiles(kept.settings.value(purgedSetting()));
    initial.day = kept.totals.value(QStringView(total::day).toString());
    initial.bytesToday = kept.totals.value(QStringView(total::bytesWrittenToday).toString());
    initial.cleanStop = cleanStop;
    return initial;
}

} // namespace kv
