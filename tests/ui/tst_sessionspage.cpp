// SPDX-License-Identifier: MIT
#include "fakeui.h"
#include "sessionspage.h"

#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;

class TestSessionsPage final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void savesTheOneThatOwnsASlot();
    void forgetAndNo();
    void forgetAndYes();
    void filterTyped();
    void exportsAllThatMatches();
    void anExportIsShownUntilItEnds();
    void allIsMoreThanWhatIsHeld();
    void columnsFitTheWindow();

private:
    [[nodiscard]] QTableView *table() const { return m_page->findChild<QTableView *>(); }
    [[nodiscard]] QString status() const
    {
        return m_page->findChild<QLabel *>(QStringLiteral("status"))->text();
    }
    [[nodiscard]] QMessageBox *asked() const { return m_page->findChild<QMessageBox *>(); }

    static QString hashOf(int row) { return QStringLiteral("%1").arg(row, 64, 16, QLatin1Char('0')); }

    int m_total = 3;
    QTemporaryDir m_folder;
    QSettings m_settings { m_folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat };
    SystemClock m_clock;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<SessionsPage> m_page;
};

void TestSessionsPage::init()
{
    m_total = 3;
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_daemon->answer(QStringLiteral("kv.list"), [this](const QJsonObject &params) {
        QJsonArray rows;
        const int total = params.contains(u"filter") ? 1 : m_total;
        const int offset = params.value(u"offset").toInt();
        for (int at = offset; at < qMin(total, offset + params.value(u"limit").toInt()); ++at) {
            QJsonObject row { { QStringLiteral("hash"), hashOf(at) },
                { QStringLiteral("label"), QStringLiteral("=row %1").arg(at) },
                { QStringLiteral("state"), QStringLiteral("valid") } };
            if (at == 0) {
                row.insert(QStringLiteral("slot"), 0);
            }
            rows.append(row);
        }
        return FakeUiDaemon::ok({ { QStringLiteral("rows"), rows }, { QStringLiteral("total"), total } });
    });
    m_daemon->answer(QStringLiteral("kv.purge"), { { QStringLiteral("count"), 1 } });
    m_page = std::make_unique<SessionsPage>(*m_daemon, m_clock, m_settings);
    m_page->resize(1000, 500);
    m_page->show();
    m_page->setShown(true);
    QTRY_COMPARE(m_page->model().rowCount(), 3);
    table()->setFocus();
}

void TestSessionsPage::cleanup()
{
    m_page.reset();
    m_daemon.reset();
}

void TestSessionsPage::savesTheOneThatOwnsASlot()
{
    m_daemon->answer(
        QStringLiteral("kv.save"), { { QStringLiteral("tokens"), 1200 }, { QStringLiteral("ms"), 90 } });
    table()->selectRow(1);
    QTest::keyClick(table(), Qt::Key_S, Qt::ControlModifier);
    QVERIFY(m_daemon->callsOf(QStringLiteral("kv.save")).isEmpty());
    table()->selectRow(0);
    QTest::keyClick(table(), Qt::Key_S, Qt::ControlModifier);
    QCOMPARE(m_daemon->callsOf(QStringLiteral("kv.save")).size(), 1);
    QTRY_VERIFY(status().contains(QStringLiteral("1.2K")));
}

void TestSessionsPage::forgetAndNo()
{
    table()->selectAll();
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(asked() != nullptr);
    QVERIFY(asked()->text().contains(u'3'));
    QTest::keyClick(asked(), Qt::Key_Return); // Cancel is the default
    QTRY_VERIFY(asked() == nullptr);
    QVERIFY(m_daemon->callsOf(QStringLiteral("kv.purge")).isEmpty());
}

void TestSessionsPage::forgetAndYes()
{
    table()->selectRow(2);
    QTest::keyClick(table(), Qt::Key_Delete);
    for (QAbstractButton *button : asked()->buttons()) {
        if (asked()->buttonRole(button) == QMessageBox::DestructiveRole) {
            QTest::mouseClick(button, Qt::LeftButton);
            break;
        }
    }
    QTRY_VERIFY(status().contains(QStringLiteral("forgotten")));
    const auto calls = m_daemon->callsOf(QStringLiteral("kv.purge"));
    QCOMPARE(calls.size(), 1);
    QCOMPARE(calls.first().params.value(u"session").toString(), hashOf(2));
}

void TestSessionsPage::filterTyped()
{
    auto *filter = m_page->findChild<QLineEdit *>(QStringLiteral("filter"));
    QTest::keyClicks(filter, QStringLiteral("row"));
    QTRY_COMPARE(m_page->model().rowCount(), 1);
    QCOMPARE(m_daemon->calls().last().params.value(u"filter").toString(), QStringLiteral("row"));
}

void TestSessionsPage::exportsAllThatMatches()
{
    const QTemporaryDir folder;
    const QString json = folder.filePath(QStringLiteral("a.json"));
    m_page->exportTo(json, SessionExport::Format::Json);
    QTRY_VERIFY(QFile::exists(json));
    QFile file(json);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QJsonDocument::fromJson(file.readAll()).array().size(), 3);
    const QString csv = folder.filePath(QStringLiteral("a.csv"));
    m_page->exportTo(csv, SessionExport::Format::Csv);
    QTRY_VERIFY(QFile::exists(csv));
    QFile table(csv);
    QVERIFY(table.open(QIODevice::ReadOnly));
    QCOMPARE(table.readAll().count("\"'=row"), 3); // no spreadsheet takes a name for a formula
}

void TestSessionsPage::anExportIsShownUntilItEnds()
{
    const QTemporaryDir folder;
    auto *cancel = m_page->findChild<QPushButton *>(QStringLiteral("cancel"));
    m_daemon->hold(QStringLiteral("kv.list"));
    m_page->exportTo(folder.filePath(QStringLiteral("a.csv")), SessionExport::Format::Csv);
    QCOMPARE(status(), QStringLiteral("Exporting…"));
    table()->selectRow(1);
    QCOMPARE(status(), QStringLiteral("Exporting…"));
    m_daemon->setLink(Daemon::Link::Connected); // the list tells of a change
    QCOMPARE(status(), QStringLiteral("Exporting…"));
    QVERIFY(cancel->isVisible());
    m_daemon->answerOldest(FakeUiDaemon::ok({ { QStringLiteral("total"), 0 } }));
    QVERIFY(status().contains(QStringLiteral("exported to")));
    QVERIFY(!cancel->isVisible());
    m_daemon->setLink(Daemon::Link::Connected);
    QVERIFY(status().contains(QStringLiteral("exported to"))); // what happens by itself does not hide it
    table()->selectRow(2);
    QVERIFY(status().contains(QStringLiteral("“=row 2” selected")));
}

void TestSessionsPage::allIsMoreThanWhatIsHeld()
{
    m_total = 2500;
    m_daemon->sendEvent({ { QStringLiteral("name"), QStringLiteral("kv.snapshot.saved") } });
    QTRY_COMPARE(m_page->model().rowCount(), 2500);
    auto *cancel = m_page->findChild<QPushButton *>(QStringLiteral("cancel"));
    QTest::keyClick(table(), Qt::Key_A, Qt::ControlModifier);
    QVERIFY(cancel->isVisible());
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(asked() == nullptr); // how many is not known yet
    QTRY_VERIFY(!cancel->isVisible());
    QCOMPARE(status(), QStringLiteral("2,500 snapshot(s), 2,500 selected"));
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(asked() != nullptr);
    QVERIFY(asked()->text().contains(QStringLiteral("2500")));
    const QList<QAbstractButton *> buttons = asked()->buttons();
    for (QAbstractButton *button : buttons) {
        if (asked()->buttonRole(button) == QMessageBox::DestructiveRole) {
            QTest::mouseClick(button, Qt::LeftButton);
            break;
        }
    }
    QTRY_COMPARE(m_daemon->callsOf(QStringLiteral("kv.purge")).size(), 2500);
    QTRY_VERIFY(status().contains(QStringLiteral("All 2500 done")));
}

/// In a narrow window names give way, and widths that somebody has set are kept.
void TestSessionsPage::columnsFitTheWindow()
{
    m_page.reset();
    m_settings.clear();
    m_page = std::make_unique<SessionsPage>(*m_daemon, m_clock, m_settings);
    const int letter = m_page->fontMetrics().averageCharWidth();
    m_page->resize(letter * 140, 500);
    m_page->show();
    m_page->setShown(true);
    QTRY_COMPARE(m_page->model().rowCount(), 3);
    const QHeaderView *header = table()->horizontalHeader();
    QTRY_COMPARE(table()->horizontalScrollBar()->maximum(), 0);
    QVERIFY(header->sectionSize(SessionsModel::State)
        > table()->fontMetrics().horizontalAdvance(QStringLiteral("suspect")));
    QVERIFY(header->sectionSize(SessionsModel::Label) >= letter * 12);
    table()->setColumnWidth(SessionsModel::Label, 321);
    m_page.reset(); // which remembers them
    m_page = std::make_unique<SessionsPage>(*m_daemon, m_clock, m_settings);
    m_page->resize(letter * 140, 500);
    m_page->show();
    m_page->setShown(true);
    QTRY_COMPARE(m_page->model().rowCount(), 3);
    QCOMPARE(table()->columnWidth(SessionsModel::Label), 321);
}

QTEST_MAIN(TestSessionsPage)
#include "tst_sessionspage.moc"
