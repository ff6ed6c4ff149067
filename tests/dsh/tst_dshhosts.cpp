// SPDX-License-Identifier: MIT
#include "dshtest.h"

#include <algorithm>

using namespace kv::test;

/// The harness as users run it: the web host over its own HTTP API, and one prompt of the headless program
/// with the plugin added as the README says.
class TstDshHosts final : public DshTest {
    Q_OBJECT

private Q_SLOTS:
    void theWebHostsSessionsComeBackWarm();
    void thePluginIsAddedToAProfile();

private:
    /// Starts dsh with these arguments in the home.
    void run(QProcess &process, const QStringList &arguments)
    {
        home().writePatch(false);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setProcessEnvironment(home().environment());
        process.setWorkingDirectory(home().workFolder());
        process.start(DshHome::program(), arguments);
    }
    /// What the web user printed.
    QString user(const QString &port, const QStringList &arguments)
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setProcessEnvironment(home().environment());
        process.setWorkingDirectory(home().workFolder());
        process.start(QStringLiteral("node"),
            QStringList { qEnvironmentVariable("KV_PERSIST_TEST_DSH") + QStringLiteral("/webuser.mjs"), port }
                + arguments);
        const bool well = ended(process) && process.exitCode() == 0;
        m_userSaid = process.readAll();
        return well ? QString::fromUtf8(m_userSaid).trimmed() : QString();
    }
    /// Every conversation request and that many titles are through, and one request more than before was
    /// made.
    bool waitAnswered(int titles)
    {
        ++m_said;
        return QTest::qWaitFor(
            [&] {
                const auto done = [](const auto &call) { return call->reply.contains("[DONE]"); };
                const auto spoken = completions();
                const auto titled = completions(false);
                return spoken.size() == m_said && titled.size() == titles
                    && std::all_of(spoken.begin(), spoken.end(), done)
                    && std::all_of(titled.begin(), titled.end(), done);
            },
            120000);
    }
    static bool ended(QProcess &process)
    {
        return QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 120000);
    }

    QByteArray m_userSaid;
    int m_said = 0;
};

void TstDshHosts::theWebHostsSessionsComeBackWarm()
{
    KV_DSH_STAGE();
    useHome(true);
    QProcess host;
    const QString port = QString::number(freePort());
    run(host,
        { QStringLiteral("--profile"), QStringLiteral("web"), QStringLiteral("--patch"), home().patchPath(),
            QStringLiteral("--no-open"), QStringLiteral("--port"), port });
    QByteArray said;
    QVERIFY2(QTest::qWaitFor(
                 [&] {
                     said += host.readAll();
                     return said.contains("dsh web: http://") || host.state() == QProcess::NotRunning;
                 },
                 60000)
            && host.state() == QProcess::Running,
        said.constData());

    const QString a = user(port, { QStringLiteral("create") });
    const QString b = user(port, { QStringLiteral("create") });
    QVERIFY2(!a.isEmpty() && !b.isEmpty(), m_userSaid.constData());
    int titles = 0;
    for (const QString &session : { a, b, a }) {
        user(port, { QStringLiteral("say"), session, QStringLiteral("hello") });
        titles = qMin(titles + 1, 2);
        QVERIFY2(waitAnswered(titles), m_userSaid.constData());
    }

    const QList<Spoken> all = allSpoken();
    QCOMPARE(all.size(), 3);
    QCOMPARE(all[2].session, all[0].session);
    QVERIFY(all[1].session != all[0].session);
    QCOMPARE(completions(false).size(), 2); // the titles
    KV_WARM(all[2], all[0]);
    qInfo().noquote() << "A, B, A in the web host:" << all[2].text();
    QVERIFY(QTest::qWaitFor([&] { return stage().stat(QStringLiteral("reuseVerified")) == 1; }, 10000));
    host.terminate();
    QVERIFY(ended(host));
    QCOMPARE(host.exitCode(), 0);
}

void TstDshHosts::thePluginIsAddedToAProfile()
{
    KV_DSH_STAGE();
    useHome(false);
    QProcess adding;
    run(adding,
        { QStringLiteral("plugin"), QStringLiteral("--profile"), QStringLiteral("headless"),
            QStringLiteral("add"), DshHome::pluginFolder() });
    QVERIFY(ended(adding));
    QVERIFY2(adding.exitCode() == 0, adding.readAll().constData());

    QProcess prompt;
    run(prompt,
        { QStringLiteral("--profile"), QStringLiteral("headless"), QStringLiteral("--patch"),
            home().patchPath(), QStringLiteral("Say hello") });
    QVERIFY(ended(prompt));
    const QByteArray said = prompt.readAll();
    QVERIFY2(!said.contains("kv-persist:"), said.constData());
    QCOMPARE(allSpoken().size(), 1);
    QVERIFY2(stage().stat(QStringLiteral("requests")) >= 1, said.constData());
    QCOMPARE(stage().stat(QStringLiteral("coldStarts")), 1);
    QVERIFY(waitNothingRuns());
}

QTEST_GUILESS_MAIN(TstDshHosts)
#include "tst_dshhosts.moc"
