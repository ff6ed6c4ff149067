// SPDX-License-Identifier: MIT
#include "doctorpresenter.h"
#include "fakeui.h"

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace kv;
using State = DoctorPresenter::State;
using Verdict = DoctorCheck::Verdict;

namespace {

QJsonObject check(const char *result, const char *message, const char *remedy = "")
{
    QJsonObject out { { QStringLiteral("name"), QStringLiteral("slot saving") },
        { QStringLiteral("result"), QString::fromLatin1(result) },
        { QStringLiteral("message"), QString::fromLatin1(message) },
        { QStringLiteral("server"), QStringLiteral("local") } };
    if (*remedy != 0) {
        out.insert(QStringLiteral("remedy"), QString::fromUtf8(remedy));
    }
    return out;
}

QJsonObject verdict(const char *result, const QJsonArray &checks)
{
    return { { QStringLiteral("result"), QString::fromLatin1(result) },
        { QStringLiteral("checks"), checks } };
}

} // namespace

class TestDoctor final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_doctor.reset(); }
    void asksWhatItIsToldTo();
    void showsChecksAsTheyCome();
    void addsTheChecksThatWereMissed();
    void canBeCancelled();
    void saysWhyThereIsNoVerdict();
    void snippetsAreWhatIsTyped_data();
    void snippetsAreWhatIsTyped();
    void namesTheServers();
    void copiesAsText();

private:
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<DoctorPresenter> m_doctor;
};

void TestDoctor::init()
{
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_doctor = std::make_unique<DoctorPresenter>(*m_daemon);
    new QAbstractItemModelTester(
        m_doctor->model(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_doctor.get());
}

void TestDoctor::asksWhatItIsToldTo()
{
    const auto asked = [&] {
        const QJsonObject params = m_daemon->calls().last().params;
        m_daemon->answerOldest(FakeUiDaemon::ok(verdict("ready", {})));
        return params;
    };
    m_doctor->runConfigured();
    QCOMPARE(asked(), QJsonObject());
    m_doctor->runConfigured(QStringLiteral("local"));
    QCOMPARE(asked(), QJsonObject({ { QStringLiteral("server"), QStringLiteral("local") } }));
    m_doctor->runAddress(QStringLiteral(" http://h:1 "), QStringLiteral("k"));
    QCOMPARE(asked(),
        QJsonObject({ { QStringLiteral("baseURL"), QStringLiteral("http://h:1") },
            { QStringLiteral("apiKey"), QStringLiteral("k") } }));
    m_doctor->runConfigured();
    m_doctor->runConfigured(); // runs already
    QCOMPARE(m_daemon->callsOf(QStringLiteral("kv.doctor")).size(), 4);
}

void TestDoctor::showsChecksAsTheyCome()
{
    m_doctor->runConfigured();
    const Daemon::CallId id = m_daemon->calls().last().id;
    QCOMPARE(m_doctor->state(), State::Running);
    m_daemon->sendCheck(id + 1, check("failed", "of another doctor"));
    QCOMPARE(m_doctor->model()->rowCount(), 0);
    m_daemon->sendCheck(id, check("passed", "It answers."));
    m_daemon->sendCheck(
        id, check("warning", "Perhaps.", "Make sure that it runs with --slot-save-path FOLDER."));
    QCOMPARE(m_doctor->model()->rowCount(), 2);
    QCOMPARE(m_doctor->model()->at(1).verdict, Verdict::Warning);
    QVERIFY(m_doctor->summary().contains(QLatin1Char('2')));
    m_daemon->answerOldest(
        FakeUiDaemon::ok(verdict("ready-with-warnings", { check("passed", "a"), check("warning", "b") })));
    QCOMPARE(m_doctor->state(), State::ReadyWithWarnings);
    QCOMPARE(m_doctor->model()->rowCount(), 2);
    m_doctor->runConfigured();
    QCOMPARE(m_doctor->model()->rowCount(), 0);
}

void TestDoctor::addsTheChecksThatWereMissed()
{
    m_daemon->answer(QStringLiteral("kv.doctor"),
        verdict("not-ready", { check("passed", "a"), check("failed", "b", "x") }));
    m_doctor->runConfigured();
    QTRY_COMPARE(m_doctor->state(), State::NotReady);
    QCOMPARE(m_doctor->model()->rowCount(), 2);
    QCOMPARE(m_doctor->model()->index(1).data(DoctorModel::RemedyRole).toString(),
        QStringLiteral("Look at the setting x."));
}

void TestDoctor::canBeCancelled()
{
    m_doctor->runConfigured();
    const Daemon::CallId id = m_daemon->calls().last().id;
    m_doctor->cancel();
    QCOMPARE(m_daemon->cancelled(), QList<Daemon::CallId>({ id }));
    QCOMPARE(m_doctor->state(), State::Cancelled);
    m_daemon->sendCheck(id, check("passed", "late"));
    QCOMPARE(m_doctor->model()->rowCount(), 0);
    m_doctor->runConfigured();
    m_daemon->answerOldest(FakeUiDaemon::refused(QStringLiteral("KV_CANCELLED"), QStringLiteral("late")));
    QCOMPARE(m_doctor->state(), State::Running); // the answer was of the first
}

void TestDoctor::saysWhyThereIsNoVerdict()
{
    m_daemon->refuse(
        QStringLiteral("kv.doctor"), QStringLiteral("KV_BAD_REQUEST"), QStringLiteral("No address."));
    m_doctor->runAddress(QStringLiteral("x"));
    QTRY_COMPARE(m_doctor->state(), State::Failed);
    QCOMPARE(m_doctor->summary(), QStringLiteral("No address."));
    m_daemon->setLink(Daemon::Link::Away);
    m_doctor->runConfigured();
    QTRY_COMPARE(m_doctor->state(), State::Failed);
    QVERIFY(!m_doctor->summary().isEmpty());
}

void TestDoctor::snippetsAreWhatIsTyped_data()
{
    QTest::addColumn<QString>("remedy");
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QStringList>("snippets");
    QTest::newRow("a flag in a sentence") << "Start llama-server with --slot-save-path FOLDER."
                                          << "Start llama-server with --slot-save-path FOLDER."
                                          << QStringList { QStringLiteral("--slot-save-path FOLDER") };
    QTest::newRow("only a flag") << "--slot-save-path DIR"
                                 << "Start llama-server with --slot-save-path DIR."
                                 << QStringList { QStringLiteral("--slot-save-path DIR") };
    QTest::newRow("a flag and a setting")
        << "Start llama-server with --parallel 1, or set mode: managed-slots."
        << "Start llama-server with --parallel 1, or set mode: managed-slots."
        << QStringList { QStringLiteral("--parallel 1"), QStringLiteral("mode: managed-slots") };
    QTest::newRow("a folder") << "Set slotSavePath: /data/kv."
                              << "Set slotSavePath: /data/kv."
                              << QStringList { QStringLiteral("slotSavePath: /data/kv") };
    QTest::newRow("only a setting") << "apiKeyFile"
                                    << "Look at the setting apiKeyFile." << QStringList();
    QTest::newRow("nothing to type") << "Wait until the model is loaded."
                                     << "Wait until the model is loaded." << QStringList();
}

void TestDoctor::snippetsAreWhatIsTyped()
{
    QFETCH(QString, remedy);
    const DoctorCheck one = DoctorCheck::fromJson(check("failed", "x", remedy.toUtf8().constData()));
    QTEST(one.remedy, "sentence");
    QTEST(one.snippets, "snippets");
}

void TestDoctor::namesTheServers()
{
    QSignalSpy changed(m_doctor.get(), &DoctorPresenter::serversChanged);
    const QJsonObject status { { QStringLiteral("servers"),
        QJsonArray { QJsonObject { { QStringLiteral("name"), QStringLiteral("a") } },
            QJsonObject { { QStringLiteral("name"), QStringLiteral("b") } } } } };
    m_daemon->sendStatus(status);
    m_daemon->sendStatus(status);
    QCOMPARE(m_doctor->servers(), QStringList({ QStringLiteral("a"), QStringLiteral("b") }));
    QCOMPARE(changed.count(), 1);
}

void TestDoctor::copiesAsText()
{
    m_daemon->answer(QStringLiteral("kv.doctor"),
        verdict("not-ready", { check("failed", "No folder.", "Start it with --slot-save-path DIR.") }));
    m_doctor->runConfigured();
    QTRY_COMPARE(m_doctor->state(), State::NotReady);
    QCOMPARE(m_doctor->asText(),
        QStringLiteral("[Failed] local, Slot saving: No folder.\n    Start it with --slot-save-path DIR.\n")
            + m_doctor->summary() + QLatin1Char('\n'));
}

QTEST_GUILESS_MAIN(TestDoctor)
#include "tst_doctor.moc"
