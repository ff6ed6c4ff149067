// SPDX-License-Identifier: MIT
#include "monitoringstage.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kv::test;

namespace {

const QString c_rulesTest = QStringLiteral("tests/packaging/kv-persist.rules.test.yml");
const QString c_rules = QStringLiteral("packaging/prometheus/kv-persist.rules.yml");

constexpr int c_onlyLints = 3; ///< how promtool ends when names could be better, and nothing is wrong

/// Empty: there is none on this machine.
QString promtool()
{
    const QString named = qEnvironmentVariable("KV_PERSIST_TEST_PROMTOOL");
    if (!named.isEmpty()) {
        return named;
    }
    const QString cache = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
        + QStringLiteral("/kv-persist/promtool/promtool");
    return QFileInfo(cache).isExecutable() ? cache
                                           : QStandardPaths::findExecutable(QStringLiteral("promtool"));
}

struct Ran {
    int exitCode = -1;
    QString output; ///< standard output and error
};

Ran run(const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(promtool(), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(200'000) || process.exitStatus() != QProcess::NormalExit) {
        process.kill();
        process.waitForFinished();
        return { -1, QString::fromUtf8(process.readAll()) + process.errorString() };
    }
    return { process.exitCode(), QString::fromUtf8(process.readAll()) };
}

bool write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

/// With Grafana's variables filled in as Grafana does it.
QString filledIn(QString expression)
{
    return expression.replace(QStringLiteral("$__rate_interval"), QStringLiteral("5m"))
        .replace(QStringLiteral("$__interval"), QStringLiteral("1m"))
        .replace(QStringLiteral("$__range"), QStringLiteral("24h"))
        .replace(QStringLiteral("$server"), QStringLiteral("a|b"));
}

} // namespace

/// Prometheus' own checker over what the daemon serves and over what is shipped for Prometheus and Grafana.
class TestPromtool final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// The rules' own tests, run with other rules.
    Ran testRulesWith(const QByteArray &rules)
    {
        const QString path = m_folder.filePath(QStringLiteral("rules.yml"));
        const QString test = m_folder.filePath(QStringLiteral("test.yml"));
        QByteArray text = sourceFile(c_rulesTest);
        text.replace("../../packaging/prometheus/kv-persist.rules.yml", "rules.yml");
        return write(path, rules) && write(test, text)
            ? run({ QStringLiteral("test"), QStringLiteral("rules"), test })
            : Ran();
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (promtool().isEmpty()) {
            QSKIP("no promtool: packaging/fetch-promtool.sh fetches it, KV_PERSIST_TEST_PROMTOOL names one");
        }
        QVERIFY(m_folder.isValid());
    }

    void theMetricsAreInOrder()
    {
        MonitoringStage stage;
        QVERIFY2(stage.start(), qPrintable(stage.log()));
        QVERIFY2(stage.serveRequests(), qPrintable(stage.log()));
        const QStringList check { QStringLiteral("check"), QStringLiteral("metrics") };
        // Names that users of the specification know: Prometheus would rather have their times in seconds,
        // and
        // "_count" for histograms alone. Nothing else may be said.
        const QString units = QStringLiteral("%1 metric names should not contain abbreviated units");
        const QStringList allowed { units.arg(QStringLiteral("dsh_kv_lease_wait_ms")),
            units.arg(QStringLiteral("dsh_kv_request_overhead_us")),
            units.arg(QStringLiteral("dsh_kv_restore_duration_ms")),
            units.arg(QStringLiteral("dsh_kv_save_duration_ms")),
            QStringLiteral("dsh_kv_snapshot_count non-histogram and non-summary metrics should not have "
                           "\"_count\" suffix"),
            units.arg(QStringLiteral("dsh_kv_time_saved_ms_total")) };
        for (const QString &text : { stage.textOverSocket(), stage.textOverHttp() }) {
            const Ran checked = run(check, text.toUtf8());
            QStringList lints = checked.output.split(u'\n', Qt::SkipEmptyParts);
            lints.sort();
            QCOMPARE(lints, allowed);
            QCOMPARE(checked.exitCode, c_onlyLints);
        }
        const Ran refused = run(check, "dsh_kv_x{ 1\n"); // it does look
        QVERIFY(refused.exitCode != 0 && refused.exitCode != c_onlyLints);
    }

    void theRulesParse()
    {
        const Ran checked = run({ QStringLiteral("check"), QStringLiteral("rules"),
            QStringLiteral(KV_SOURCE_DIR "/") + c_rules });
        QVERIFY2(checked.exitCode == 0, qPrintable(checked.output));
        QVERIFY2(checked.output.contains(QStringLiteral("10 rules found")), qPrintable(checked.output));
    }

    void eachAlertFiresWhenItShould()
    {
        const QByteArray rules = sourceFile(c_rules);
        const Ran tested = testRulesWith(rules);
        QVERIFY2(tested.exitCode == 0, qPrintable(tested.output));
        // Alerts that can never fire must be noticed, each of them.
        QString silenced = QString::fromUtf8(rules);
        silenced.replace(
            QRegularExpression(QStringLiteral("(- alert: \\w+\\n +expr:).*?(\\n +(?:for|labels):)"),
                QRegularExpression::DotMatchesEverythingOption),
            QStringLiteral("\\1 vector(0) > 1\\2"));
        const Ran noticed = testRulesWith(silenced.toUtf8());
        QVERIFY2(noticed.exitCode != 0, qPrintable(noticed.output));
        static const QRegularExpression c_alert(QStringLiteral("- alert: (\\w+)"));
        int alerts = 0;
        for (auto it = c_alert.globalMatch(silenced); it.hasNext(); ++alerts) {
            const QString name = it.next().captured(1);
            QVERIFY2(noticed.output.contains(QStringLiteral("alertname: %1,").arg(name)),
                qPrintable(name + noticed.output));
        }
        QCOMPARE(alerts, 10);
    }

    void everyQueryOfTheDashboardParses()
    {
        const QJsonObject dashboard
            = QJsonDocument::fromJson(sourceFile(QStringLiteral("packaging/grafana/kv-persist.json")))
                  .object();
        QStringList expressions;
        for (const QJsonValue &panel : dashboard.value(u"panels").toArray()) {
            for (const QJsonValue &target : panel[u"targets"].toArray()) {
                expressions.append(target[u"expr"].toString());
            }
        }
        for (const QJsonValue &annotation : dashboard.value(u"annotations")[u"list"].toArray()) {
            if (annotation.toObject().contains(u"expr")) {
                expressions.append(annotation[u"expr"].toString());
            }
        }
        QVERIFY(expressions.size() > 30);
        QJsonArray rules;
        for (const QString &expression : expressions) {
            rules.append(
                QJsonObject { { QStringLiteral("record"), QStringLiteral("panel:query%1").arg(rules.size()) },
                    { QStringLiteral("expr"), filledIn(expression) } });
        }
        const auto check = [&](const QJsonArray &list) { // YAML is a superset of JSON
            const QJsonObject group { { QStringLiteral("name"), QStringLiteral("dashboard") },
                { QStringLiteral("rules"), list } };
            const QString path = m_folder.filePath(QStringLiteral("queries.yml"));
            const QJsonObject file { { QStringLiteral("groups"), QJsonArray { group } } };
            return write(path, QJsonDocument(file).toJson())
                ? run({ QStringLiteral("check"), QStringLiteral("rules"), path })
                : Ran();
        };
        const Ran checked = check(rules);
        QVERIFY2(checked.exitCode == 0, qPrintable(checked.output));
        QVERIFY2(checked.output.contains(QStringLiteral("%1 rules found").arg(rules.size())),
            qPrintable(checked.output));
        rules.append(QJsonObject { { QStringLiteral("record"), QStringLiteral("x:y") },
            { QStringLiteral("expr"), QStringLiteral("sum(rate(") } });
        QVERIFY(check(rules).exitCode != 0);
    }
};

QTEST_GUILESS_MAIN(TestPromtool)
#include "tst_promtool.moc"
