// SPDX-License-Identifier: MIT
#include "clock.h"
#include "fakeui.h"
#include "humantime.h"
#include "sessiondetailsdialog.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace kv;

namespace {

constexpr qint64 c_now = 1'769'860'800'000;
constexpr qint64 c_hour = 3'600'000;

class FixedClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return { 0, c_now }; }
};

QString word(const char *text) { return QString::fromLatin1(text); }

QString hash() { return QString(64, u'a'); }

QJsonObject session()
{
    const QJsonObject manifest { { word("session"), word("aaaaaa") }, { word("hash"), hash() },
        { word("label"), word("my-project") }, { word("model"), word("qwen3-8b") },
        { word("server"), word("local") }, { word("state"), word("invalid") },
        { word("reason"), word("FILE_MISSING") }, { word("tokens"), 48'712 }, { word("bytes"), 3 << 20 },
        { word("createdAt"), isoUtc(c_now - 48 * c_hour) }, { word("updatedAt"), isoUtc(c_now - c_hour) },
        { word("snapshotFilename"), word("c4f1-3.bin") }, { word("modelFingerprint"), word("77aa") },
        { word("runtime"), QJsonObject { { word("build"), word("b9912") } } } };
    return { { word("hash"), hash() }, { word("label"), word("my-project") },
        { word("state"), word("active-dirty") }, { word("server"), word("local") }, { word("slot"), 2 },
        { word("manifests"), QJsonArray { manifest } } };
}

QJsonObject history()
{
    const auto bucket = [](qint64 ago, int requests) {
        return QJsonObject { { word("at"), isoUtc(c_now - ago) }, { word("requests"), requests } };
    };
    return { { word("bucketMs"), c_hour / 2 },
        { word("buckets"), QJsonArray { bucket(5 * c_hour, 4), bucket(c_hour, 3) } } };
}

} // namespace

class TestSessionDetails final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void manifestsAreShown();
    void historyIsShownForASpan();
    void selectedLinesAreCopied();
    void allIsCopied();
    void keysGoThroughAndEscapeCloses();
    void everythingHasAName();
    void aProblemIsTold();

private:
    template <typename T> [[nodiscard]] T *child(const char *name) const
    {
        return m_dialog->findChild<T *>(QLatin1String(name));
    }
    /// The value of the only line with this name; a null text: there is none.
    [[nodiscard]] QString value(const char *name) const;
    [[nodiscard]] QWidget *chart() const;
    void open();

    FixedClock m_clock;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<SessionDetailsDialog> m_dialog;
};

void TestSessionDetails::init()
{
    qputenv("TZ", "UTC");
    m_dialog.reset();
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_daemon->answer(word("kv.get"), session());
    m_daemon->answer(word("kv.history"), history());
}

void TestSessionDetails::open()
{
    SessionRow row;
    row.hash = hash();
    row.label = word("my-project");
    m_dialog = std::make_unique<SessionDetailsDialog>(*m_daemon, m_clock, row);
    m_dialog->open();
    m_dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    QTRY_VERIFY(child<QPushButton>("copy")->isEnabled() || child<QLabel>("problem")->isVisible());
}

QString TestSessionDetails::value(const char *name) const
{
    const QList<QTreeWidgetItem *> found
        = child<QTreeWidget>("tree")->findItems(word(name), Qt::MatchExactly | Qt::MatchRecursive);
    return found.size() == 1 ? found.first()->text(1) : QString();
}

QWidget *TestSessionDetails::chart() const
{
    const QList<QWidget *> all = m_dialog->findChildren<QWidget *>();
    const auto found = std::find_if(all.begin(), all.end(),
        [](const QWidget *widget) { return widget->accessibleName() == word("Requests"); });
    return found == all.end() ? nullptr : *found;
}

void TestSessionDetails::manifestsAreShown()
{
    open();
    QCOMPARE(m_dialog->windowTitle(), word("my-project"));
    QCOMPARE(m_daemon->callsOf(word("kv.get")).first().params.value(word("session")), hash());
    QCOMPARE(value("Hash of its id"), hash());
    QCOMPARE(value("Where it is"), word("local, slot 2"));
    QCOMPARE(value("Why"), word("Its file is gone."));
    QCOMPARE(value("Tokens"), word("48,712"));
    QCOMPARE(value("Size"), word("3.0 MiB"));
    QCOMPARE(value("File"), word("c4f1-3.bin"));
    QCOMPARE(value("Model fingerprint"), word("77aa"));
    QCOMPARE(value("build"), word("b9912"));
    QCOMPARE(value("Last restored"), word("never"));
    QVERIFY(!value("First saved").isEmpty() && value("First saved") != value("Saved"));
    QVERIFY(!child<QLabel>("problem")->isVisible());
}

void TestSessionDetails::historyIsShownForASpan()
{
    open();
    QVERIFY(chart() != nullptr);
    QTRY_VERIFY(chart()->accessibleDescription().contains(word("last 3, largest 4")));
    QTreeWidget *tree = child<QTreeWidget>("tree");
    tree->topLevelItem(1)->setExpanded(false);
    child<QComboBox>("span")->setFocus();
    QTest::keyClick(child<QComboBox>("span"), Qt::Key_Down);
    const auto calls = m_daemon->callsOf(word("kv.history"));
    QCOMPARE(calls.size(), 2);
    QCOMPARE(calls.last().params.value(word("from")).toString(), isoUtc(c_now - 7 * 24 * c_hour));
    m_daemon->answer(word("kv.history"), QJsonObject {});
    QTest::keyClick(child<QComboBox>("span"), Qt::Key_Up);
    QTRY_VERIFY(chart()->accessibleDescription().contains(word("Nothing")));
    QVERIFY(!tree->topLevelItem(1)->isExpanded()); // what did not change stays as it is
}

void TestSessionDetails::selectedLinesAreCopied()
{
    open();
    QTreeWidget *tree = child<QTreeWidget>("tree");
    QGuiApplication::clipboard()->clear();
    tree->clearSelection();
    for (const char *name : { "Tokens", "File" }) {
        tree->findItems(word(name), Qt::MatchExactly | Qt::MatchRecursive).first()->setSelected(true);
    }
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), word("Tokens\t48,712\nFile\tc4f1-3.bin"));
}

void TestSessionDetails::allIsCopied()
{
    open();
    QTest::keyClick(m_dialog.get(), Qt::Key_C, Qt::AltModifier);
    QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(word("\nTokens\t48,712\n")));
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY(text.startsWith(word("Session\nName\tmy-project\n")));
    QVERIFY(text.contains(word("Snapshot of qwen3-8b on local\n")));
    QVERIFY(text.contains(word("build\tb9912\n")));
}

void TestSessionDetails::keysGoThroughAndEscapeCloses()
{
    open();
    QTreeWidget *tree = child<QTreeWidget>("tree");
    QTRY_VERIFY(tree->hasFocus());
    QWidgetList seen;
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        seen.append(QApplication::focusWidget());
    }
    QCOMPARE(seen.mid(0, 3), QWidgetList({ child<QComboBox>("span"), chart(), child<QPushButton>("copy") }));
    QVERIFY(qobject_cast<QPushButton *>(seen.at(3)) != nullptr); // Close
    QSignalSpy rejected(m_dialog.get(), &QDialog::rejected);
    chart()->setFocus();
    QTest::keyClick(chart(), Qt::Key_Escape);
    QCOMPARE(rejected.count(), 1);
    QVERIFY(!m_dialog->isVisible());
}

void TestSessionDetails::everythingHasAName()
{
    open();
    int named = 0;
    const QList<QWidget *> all = m_dialog->findChildren<QWidget *>();
    for (QWidget *widget : all) {
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || !widget->isVisible()) {
            continue;
        }
        QAccessibleInterface *heard = QAccessible::queryAccessibleInterface(widget);
        // The name of a combo box is its value on this platform.
        const bool hasName = heard->role() == QAccessible::ComboBox
            ? !heard->relations(QAccessible::Label).isEmpty()
            : !heard->text(QAccessible::Name).isEmpty();
        QVERIFY2(hasName, widget->metaObject()->className());
        ++named;
    }
    QVERIFY(named >= 5);
}

void TestSessionDetails::aProblemIsTold()
{
    m_daemon->refuse(word("kv.get"), word("KV_SESSION_UNKNOWN"), word("It is not known any more."));
    open();
    QVERIFY(child<QLabel>("problem")->isVisible());
    QCOMPARE(child<QLabel>("problem")->text(), word("It is not known any more."));
    QVERIFY(!child<QPushButton>("copy")->isEnabled());
}

QTEST_MAIN(TestSessionDetails)
#include "tst_sessiondetails.moc"
