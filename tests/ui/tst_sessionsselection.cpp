// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "sessionsselection.h"

#include <QJsonArray>
#include <QTest>

using namespace kv;

namespace {

constexpr int c_rows = 5000;

QString word(const char *text) { return QString::fromLatin1(text); }

QString labelOf(int number) { return QStringLiteral("row %1").arg(number, 4, 10, QLatin1Char('0')); }

/// kv.list of rows "row 0000" and so on, without those in `without`; `sort` is taken for the label.
CallResult list(const QJsonObject &params, const QSet<int> &without = {})
{
    QList<int> numbers;
    for (int number = 0; number < c_rows; ++number) {
        if (!without.contains(number) && labelOf(number).contains(params.value(u"filter").toString())) {
            numbers.append(number);
        }
    }
    if (params.value(u"desc").toBool()) {
        std::reverse(numbers.begin(), numbers.end());
    }
    QJsonArray rows;
    const int offset = params.value(u"offset").toInt();
    const auto end = qMin(numbers.size(), qsizetype { offset } + params.value(u"limit").toInt());
    for (qsizetype at = offset; at < end; ++at) {
        const int number = numbers.at(at);
        rows.append(QJsonObject { { word("hash"), QStringLiteral("%1").arg(number, 64) },
            { word("session"), QString::number(number) }, { word("label"), labelOf(number) },
            { word("server"), word("local") }, { word("state"), word("valid") } });
    }
    return FakeUiDaemon::ok({ { word("rows"), rows }, { word("total"), static_cast<int>(numbers.size()) } });
}

struct Stage {
    /// With all rows, in order.
    Stage()
    {
        daemon.answer(word("kv.list"), [this](const QJsonObject &params) { return list(params, without); });
        model.sort(SessionsModel::Label, Qt::AscendingOrder);
        model.setShown(true);
    }

    void choose(int first, int last, QItemSelectionModel::SelectionFlags command)
    {
        selection.select(
            QItemSelection(model.index(first, 0), model.index(last, SessionsModel::c_columns - 1)), command);
    }

    /// Scrolls there and waits for the rows.
    void see(int row)
    {
        model.setVisibleRows(row, row + 20);
        static_cast<void>(model.index(row, 0).data());
        QTRY_VERIFY(model.row(row));
    }

    [[nodiscard]] QStringList labels() const
    {
        QStringList out;
        const QList<SessionRow> rows = selection.rows();
        for (const SessionRow &row : rows) {
            out.append(row.label);
        }
        out.sort();
        return out;
    }

    QSet<int> without;
    SystemClock clock;
    FakeUiDaemon daemon;
    SessionsModel model { daemon, clock };
    SessionsSelection selection { daemon, model };
};

constexpr auto c_click = QItemSelectionModel::ClearAndSelect;
constexpr auto c_shift = QItemSelectionModel::SelectCurrent;
constexpr auto c_control = QItemSelectionModel::Toggle;

} // namespace

class TestSessionsSelection final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itOutlivesTheOrder();
    void aClickForgetsWhatIsOutOfSight();
    void allThatMatchesIsRead();
    void readingIsCancelled();
    void aRangeOverRowsThatAreNotHeld();
    void aRangeOfAListThatMoves();
    void aFilterDeselectsWhatItHides();
    void whatIsRemovedIsNotSelected();
    void aFailedReadSaysSo();
};

void TestSessionsSelection::itOutlivesTheOrder()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.choose(3, 3, c_click);
    stage.choose(5, 5, c_control);
    QCOMPARE(stage.labels(), QStringList({ labelOf(3), labelOf(5) }));
    stage.model.sort(SessionsModel::Label, Qt::DescendingOrder);
    QTRY_COMPARE(stage.model.index(0, 0).data().toString(), labelOf(c_rows - 1));
    QCOMPARE(stage.labels(), QStringList({ labelOf(3), labelOf(5) }));
    QVERIFY(!stage.selection.hasSelection()); // none of them is held
    stage.choose(0, 0, c_control);
    QCOMPARE(stage.selection.count(), 3);
    stage.see(c_rows - 10);
    QTRY_VERIFY(stage.selection.isSelected(stage.model.index(c_rows - 1 - 3, 0)));
    QVERIFY(stage.selection.isSelected(stage.model.index(c_rows - 1 - 5, 0)));
    QVERIFY(!stage.selection.isSelected(stage.model.index(c_rows - 1 - 4, 0)));
    stage.choose(c_rows - 1 - 5, c_rows - 1 - 5, c_control);
    QCOMPARE(stage.labels(), QStringList({ labelOf(3), labelOf(c_rows - 1) }));
}

void TestSessionsSelection::aClickForgetsWhatIsOutOfSight()
{
    for (const auto command : { c_click, c_shift }) {
        Stage stage;
        QTRY_COMPARE(stage.model.rowCount(), c_rows);
        stage.choose(3, 3, c_click);
        stage.model.sort(SessionsModel::Label, Qt::DescendingOrder);
        QTRY_COMPARE(stage.model.index(0, 0).data().toString(), labelOf(c_rows - 1));
        stage.choose(1, 2, command);
        QCOMPARE(stage.labels(), QStringList({ labelOf(c_rows - 3), labelOf(c_rows - 2) }));
    }
}

void TestSessionsSelection::allThatMatchesIsRead()
{
    Stage stage;
    stage.model.setFilter(word("9"));
    const int total = 1355; // of 0000 to 4999, those with a 9
    QTRY_COMPARE(stage.model.rowCount(), total);
    const qsizetype before = stage.daemon.calls().size();
    stage.choose(0, total - 1, c_click);
    QVERIFY(stage.selection.isReading());
    QTRY_VERIFY(!stage.selection.isReading());
    QCOMPARE(stage.selection.count(), total);
    QCOMPARE(stage.daemon.calls().size(), before + 2);
    stage.choose(0, 0, c_control);
    QCOMPARE(stage.selection.count(), total - 1);
    stage.model.sort(SessionsModel::Label, Qt::DescendingOrder);
    QTRY_COMPARE(stage.model.index(0, 0).data().toString(), labelOf(4999));
    QCOMPARE(stage.selection.count(), total - 1);
    QVERIFY(stage.selection.isSelected(stage.model.index(0, 0)));
}

void TestSessionsSelection::readingIsCancelled()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.daemon.hold(word("kv.list"));
    stage.choose(0, c_rows - 1, c_click);
    stage.daemon.answerOldest(list(stage.daemon.calls().last().params));
    QVERIFY(stage.selection.isReading());
    QCOMPARE(stage.selection.progress().done, 1000);
    QCOMPARE(stage.selection.progress().total, c_rows);
    stage.selection.cancel();
    QVERIFY(!stage.selection.isReading() && stage.selection.isEmpty() && !stage.selection.hasSelection());
    QVERIFY(stage.selection.problem().isEmpty());
    stage.daemon.answerOldest(list(stage.daemon.calls().last().params));
    QVERIFY(stage.selection.isEmpty());
}

void TestSessionsSelection::aRangeOverRowsThatAreNotHeld()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.see(1000);
    stage.choose(150, 2300, c_shift);
    QVERIFY(stage.selection.isReading());
    QTRY_VERIFY(!stage.selection.isReading());
    QStringList wanted;
    for (int number = 150; number <= 2300; ++number) {
        wanted.append(labelOf(number));
    }
    QCOMPARE(stage.labels(), wanted);
    stage.see(2200);
    QTRY_VERIFY(stage.selection.isSelected(stage.model.index(2300, 0)));
    QVERIFY(!stage.selection.isSelected(stage.model.index(2301, 0)));
}

/// A row that is counted off is not what it was when the list moves.
void TestSessionsSelection::aRangeOfAListThatMoves()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.choose(10, 2300, c_shift);
    stage.without = { 700 };
    QTRY_VERIFY(!stage.selection.isReading());
    QVERIFY(stage.selection.isEmpty() && !stage.selection.hasSelection());
    QVERIFY(!stage.selection.problem().isEmpty());
}

void TestSessionsSelection::aFilterDeselectsWhatItHides()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.choose(3, 3, c_click);
    stage.choose(9, 9, c_control);
    stage.see(4900);
    stage.choose(4909, 4909, c_control);
    stage.choose(4888, 4888, c_control);
    QCOMPARE(stage.selection.count(), 4);
    stage.see(0);
    stage.model.setFilter(word("9"));
    QTRY_COMPARE(stage.model.index(0, 0).data().toString(), labelOf(9));
    QTRY_VERIFY(!stage.selection.isReading());
    QCOMPARE(stage.labels(), QStringList({ labelOf(9), labelOf(4909) }));
    QCOMPARE(stage.selection.hiddenByFilter(), 2);
    QVERIFY(stage.selection.isSelected(stage.model.index(0, 0)));
    stage.model.setFilter({});
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    QCOMPARE(stage.selection.count(), 2);
    stage.model.setFilter(word("row 0009"));
    QTRY_COMPARE(stage.model.rowCount(), 1);
    QTRY_VERIFY(!stage.selection.isReading());
    QTRY_COMPARE(stage.labels(), QStringList { labelOf(9) });
}

void TestSessionsSelection::whatIsRemovedIsNotSelected()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.choose(3, 4, c_click);
    stage.without = { 3 };
    for (const char *session : { "3", "4" }) { // the other one was saved again
        stage.daemon.sendEvent({ { word("name"), word("kv.snapshot.removed") },
            { word("session"), word(session) }, { word("server"), word("local") } });
    }
    QTRY_COMPARE(stage.model.rowCount(), c_rows - 1);
    QCOMPARE(stage.labels(), QStringList { labelOf(4) });
}

void TestSessionsSelection::aFailedReadSaysSo()
{
    Stage stage;
    QTRY_COMPARE(stage.model.rowCount(), c_rows);
    stage.daemon.refuse(word("kv.list"), word("KV_INVARIANT"), word("It broke."));
    stage.choose(0, c_rows - 1, c_click);
    QTRY_VERIFY(!stage.selection.isReading());
    QVERIFY(stage.selection.isEmpty());
    QCOMPARE(stage.selection.problem(), word("It broke."));
}

QTEST_GUILESS_MAIN(TestSessionsSelection)
#include "tst_sessionsselection.moc"
