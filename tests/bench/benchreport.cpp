// SPDX-License-Identifier: MIT
// From the JSON to Markdown.
#include "benchreport.h"

#include "benchformat.h"

#include <QJsonArray>

namespace kv::bench {

namespace {

const QString c_beginMark = QStringLiteral("<!-- numbers: begin");
const QString c_endMark = QStringLiteral("<!-- numbers: end -->");

QString row(const QStringList &cells)
{
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

QString tableHead(const QStringList &cells)
{
    return row(cells) + QLatin1Char('|') + QStringLiteral("---|").repeated(cells.size()) + QLatin1Char('\n');
}

QString image(const QString &plots, const QString &file, const QString &words)
{
    return QStringLiteral("\n![%1](%2/%3)\n").arg(words, plots, file);
}

QString firstTokenCell(const QJsonObject &length, const Situation &situation)
{
    const QJsonObject cell = length.value(situation.side).toObject().value(situation.key).toObject();
    const double ms = cell.value(u"firstTokenMs").toObject().value(u"median").toDouble();
    if (ms <= 0) {
        return QStringLiteral("not measured");
    }
    const double faster = cell.value(u"timesFasterThanCold").toDouble();
    const bool cold = situation.key == QStringLiteral("cold");
    return cold ? milliseconds(ms) : QStringLiteral("%1 (%2)").arg(milliseconds(ms), times(faster));
}

QString firstTokenTable(const QJsonObject &part)
{
    const QJsonArray models = part.value(u"models").toArray();
    QStringList head { QStringLiteral("first token after") };
    for (const QJsonValue model : models) {
        const QJsonArray lengths = model[QStringLiteral("lengths")].toArray();
        for (const QJsonValue length : lengths) {
            head.append(QStringLiteral("%1, %2 tokens")
                            .arg(model[QStringLiteral("kind")].toString(),
                                grouped(length[QStringLiteral("promptTokens")].toInteger())));
        }
    }
    QString text = tableHead(head);
    for (const Situation &situation : situations()) {
        QStringList cells { situation.label };
        for (const QJsonValue model : models) {
            const QJsonArray lengths = model[QStringLiteral("lengths")].toArray();
            for (const QJsonValue length : lengths) {
                cells.append(firstTokenCell(length.toObject(), situation));
            }
        }
        text += row(cells);
    }
    return text;
}

QString growthTable(const QJsonObject &growth)
{
    QString text = tableHead(
        { QStringLiteral("how cost grows"), QStringLiteral("measured"), QStringLiteral("slope") });
    for (const char *name : { "snapshots", "clients", "slots" }) {
        const QJsonObject family = growth.value(QLatin1String(name)).toObject();
        const QString with = family.value(u"xTitle").toString();
        const QJsonArray curves = family.value(u"curves").toArray();
        if (curves.isEmpty()) {
            text += row({ QLatin1String(name),
                QStringLiteral("skipped: ")
                    + family.value(u"skipped").toString(QStringLiteral("not measured")),
                QString() });
        }
        for (const QJsonValue curve : curves) {
            QStringList values;
            const QJsonArray points = curve[QStringLiteral("points")].toArray();
            for (const QJsonValue point : points) {
                values.append(shortNumber(point[1].toDouble()));
            }
            const QJsonValue first = points.first();
            const QJsonValue last = points.last();
            text += row({ QStringLiteral("%1, %2").arg(curve[QStringLiteral("title")].toString(), with),
                QStringLiteral("%1 %2 at n = %3 … %4")
                    .arg(values.join(QStringLiteral(" · ")), curve[QStringLiteral("unit")].toString(),
                        grouped(first[0].toInteger()), grouped(last[0].toInteger())),
                curve[QStringLiteral("growth")].toString() });
        }
    }
    return text;
}

QString howMeasured(const QJsonObject &results)
{
    const QJsonObject run = results.value(u"run").toObject();
    const QJsonObject machine = results.value(u"machine").toObject();
    const QString command = run.value(u"command").toString();
    const QString warning = command.contains(QStringLiteral("--quick"))
        ? QStringLiteral(
            "\n**Some of it was measured with `--quick`: such numbers show that the program works, "
            "and nothing else.**\n")
        : QString();
    return warning
        + QStringLiteral(
            "\nMeasured by `%1` on %2 in %3 minutes, kv-persist %4 (%5 build, %6). %7: %8 cores, %9. ")
              .arg(command, run.value(u"date").toString(), shortNumber(run.value(u"seconds").toDouble() / 60),
                  run.value(u"version").toString(), run.value(u"buildType").toString(),
                  run.value(u"compiler").toString(), machine.value(u"cpu").toString(),
                  QString::number(machine.value(u"cores").toInt()),
                  bytesText(machine.value(u"memoryBytes").toDouble()))
        + QStringLiteral("%1, Linux %2; %3.\n")
              .arg(machine.value(u"distribution").toString(), machine.value(u"kernel").toString(),
                  machine.value(u"llamaServer").toString());
}

} // namespace

const std::vector<Situation> &situations()
{
    const QString ours = QStringLiteral("withKvPersist");
    const QString bare = QStringLiteral("bareServer");
    static const std::vector<Situation> all {
        { ours, QStringLiteral("cold"), QStringLiteral("a new session (cold)") },
        { ours, QStringLiteral("resident"), QStringLiteral("its next turn (resident)") },
        { ours, QStringLiteral("afterSwitch"), QStringLiteral("another session (restored)") },
        { ours, QStringLiteral("afterRestart"), QStringLiteral("a server restart (restored)") },
        { bare, QStringLiteral("cold"), QStringLiteral("bare server: a new session") },
        { bare, QStringLiteral("resident"), QStringLiteral("bare server: its next turn") },
        { bare, QStringLiteral("afterSwitch"), QStringLiteral("bare server: another session") },
        { bare, QStringLiteral("afterSwitchHostCache"), QStringLiteral("the same with host prompt cache") },
        { bare, QStringLiteral("afterRestart"), QStringLiteral("bare server: a server restart") },
    };
    return all;
}

const QStringList &reportParts()
{
    static const QStringList all { QStringLiteral("ttft"), QStringLiteral("bases"),
        QStringLiteral("overhead"), QStringLiteral("switch"), QStringLiteral("traffic"),
        QStringLiteral("slots"), QStringLiteral("proxy"), QStringLiteral("soak"), QStringLiteral("start"),
        QStringLiteral("list"), QStringLiteral("memory"), QStringLiteral("tray"), QStringLiteral("growth") };
    return all;
}

QString markdownReport(const QJsonObject &results, const QString &plots)
{
    const QJsonObject ttft = results.value(u"ttft").toObject();
    const QStringList drawn = plots.isEmpty() ? QStringList() : drawings(results).keys();
    QString text;
    if (ttft.contains(u"models")) {
        text += firstTokenTable(ttft);
    } else {
        text += QStringLiteral("Time to the first token: skipped, %1\n")
                    .arg(ttft.value(u"skipped").toString(QStringLiteral("not measured")));
    }
    if (drawn.contains(QStringLiteral("first-token.svg"))) {
        text += image(plots, QStringLiteral("first-token.svg"), QStringLiteral("Time to the first token"));
    }
    text += QLatin1Char('\n') + tableHead({ QStringLiteral("what"), QStringLiteral("measured") });
    for (const auto &[what, measured] : measuredRows(results)) {
        text += row({ what, measured });
    }
    text += QLatin1Char('\n') + growthTable(results.value(u"growth").toObject());
    for (const char *name : { "snapshots", "clients", "slots" }) {
        const QString file = QStringLiteral("growth-%1.svg").arg(QLatin1String(name));
        if (drawn.contains(file)) {
            text += image(plots, file, QStringLiteral("How cost grows with %1").arg(QLatin1String(name)));
        }
    }
    return text + howMeasured(results);
}

std::optional<QString> withNumbers(const QString &readme, const QString &block)
{
    const qsizetype begin = readme.indexOf(c_beginMark);
    const qsizetype start = begin < 0 ? -1 : readme.indexOf(QLatin1Char('\n'), begin);
    const qsizetype end = readme.indexOf(c_endMark);
    if (start < 0 || end <= start || readme.indexOf(c_beginMark, begin + 1) >= 0
        || readme.indexOf(c_endMark, end + 1) >= 0) {
        return std::nullopt;
    }
    return readme.left(start + 1) + block + readme.mid(end);
}

} // namespace kv::bench
