// SPDX-License-Identifier: MIT
#include "monitoringstage.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <memory>

using namespace kv::test;

namespace {

const QString c_dashboard = QStringLiteral("packaging/grafana/kv-persist.json");
const QString c_rules = QStringLiteral("packaging/prometheus/kv-persist.rules.yml");

QSet<QString> all(const QString &text, const QString &pattern)
{
    QSet<QString> found;
    for (auto it = QRegularExpression(pattern, QRegularExpression::MultilineOption).globalMatch(text);
         it.hasNext();) {
        found.insert(it.next().captured(1));
    }
    return found;
}

/// Without what may change between two looks.
QStringList steadyLines(const QString &text)
{
    static const QRegularExpression c_moving(QStringLiteral("^dsh_kv_disk_free_bytes\\{"));
    QStringList lines;
    for (const QString &line : text.split(u'\n')) {
        if (!c_moving.match(line).hasMatch()) {
            lines.append(line);
        }
    }
    return lines;
}

} // namespace

/// What a user's Prometheus and Grafana see, and what is shipped for them.
class TestMonitoring final : public QObject {
    Q_OBJECT

    std::unique_ptr<MonitoringStage> m_stage;
    QString m_text;
    QSet<QString> m_samples; ///< names of all samples, a histogram's parts too
    QJsonObject m_dashboard;

private Q_SLOTS:
    void initTestCase()
    {
        m_stage = std::make_unique<MonitoringStage>();
        QVERIFY2(m_stage->start(), qPrintable(m_stage->log()));
        QVERIFY2(m_stage->serveRequests(), qPrintable(m_stage->log()));
        m_text = m_stage->textOverSocket();
        m_samples = all(m_text, QStringLiteral("^(dsh_kv_[a-z_]+)[{ ]"));
        // Where the fake has no folder, what is free there is not known; the family is there all the same.
        m_samples += all(m_text, QStringLiteral("^# TYPE (dsh_kv_[a-z_]+) (?:gauge|counter)$"));
        m_dashboard = QJsonDocument::fromJson(sourceFile(c_dashboard)).object();
    }

    void socketAndHttpSayTheSame()
    {
        QVERIFY2(
            m_text.contains(QStringLiteral("dsh_kv_request_total{server=\"a\"} 4\n")), qPrintable(m_text));
        QVERIFY2(m_text.contains(QStringLiteral("dsh_kv_restore_hit_total{server=\"a\"} 1\n")),
            qPrintable(m_text));
        QVERIFY(m_text.contains(QStringLiteral("dsh_kv_request_overhead_us_count{server=\"a\"} 4\n")));
        const QString http = m_stage->textOverHttp();
        QVERIFY(!http.isEmpty());
        QCOMPARE(steadyLines(http), steadyLines(m_stage->textOverSocket()));
    }

    void noSampleNamesASession()
    {
        for (const char *word : { "first", "second", "third", "session=" }) {
            QVERIFY2(!m_text.section(QStringLiteral("# TYPE"), 1).contains(u'"' + QString::fromLatin1(word)),
                word);
        }
        QCOMPARE(all(m_text, QStringLiteral("[{,]([a-z]+)=\"")),
            (QSet<QString> { QStringLiteral("server"), QStringLiteral("state"), QStringLiteral("le"),
                QStringLiteral("version") }));
    }

    void whatIsShippedNamesWhatThereIs_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("dashboard") << c_dashboard;
        QTest::newRow("rules") << c_rules;
        QTest::newRow("tests of the rules") << QStringLiteral("tests/packaging/kv-persist.rules.test.yml");
        QTest::newRow("README") << QStringLiteral("packaging/grafana/README.md");
    }
    void whatIsShippedNamesWhatThereIs()
    {
        QFETCH(const QString, path);
        const QSet<QString> named
            = all(QString::fromUtf8(sourceFile(path)), QStringLiteral("\\b(dsh_kv_[a-z_]+)\\b"));
        QVERIFY(!named.isEmpty());
        QVERIFY2((named - m_samples).isEmpty(), qPrintable((named - m_samples).values().join(u' ')));
    }

    void theDashboardShowsWhatIsMeasured()
    {
        QSet<QString> families = all(m_text, QStringLiteral("^# TYPE (dsh_kv_[a-z_]+) "));
        const QSet<QString> named = all(QString::fromUtf8(sourceFile(c_dashboard)),
            QStringLiteral("\\b(dsh_kv_[a-z_]+?)(?:_bucket)?\\b"));
        families.remove(QStringLiteral("dsh_kv_build_info"));
        QVERIFY2((families - named).isEmpty(), qPrintable((families - named).values().join(u' ')));
    }

    void theDashboardIsWhole()
    {
        QVERIFY(!m_dashboard.isEmpty());
        QVERIFY(m_dashboard.value(u"schemaVersion").toInt() >= 36);
        QVERIFY(!m_dashboard.value(u"uid").toString().isEmpty());
        QVERIFY(!m_dashboard.contains(u"id")); // of one Grafana's database
        QStringList variables;
        for (const QJsonValue &variable : m_dashboard.value(u"templating")[u"list"].toArray()) {
            variables.append(variable[u"name"].toString() + u':' + variable[u"type"].toString());
        }
        QCOMPARE(variables,
            (QStringList { QStringLiteral("datasource:datasource"), QStringLiteral("server:query") }));
        QSet<int> ids;
        QSet<QString> titles;
        for (const QJsonValue &panel : m_dashboard.value(u"panels").toArray()) {
            const QString title = panel[u"title"].toString();
            QVERIFY2(panel[u"id"].toInt() > 0 && !ids.contains(panel[u"id"].toInt()), qPrintable(title));
            ids.insert(panel[u"id"].toInt());
            QVERIFY2(!title.isEmpty() && !titles.contains(title), qPrintable(title));
            titles.insert(title);
            if (panel[u"type"].toString() != u"row") {
                checkPanel(panel.toObject(), title);
            }
        }
        QVERIFY(ids.size() > 20);
        panelsDoNotOverlap();
    }

    void everyAlertSaysWhatToDo()
    {
        const QStringList alerts
            = QString::fromUtf8(sourceFile(c_rules)).split(QStringLiteral("- alert: ")).mid(1);
        QCOMPARE(alerts.size(), 10);
        for (const QString &alert : alerts) {
            for (const char *part : { "expr:", "severity:", "summary:", "description:" }) {
                QVERIFY2(alert.contains(QLatin1String(part)), qPrintable(alert));
            }
            QVERIFY2(alert.section(QStringLiteral("description:"), 1).size() > 120, qPrintable(alert));
        }
    }

private:
    static void checkPanel(const QJsonObject &panel, const QString &title)
    {
        QVERIFY2(!panel.value(u"description").toString().isEmpty(), qPrintable(title));
        QVERIFY2(!panel.value(u"fieldConfig")[u"defaults"][u"unit"].toString().isEmpty(), qPrintable(title));
        QCOMPARE(panel.value(u"datasource")[u"uid"].toString(), QStringLiteral("${datasource}"));
        const QJsonArray targets = panel.value(u"targets").toArray();
        QVERIFY2(!targets.isEmpty(), qPrintable(title));
        QSet<QString> references;
        for (const QJsonValue &target : targets) {
            QVERIFY2(target[u"expr"].toString().contains(QStringLiteral("server=~\"$server\"")),
                qPrintable(title));
            references.insert(target[u"refId"].toString());
        }
        QCOMPARE(references.size(), targets.size());
    }

    void panelsDoNotOverlap()
    {
        QSet<QPair<int, int>> taken;
        for (const QJsonValue &panel : m_dashboard.value(u"panels").toArray()) {
            const QJsonValue place = panel[u"gridPos"];
            QVERIFY(place[u"x"].toInt() + place[u"w"].toInt() <= 24);
            for (int x = place[u"x"].toInt(); x < place[u"x"].toInt() + place[u"w"].toInt(); ++x) {
                for (int y = place[u"y"].toInt(); y < place[u"y"].toInt() + place[u"h"].toInt(); ++y) {
                    QVERIFY2(!taken.contains({ x, y }), qPrintable(panel[u"title"].toString()));
                    taken.insert({ x, y });
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMonitoring)
#include "tst_monitoring.moc"
