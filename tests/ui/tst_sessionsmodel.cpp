// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "sessionsmodel.h"

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QTest>

#include <memory>

using namespace kv;

namespace {

class FixedClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return { 0, 1'790'000'100'000 }; }
};

/// `total` rows numbered from `first`, as kv.list answers them.
CallResult page(const QJsonObject &params, int total, int first = 0)
{
    QJsonArray rows;
    const int offset = params.value(u"offset").toInt();
    const int end = qMin(total, offset + params.value(u"limit").toInt());
    for (int at = offset; at < end; ++at) {
        const QString hash = QStringLiteral("%1").arg(at + first, 64, 16, QLatin1Char('0'));
        rows.append(
            QJsonObject { { QStringLiteral("hash"), hash }, { QStringLiteral("session"), hash.right(6) },
                { QStringLiteral("label"), QStringLiteral("row %1").arg(at + first) },
                { QStringLiteral("state"), QStringLiteral("valid") } });
    }
    return FakeUiDaemon::ok({ { QStringLiteral("rows"), rows }, { QStringLiteral("total"), total } });
}

QString label(const SessionsModel &model, int row)
{
    return model.index(row, SessionsModel::Label).data().toString();
}

} // namespace

class TestSessionsModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pagesOnDemandAndBounded_data();
    void pagesOnDemandAndBounded();
    void theDaemonSortsAndFilters();
    void staleAnswersAreDropped();
    void aChangeKeepsWhatIsSelected();
    void hiddenItFetchesNothing();

private:
    FixedClock m_clock;
};

void TestSessionsModel::pagesOnDemandAndBounded_data()
{
    QTest::addColumn<int>("rows");
    QTest::newRow("a tester looks at all of them each time") << 8000;
    QTest::newRow("many") << 100'000;
}

void TestSessionsModel::pagesOnDemandAndBounded()
{
    QFETCH(const int, rows);
    FakeUiDaemon daemon;
    SessionsModel model(daemon, m_clock);
    std::unique_ptr<QAbstractItemModelTester> tester;
    if (rows < 10'000) {
        tester = std::make_unique<QAbstractItemModelTester>(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    daemon.answer(
        QStringLiteral("kv.list"), [rows](const QJsonObject &params) { return page(params, rows); });
    model.setShown(true);
    QTRY_COMPARE(model.rowCount(), rows);
    QCOMPARE(label(model, 0), QStringLiteral("row 0"));
    for (int at = 0; at < rows; at += rows / 40) {
        model.setVisibleRows(at, at + 30);
        label(model, at);
        QTRY_COMPARE(label(model, at), QStringLiteral("row %1").arg(at));
    }
    QVERIFY(model.heldPages().size() <= SessionsModel::c_maxPages);
    model.setVisibleRows(rows - 10, rows - 1);
    QTRY_COMPARE(label(model, rows - 1), QStringLiteral("row %1").arg(rows - 1));
}

void TestSessionsModel::theDaemonSortsAndFilters()
{
    FakeUiDaemon daemon;
    SessionsModel model(daemon, m_clock);
    daemon.answer(QStringLiteral("kv.list"),
        [](const QJsonObject &params) { return page(params, params.contains(u"filter") ? 3 : 1000); });
    model.setShown(true);
    QTRY_COMPARE(model.rowCount(), 1000);
    model.sort(SessionsModel::Size, Qt::DescendingOrder);
    QCOMPARE(daemon.calls().last().params.value(u"sort").toString(), QStringLiteral("bytes"));
    QVERIFY(daemon.calls().last().params.value(u"desc").toBool());
    QTRY_COMPARE(model.phase(), SessionsModel::Phase::Ready);
    const qsizetype before = daemon.calls().size();
    for (const auto &typed : { QStringLiteral("q"), QStringLiteral("qw"), QStringLiteral("qwen") }) {
        model.setFilter(typed);
    }
    QTRY_COMPARE(model.rowCount(), 3);
    QCOMPARE(daemon.calls().size(), before + 1);
    QCOMPARE(daemon.calls().last().params.value(u"filter").toString(), QStringLiteral("qwen"));
}

void TestSessionsModel::staleAnswersAreDropped()
{
    FakeUiDaemon daemon;
    SessionsModel model(daemon, m_clock);
    model.setShown(true);
    const QJsonObject first = daemon.calls().last().params;
    model.sort(SessionsModel::Label, Qt::AscendingOrder);
    daemon.answerOldest(page(first, 7));
    QCOMPARE(model.rowCount(), 0);
    daemon.answerOldest(page(daemon.calls().last().params, 9));
    QCOMPARE(model.rowCount(), 9);
}

void TestSessionsModel::aChangeKeepsWhatIsSelected()
{
    FakeUiDaemon daemon;
    SessionsModel model(daemon, m_clock);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    int first = 10;
    int total = 400;
    daemon.answer(
        QStringLiteral("kv.list"), [&](const QJsonObject &params) { return page(params, total, first); });
    model.setShown(true);
    QTRY_COMPARE(model.rowCount(), 400);
    label(model, 300);
    model.setVisibleRows(190, 210);
    label(model, 200);
    QTRY_COMPARE(label(model, 200), QStringLiteral("row 210"));
    const QPersistentModelIndex chosen = model.index(199, 0); // crosses into the next page
    first = 9;
    total = 401;
    const qsizetype before = daemon.calls().size();
    for (int at = 0; at < 50; ++at) {
        daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.snapshot.saved") } });
    }
    QTRY_COMPARE(model.rowCount(), 401);
    QCOMPARE(daemon.calls().size(), before + 2); // the two pages in sight, once
    QCOMPARE(chosen.row(), 200);
    QCOMPARE(chosen.data().toString(), QStringLiteral("row 209"));
    first = 300;
    total = 100;
    daemon.sendEvent(
        { { QStringLiteral("name"), QStringLiteral("kv.stats") }, { QStringLiteral("lost"), 4 } });
    QTRY_COMPARE(model.rowCount(), 100);
    QVERIFY(!chosen.isValid());
}

void TestSessionsModel::hiddenItFetchesNothing()
{
    FakeUiDaemon daemon;
    SessionsModel model(daemon, m_clock);
    daemon.sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.snapshot.saved") } });
    model.setFilter(QStringLiteral("x"));
    QTest::qWait(300); // longer than what it waits for before it fetches
    QVERIFY(daemon.calls().isEmpty());
}

QTEST_GUILESS_MAIN(TestSessionsModel)
#include "tst_sessionsmodel.moc"
