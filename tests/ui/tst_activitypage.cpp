// SPDX-License-Identifier: MIT
#include "activitypage.h"
#include "clock.h"
#include "fakeui.h"
#include "humantime.h"
#include "samplestatus.h"
#include "timelineview.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolTip>

using namespace kv;

namespace {

constexpr qint64 c_now = 1'769'860'800'000;
constexpr qint64 c_minute = 60'000;

class FixedClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return { 0, c_now }; }
};

QJsonObject entry(const char *kind, qint64 from, qint64 to, const char *label)
{
    return { { QStringLiteral("kind"), QLatin1String(kind) },
        { QStringLiteral("from"), isoUtc(c_now + from) }, { QStringLiteral("to"), isoUtc(c_now + to) },
        { QStringLiteral("session"), QStringLiteral("3fa41c") },
        { QStringLiteral("label"), QLatin1String(label) } };
}

QJsonObject history()
{
    const QJsonObject first { { QStringLiteral("id"), 0 },
        { QStringLiteral("intervals"),
            QJsonArray { entry("owner", -50 * c_minute, -20 * c_minute, "first"),
                entry("owner", -20 * c_minute, 0, "second") } } };
    const QJsonObject second { { QStringLiteral("id"), 1 },
        { QStringLiteral("intervals"), QJsonArray { entry("owner", -60 * c_minute, 0, "third") } } };
    return { { QStringLiteral("slots"), QJsonArray { first, second } } };
}

} // namespace

class TestActivityPage final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void keysGoThroughWhatHappened();
    void zooms();
    void pointerTellsWhatIsThere();
    void rangeIsAskedFor();
    void eventsAreFilteredAndCopied();
    void paintsDarkAndMirrored();
    void awayItStaysAndSaysSo();

private:
    template <typename T> [[nodiscard]] T *child(const char *name) const
    {
        return m_page->findChild<T *>(QLatin1String(name));
    }
    [[nodiscard]] TimelineView *timeline() const { return child<TimelineView>("timeline"); }

    FixedClock m_clock;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<ActivityPage> m_page;
};

void TestActivityPage::init()
{
    m_page.reset();
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_daemon->answer(QStringLiteral("kv.history"), history());
    m_page = std::make_unique<ActivityPage>(*m_daemon, m_clock);
    m_page->resize(900, 700);
    m_page->show();
    m_daemon->sendStatus({ { QStringLiteral("servers"),
        QJsonArray { test::serverDocument(QStringLiteral("desk"), QStringLiteral("healthy"), {}) } } });
    m_page->setShown(true);
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    QTRY_VERIFY(timeline()->span().toMs == c_now && timeline()->accessibleDescription().contains(u"arrow"));
    timeline()->setFocus();
}

void TestActivityPage::keysGoThroughWhatHappened()
{
    const auto says = [this](int key, const char *lane, const char *label) {
        QTest::keyClick(timeline(), static_cast<Qt::Key>(key));
        const QString text = timeline()->accessibleDescription();
        return text.startsWith(QLatin1String(lane)) && text.contains(QLatin1String(label));
    };
    QVERIFY(says(Qt::Key_Left, "desk, slot 0", "second"));
    QVERIFY(says(Qt::Key_Left, "desk, slot 0", "first"));
    QVERIFY(says(Qt::Key_Left, "desk, slot 0", "first"));
    QVERIFY(says(Qt::Key_Right, "desk, slot 0", "second"));
    QVERIFY(says(Qt::Key_Down, "desk, slot 1", "third"));
    QVERIFY(says(Qt::Key_Down, "desk, slot 1", "third"));
    QVERIFY(says(Qt::Key_Up, "desk, slot 0", "first"));
    QVERIFY(says(Qt::Key_End, "desk, slot 0", "second"));
    QVERIFY(says(Qt::Key_Home, "desk, slot 0", "first"));
    timeline()->setLayoutDirection(Qt::RightToLeft);
    QVERIFY(says(Qt::Key_Left, "desk, slot 0", "second"));
}

void TestActivityPage::zooms()
{
    const auto wide = [this] { return timeline()->span().toMs - timeline()->span().fromMs; };
    QCOMPARE(wide(), 60 * c_minute);
    QTest::keyClick(timeline(), Qt::Key_End);
    QTest::keyClick(timeline(), Qt::Key_Plus);
    QCOMPARE(wide(), 30 * c_minute);
    QVERIFY(timeline()->span().fromMs <= c_now - 20 * c_minute);
    QTest::keyClick(timeline(), Qt::Key_Minus);
    QTest::keyClick(timeline(), Qt::Key_Minus);
    QCOMPARE(wide(), 60 * c_minute);
    QCOMPARE(timeline()->span().toMs, c_now);
    QVERIFY(!timeline()->isTicking()); // nothing is going on
}

void TestActivityPage::pointerTellsWhatIsThere()
{
    const int line = timeline()->fontMetrics().height();
    const QPoint place(timeline()->width() - line * 2, line * 3);
    QVERIFY2(timeline()->textAt(place).startsWith(QStringLiteral("second")),
        qPrintable(timeline()->textAt(place)));
    QVERIFY(timeline()->textAt({ 2, 2 }).isEmpty());
    QHelpEvent help(QEvent::ToolTip, place, timeline()->mapToGlobal(place));
    QGuiApplication::sendEvent(timeline(), &help);
    QVERIFY(QToolTip::text().startsWith(QStringLiteral("second: had the slot for")));
    QToolTip::hideText();
}

void TestActivityPage::rangeIsAskedFor()
{
    const qsizetype before = m_daemon->calls().size();
    child<QComboBox>("range")->setCurrentIndex(2);
    QCOMPARE(m_daemon->calls().size(), before + 1);
    const QJsonObject params = m_daemon->calls().last().params;
    QCOMPARE(params.value(u"server").toString(), QStringLiteral("desk"));
    QCOMPARE(params.value(u"from").toString(), isoUtc(c_now - 360 * c_minute));
    QCOMPARE(params.value(u"to").toString(), isoUtc(c_now));
    QTRY_COMPARE(timeline()->span().fromMs, c_now - 360 * c_minute);
}

void TestActivityPage::eventsAreFilteredAndCopied()
{
    for (const char *name : { "kv.slot.state", "kv.session.cold", "kv.snapshot.saved", "kv.backend.ready" }) {
        m_daemon->sendEvent({ { QStringLiteral("name"), QLatin1String(name) },
            { QStringLiteral("server"), QStringLiteral("desk") } });
    }
    const auto names = [this] {
        QStringList list;
        const QAbstractItemModel *model = child<QTableView>("events")->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            list << model->index(row, EventsModel::Name).data().toString();
        }
        return list;
    };
    QCOMPARE(names().size(), 4);
    auto *kind = child<QComboBox>("kind");
    const QStringList each { QStringLiteral("kv.slot.state"), QStringLiteral("kv.session.cold"),
        QStringLiteral("kv.snapshot.saved"), QStringLiteral("kv.backend.ready") };
    for (int index = 0; index < each.size(); ++index) {
        kind->setCurrentIndex(index + 1);
        QCOMPARE(names(), QStringList(each[index]));
    }
    kind->setCurrentIndex(0);
    QTest::keyClicks(child<QLineEdit>("filter"), QStringLiteral("COLD"));
    QCOMPARE(names(), QStringList(QStringLiteral("kv.session.cold")));
    QTest::mouseClick(child<QPushButton>("copy"), Qt::LeftButton);
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("\tkv.session.cold\tdesk\t")));
    QCOMPARE(QGuiApplication::clipboard()->text().count(u'\n'), 1);
}

void TestActivityPage::paintsDarkAndMirrored()
{
    const QImage light = timeline()->grab().toImage();
    timeline()->setLayoutDirection(Qt::RightToLeft);
    const QImage mirrored = timeline()->grab().toImage();
    QVERIFY(mirrored != light);
    QPalette dark = timeline()->palette();
    dark.setColor(QPalette::Window, QColor(30, 30, 30));
    dark.setColor(QPalette::WindowText, QColor(Qt::white));
    timeline()->setPalette(dark);
    QVERIFY(timeline()->grab().toImage() != mirrored);
}

void TestActivityPage::awayItStaysAndSaysSo()
{
    const auto *notice = child<QLabel>("notice");
    QVERIFY(notice->text().isEmpty());
    const QImage before = timeline()->grab().toImage();
    m_daemon->setLink(Daemon::Link::Away);
    QVERIFY(notice->isVisible() && notice->text().contains(QStringLiteral("away")));
    QVERIFY(timeline()->accessibleDescription().contains(QStringLiteral("away")));
    QVERIFY(timeline()->grab().toImage() != before); // greyed
    const int line = timeline()->fontMetrics().height();
    const QPoint place(timeline()->width() - line * 2, line * 3);
    QVERIFY(timeline()->textAt(place).startsWith(QStringLiteral("second"))); // and still there
    m_daemon->setLink(Daemon::Link::Connected);
    QVERIFY(notice->text().isEmpty());
    QCOMPARE(timeline()->grab().toImage(), before);
}

QTEST_MAIN(TestActivityPage)
#include "tst_activitypage.moc"
