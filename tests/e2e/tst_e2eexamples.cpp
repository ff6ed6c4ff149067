// SPDX-License-Identifier: MIT
#include "e2etest.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QtTest>

using namespace kv::test;

/// The examples for harness authors, run as they are.
class TstE2eExamples final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void sessionComesBackWarm_data() { clients(); }
    void sessionComesBackWarm();
    void goesOnWithoutADaemon_data() { clients(); }
    void goesOnWithoutADaemon();
    void reportsAFailedCompletionAndFreesTheSlot_data() { clients(); }
    void reportsAFailedCompletionAndFreesTheSlot();

private:
    static void clients()
    {
        QTest::addColumn<QStringList>("command");
        const QString folder = qEnvironmentVariable("KV_PERSIST_TEST_EXAMPLES");
        QTest::newRow("python") << QStringList { QStringLiteral("/usr/bin/python3"),
            folder + QStringLiteral("/kv_client.py") };
        QTest::newRow("node") << QStringList { QStringLiteral("node"),
            folder + QStringLiteral("/kv-client.mjs") };
    }
    /// What the example printed; empty when it failed.
    QJsonObject run(QStringList command, const QString &session, const QUrl &url)
    {
        command << session << QStringLiteral("local-qwen") << url.toString()
                << QStringLiteral("a word of %1, and again; ").arg(session).repeated(30);
        QProcess process;
        process.setProcessEnvironment(stage().daemon().environment());
        process.start(command.takeFirst(), command);
        if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 60000)) {
            return {};
        }
        m_errors = process.readAllStandardError();
        return process.exitCode() == 0 ? QJsonDocument::fromJson(process.readAllStandardOutput()).object()
                                       : QJsonObject();
    }

    QByteArray m_errors;
};

void TstE2eExamples::sessionComesBackWarm()
{
    QFETCH(const QStringList, command);
    KV_STAGE();
    const QUrl url = stage().server().url();
    const QJsonObject first = run(command, QStringLiteral("session-a"), url);
    QVERIFY2(!first.isEmpty(), m_errors.constData());
    QCOMPARE(first[QStringLiteral("kv")].toString(), QStringLiteral("cold"));
    QCOMPARE(run(command, QStringLiteral("session-b"), url)[QStringLiteral("kv")].toString(),
        QStringLiteral("cold"));
    const QJsonObject back = run(command, QStringLiteral("session-a"), url);
    QCOMPARE(back[QStringLiteral("kv")].toString(), QStringLiteral("restored"));
    const QJsonObject usage = back[QStringLiteral("usage")].toObject();
    QVERIFY(usage[QStringLiteral("cachedTokens")].toInt() * 10
        >= usage[QStringLiteral("promptTokens")].toInt() * 9);
    QCOMPARE(back[QStringLiteral("text")], first[QStringLiteral("text")]);
    QCOMPARE(stage().stat(QStringLiteral("saves")), 2);
}

void TstE2eExamples::goesOnWithoutADaemon()
{
    QFETCH(const QStringList, command);
    KV_STAGE();
    stage().daemon().kill();
    const QJsonObject answer = run(command, QStringLiteral("session-a"), stage().server().url());
    QVERIFY2(!answer.isEmpty(), m_errors.constData());
    QCOMPARE(answer[QStringLiteral("kv")].toString(), QStringLiteral("no daemon"));
    QVERIFY(!answer[QStringLiteral("text")].toString().isEmpty());
}

void TstE2eExamples::reportsAFailedCompletionAndFreesTheSlot()
{
    QFETCH(const QStringList, command);
    KV_STAGE();
    const QUrl nobody(QStringLiteral("http://127.0.0.1:%1").arg(freePort()));
    QVERIFY(run(command, QStringLiteral("session-a"), nobody).isEmpty());
    Conversation b(QStringLiteral("session-b"), 2);
    QCOMPARE(stage().turn(b).outcome(), QStringLiteral("cold"));
    QVERIFY(!stage().proxy().actions().contains(QStringLiteral("save")));
}

QTEST_GUILESS_MAIN(TstE2eExamples)
#include "tst_e2eexamples.moc"
