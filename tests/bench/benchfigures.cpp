// SPDX-License-Identifier: MIT
// From the JSON to charts.
#include "benchformat.h"
#include "benchplot.h"
#include "benchreport.h"

#include <QJsonArray>

#include <algorithm>

namespace kv::bench {

namespace {

double firstTokenMs(const QJsonObject &length, const Situation &situation)
{
    return length.value(situation.side)
        .toObject()
        .value(situation.key)
        .toObject()
        .value(u"firstTokenMs")
        .toObject()
        .value(u"median")
        .toDouble();
}

BarChart firstTokenChart(const QJsonArray &models)
{
    BarChart chart;
    chart.title = QStringLiteral("Time to the first token after …");
    chart.axis = QStringLiteral("milliseconds until the first token, logarithmic; shorter is better. "
                                "Blue: with kv-persist; grey: the bare server, in the same run.");
    for (const QJsonValue model : models) {
        chart.panels.push_back(
            QStringLiteral("%1 model (%2)")
                .arg(model[QStringLiteral("kind")].toString(), model[QStringLiteral("model")].toString()));
        std::vector<QString> names;
        const QJsonArray lengths = model[QStringLiteral("lengths")].toArray();
        std::transform(
            lengths.begin(), lengths.end(), std::back_inserter(names), [](const QJsonValue &length) {
                return QStringLiteral("%1 tokens")
                    .arg(grouped(length[QStringLiteral("promptTokens")].toInteger()));
            });
        chart.series.push_back(std::move(names));
    }
    QStringList told;
    for (const Situation &situation : situations()) {
        BarRow row { situation.label, situation.side == QStringLiteral("withKvPersist"), {} };
        QStringList values;
        for (const QJsonValue model : models) {
            std::vector<Bar> bars;
            const QJsonArray lengths = model[QStringLiteral("lengths")].toArray();
            for (const QJsonValue length : lengths) {
                const double ms = firstTokenMs(length.toObject(), situation);
                bars.push_back({ ms, ms > 0 ? milliseconds(ms) : QStringLiteral("not measured") });
                values.append(bars.back().text);
            }
            row.bars.push_back(std::move(bars));
        }
        told.append(situation.label + QStringLiteral(": ") + values.join(QStringLiteral(", ")));
        chart.rows.push_back(std::move(row));
    }
    chart.description = QStringLiteral("Bars of the time to the first token. ")
        + told.join(QStringLiteral("; ")) + QLatin1Char('.');
    return chart;
}

CurveChart curveChart(const QJsonObject &family)
{
    CurveChart chart;
    chart.title = family.value(u"title").toString();
    chart.xTitle = family.value(u"xTitle").toString();
    QStringList told;
    const QJsonArray curves = family.value(u"curves").toArray();
    for (const QJsonValue curve : curves) {
        const QJsonObject object = curve.toObject();
        CurvePanel panel;
        panel.title = QStringLiteral("%1, %2").arg(
            object.value(u"title").toString(), object.value(u"unit").toString());
        panel.points = curvePoints(object);
        panel.caption = fitLabel(fitPower(panel.points));
        told.append(panel.title + QStringLiteral(": ") + object.value(u"growth").toString());
        chart.panels.push_back(std::move(panel));
    }
    chart.description = QStringLiteral("Curves over logarithmic axes, each with the line that fits best. ")
        + told.join(QStringLiteral("; ")) + QLatin1Char('.');
    return chart;
}

} // namespace

QMap<QString, QByteArray> drawings(const QJsonObject &results)
{
    QMap<QString, QByteArray> out;
    const QJsonArray models = results.value(u"ttft").toObject().value(u"models").toArray();
    if (!models.isEmpty()) {
        out.insert(QStringLiteral("first-token.svg"), drawBars(firstTokenChart(models)));
    }
    const QJsonObject growth = results.value(u"growth").toObject();
    for (const char *name : { "snapshots", "clients", "slots" }) {
        const QJsonObject family = growth.value(QLatin1String(name)).toObject();
        if (family.contains(u"curves")) {
            out.insert(
                QStringLiteral("growth-%1.svg").arg(QLatin1String(name)), drawCurves(curveChart(family)));
        }
    }
    return out;
}

} // namespace kv::bench
