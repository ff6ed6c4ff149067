// SPDX-License-Identifier: MIT
#include "doctorlist.h"
#include "doctorpage.h"
#include "fakeconfig.h"
#include "firststartdialog.h"
#include "settingshint.h"
#include "settingspage.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kv;

namespace {

QString handWritten()
{
    return QStringLiteral("# My machine\n"
                          "servers:\n"
                          "  local: # the big one\n"
                          "    baseURL: http://127.0.0.1:8080\n"
                          "providers:\n"
                          "  qwen: local\n"
                          "checkpoint:\n"
                          "  idleMs: 60000 # a minute\n");
}

QJsonObject check(const char *result, const char *remedy = "")
{
    return { { QStringLiteral("name"), QStringLiteral("slot saving") },
        { QStringLiteral("result"), QString::fromLatin1(result) },
        { QStringLiteral("message"), QStringLiteral("Something was found.") },
        { QStringLiteral("remedy"), QString::fromLatin1(remedy) } };
}

template <typename T> T *find(QWidget &in, const char *name)
{
    T *found = in.findChild<T *>(QString::fromLatin1(name));
    Q_ASSERT(found != nullptr);
    return found;
}

void retype(QLineEdit *line, const QString &text)
{
    line->setFocus();
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, text);
}

void press(QWidget *button) { QTest::mouseClick(button, Qt::LeftButton); }

/// The button of the open question whose text, without its mnemonic, begins so.
QAbstractButton *answerButton(QWidget &page, const QString &text)
{
    const auto *box = page.findChild<QMessageBox *>();
    if (box != nullptr) {
        const auto buttons = box->buttons();
        for (QAbstractButton *button : buttons) {
            if (button->text().remove(QLatin1Char('&')).startsWith(text)) {
                return button;
            }
        }
    }
    return nullptr;
}

} // namespace

class TestSettingsPages final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void showsAnErrorAtItsField();
    void appliesAndKeepsComments();
    void asksAboutAConflict();
    void asksBeforeARemoval();
    void asksBeforeLeaving();
    void storesItsOwnSettings();
    void doctorRunsByKeyboardAndCopies();
    void firstStartGoesThroughAllPages();
    void firstStartSaysWhyNothingWasWritten();

private:
    void openSettings(const QString &yaml);

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<FakeConfig> m_config;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<Autostart> m_autostart;
    std::unique_ptr<SettingsPage> m_page;
};

void TestSettingsPages::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_daemon->answer(QStringLiteral("kv.status"), QJsonObject());
    m_store = std::make_unique<QSettings>(m_dir->filePath(QStringLiteral("tray.ini")), QSettings::IniFormat);
    m_autostart = std::make_unique<Autostart>(
        m_dir->filePath(QStringLiteral("autostart")), QStringLiteral("/usr/bin/kv-persist-tray"));
}

void TestSettingsPages::cleanup()
{
    m_page.reset();
    m_daemon.reset();
}

void TestSettingsPages::openSettings(const QString &yaml)
{
    m_config = std::make_unique<FakeConfig>(*m_daemon, yaml);
    m_page = std::make_unique<SettingsPage>(*m_daemon, *m_store, *m_autostart);
    m_page->show();
    m_page->setShown(true);
    // Read, and looked at by the daemon.
    QTRY_COMPARE(m_daemon->callsOf(QStringLiteral("kv.config")).size(), 2);
    QTRY_COMPARE(find<QLabel>(*m_page, "message")->text(), QString());
}

void TestSettingsPages::showsAnErrorAtItsField()
{
    openSettings(handWritten());
    auto *tabs = find<QTabWidget>(*m_page, "tabs");
    tabs->setCurrentIndex(2);
    auto *field = find<QLineEdit>(*m_page, "checkpoint_maxBytesPerDay");
    retype(field, QStringLiteral("50XB"));
    m_config->errors = { QJsonObject { { QStringLiteral("line"), 9 },
        { QStringLiteral("key"), QStringLiteral("checkpoint.maxBytesPerDay") },
        { QStringLiteral("message"), QStringLiteral("found '50XB', expected a size") } } };
    press(find<QPushButton>(*m_page, "apply"));
    auto *hint = find<SettingsHint>(*m_page, "checkpoint_maxBytesPerDayHint");
    QTRY_VERIFY(hint->hasProblem());
    QVERIFY(hint->text().contains(QStringLiteral("50XB")));
    QCOMPARE(field->accessibleDescription(), hint->text());
    QCOMPARE(m_config->text, handWritten());
    auto *problems = find<QListWidget>(*m_page, "problems");
    QVERIFY(problems->isVisible());
    QVERIFY(problems->item(0)->text().contains(QLatin1Char('9')));
    // The list leads to the field, from whatever tab.
    tabs->setCurrentIndex(0);
    problems->setCurrentRow(0);
    QTest::keyClick(problems, Qt::Key_Return);
    QCOMPARE(tabs->currentIndex(), 2);
    QCOMPARE(m_page->focusWidget(), field);
    retype(field, QStringLiteral("5GB"));
    QTRY_VERIFY(!hint->hasProblem());
    QVERIFY(!problems->isVisible());
}

void TestSettingsPages::appliesAndKeepsComments()
{
    openSettings(handWritten());
    auto *apply = find<QPushButton>(*m_page, "apply");
    QVERIFY(!apply->isEnabled());
    find<QTabWidget>(*m_page, "tabs")->setCurrentIndex(2);
    retype(find<QLineEdit>(*m_page, "checkpoint_idleMs"), QStringLiteral("5000"));
    QTest::keyClick(find<QCheckBox>(*m_page, "checkpoint_onTurnEnd"), Qt::Key_Space);
    QVERIFY(apply->isEnabled());
    QVERIFY(m_page->hasUnsavedChanges());
    press(apply);
    QTRY_VERIFY(!m_page->hasUnsavedChanges());
    QString expected = handWritten();
    expected.replace(QStringLiteral("60000 #"), QStringLiteral("5000 #"));
    QCOMPARE(m_config->text, expected + QStringLiteral("  onTurnEnd: true\n"));
    QVERIFY(!apply->isEnabled());
    QVERIFY(find<QLabel>(*m_page, "message")->text().contains(QStringLiteral("checkpoint")));
}

void TestSettingsPages::asksAboutAConflict()
{
    openSettings(handWritten());
    find<QTabWidget>(*m_page, "tabs")->setCurrentIndex(2);
    retype(find<QLineEdit>(*m_page, "checkpoint_idleMs"), QStringLiteral("1"));
    m_config->text += QStringLiteral("enabled: false # theirs\n");
    press(find<QPushButton>(*m_page, "apply"));
    QTRY_VERIFY(answerButton(*m_page, QStringLiteral("Make my changes")) != nullptr);
    press(answerButton(*m_page, QStringLiteral("Make my changes")));
    QTRY_VERIFY(!m_page->hasUnsavedChanges());
    QVERIFY(m_config->text.contains(QStringLiteral("idleMs: 1 # a minute")));
    QVERIFY(m_config->text.contains(QStringLiteral("enabled: false # theirs")));
}

void TestSettingsPages::asksBeforeARemoval()
{
    openSettings(handWritten());
    auto *servers = find<QListWidget>(*m_page, "servers");
    auto *remove = find<QPushButton>(*m_page, "remove");
    press(remove);
    QTRY_VERIFY(answerButton(*m_page, QStringLiteral("Cancel")) != nullptr);
    press(answerButton(*m_page, QStringLiteral("Cancel")));
    QCOMPARE(servers->count(), 1);
    QTRY_VERIFY(m_page->findChild<QMessageBox *>() == nullptr);
    press(remove);
    QTRY_VERIFY(answerButton(*m_page, QStringLiteral("Remove")) != nullptr);
    press(answerButton(*m_page, QStringLiteral("Remove")));
    QCOMPARE(servers->count(), 0);
    QVERIFY(m_page->hasUnsavedChanges());
    QCOMPARE(m_config->text, handWritten());
    press(find<QPushButton>(*m_page, "revert"));
    QCOMPARE(servers->count(), 1);
}

void TestSettingsPages::asksBeforeLeaving()
{
    openSettings(handWritten());
    int left = 0;
    m_page->askBeforeLeaving([&left] { ++left; });
    QCOMPARE(left, 1);
    find<QTabWidget>(*m_page, "tabs")->setCurrentIndex(2);
    retype(find<QLineEdit>(*m_page, "checkpoint_idleMs"), QStringLiteral("1"));
    m_page->askBeforeLeaving([&left] { ++left; });
    QCOMPARE(left, 1);
    QTRY_VERIFY(answerButton(*m_page, QStringLiteral("Apply")) != nullptr);
    press(answerButton(*m_page, QStringLiteral("Apply")));
    QTRY_COMPARE(left, 2);
    QVERIFY(m_config->text.contains(QStringLiteral("idleMs: 1 #")));
}

void TestSettingsPages::storesItsOwnSettings()
{
    openSettings(handWritten());
    find<QTabWidget>(*m_page, "tabs")->setCurrentIndex(5);
    auto *disk = find<QCheckBox>(*m_page, "notifications/disk");
    QVERIFY(disk->isChecked());
    QTest::keyClick(disk, Qt::Key_Space);
    QCOMPARE(m_store->value(QStringLiteral("notifications/disk")).toBool(), false);
    auto *language = find<QComboBox>(*m_page, "language");
    language->setFocus();
    QTest::keyClick(language, Qt::Key_Down);
    QTest::keyClick(language, Qt::Key_Down);
    QCOMPARE(m_store->value(QStringLiteral("language")).toString(), QStringLiteral("de"));
    QVERIFY(!find<SettingsHint>(*m_page, "languageHint")->text().isEmpty());
    QTest::keyClick(find<QCheckBox>(*m_page, "autostart"), Qt::Key_Space);
    QCOMPARE(m_autostart->state(), Autostart::State::On);
    QVERIFY(!m_page->hasUnsavedChanges());
}

void TestSettingsPages::doctorRunsByKeyboardAndCopies()
{
    DoctorPage page(*m_daemon);
    page.show();
    page.setShown(true);
    auto *target = find<QComboBox>(page, "target");
    auto *run = find<QPushButton>(page, "run");
    QTest::keyClick(target, Qt::Key_End);
    QVERIFY(find<QWidget>(page, "addressRow")->isVisible());
    QVERIFY(!run->isEnabled());
    retype(find<QLineEdit>(page, "address"), QStringLiteral("http://127.0.0.1:1"));
    QTest::keyClick(find<QLineEdit>(page, "address"), Qt::Key_Return);
    QCOMPARE(m_daemon->callsOf(QStringLiteral("kv.doctor")).size(), 1);
    auto *cancel = find<QPushButton>(page, "cancel");
    QVERIFY(cancel->isEnabled() && !run->isEnabled());
    m_daemon->sendCheck(m_daemon->callsOf(QStringLiteral("kv.doctor")).last().id,
        check("failed", "Start llama-server with --slot-save-path FOLDER."));
    auto *list = find<DoctorList>(page, "list");
    const auto buttons = list->findChildren<QPushButton *>();
    QCOMPARE(buttons.size(), 1);
    QTest::keyClick(buttons.first(), Qt::Key_Space);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("--slot-save-path FOLDER"));
    QTest::keyClick(cancel, Qt::Key_Space);
    QCOMPARE(m_daemon->cancelled().size(), 1);
    QVERIFY(run->isEnabled() && !cancel->isEnabled());
    QTest::keyClick(find<QPushButton>(page, "copyAll"), Qt::Key_Space);
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("[Failed]")));
}

void TestSettingsPages::firstStartGoesThroughAllPages()
{
    m_config = std::make_unique<FakeConfig>(*m_daemon);
    m_daemon->answer(QStringLiteral("kv.discover"),
        QJsonObject { { QStringLiteral("servers"),
            QJsonArray { QJsonObject { { QStringLiteral("baseURL"), QStringLiteral("http://127.0.0.1:9931") },
                { QStringLiteral("model"), QStringLiteral("qwen3-8b") },
                { QStringLiteral("slots"), 1 } } } } });
    int asked = 0;
    m_daemon->answer(QStringLiteral("kv.doctor"), [&asked](const QJsonObject &) {
        const bool first = ++asked == 1;
        return FakeUiDaemon::ok(
            { { QStringLiteral("result"), first ? QStringLiteral("not-ready") : QStringLiteral("ready") },
                { QStringLiteral("checks"),
                    QJsonArray { first ? check("failed", "--slot-save-path DIR") : check("passed") } } });
    });
    const QJsonObject status { { QStringLiteral("version"), QStringLiteral("1") } };
    QVERIFY(FirstStartPresenter::isWanted(*m_store, status));
    FirstStartDialog dialog(*m_daemon, *m_store, *m_autostart);
    dialog.open();
    auto *address = find<QLineEdit>(dialog, "address");
    QTRY_COMPARE(address->text(), QStringLiteral("http://127.0.0.1:9931"));
    QVERIFY(find<QListWidget>(dialog, "servers")->item(0)->text().contains(QStringLiteral("qwen3-8b")));
    QTest::keyClick(dialog.button(QWizard::NextButton), Qt::Key_Space);
    auto *list = find<DoctorList>(dialog, "checks");
    QTRY_COMPARE(list->findChildren<QPushButton *>().size(), 1);
    QVERIFY(list->findChildren<QPushButton *>().first()->text().contains(QStringLiteral("--slot-save-path")));
    QTest::keyClick(find<QPushButton>(dialog, "checkAgain"), Qt::Key_Space);
    QTRY_COMPARE(asked, 2);
    QTRY_COMPARE(list->findChildren<QPushButton *>().size(), 0);
    QTest::keyClick(dialog.button(QWizard::NextButton), Qt::Key_Space);
    retype(find<QLineEdit>(dialog, "provider"), QStringLiteral("llamacpp"));
    QTest::keyClick(dialog.button(QWizard::CommitButton), Qt::Key_Space);
    QTRY_VERIFY(dialog.button(QWizard::FinishButton)->isVisible());
    QCOMPARE(m_config->text,
        QStringLiteral("servers:\n  local:\n    baseURL: http://127.0.0.1:9931\n\nproviders:\n"
                       "  llamacpp: local\n"));
    QTest::keyClick(dialog.button(QWizard::FinishButton), Qt::Key_Space);
    QVERIFY(!dialog.isVisible());
    QCOMPARE(m_autostart->state(), Autostart::State::On);
    QVERIFY(!FirstStartPresenter::isWanted(*m_store, status));
}

void TestSettingsPages::firstStartSaysWhyNothingWasWritten()
{
    m_daemon->answer(QStringLiteral("kv.discover"), QJsonObject());
    m_daemon->answer(QStringLiteral("kv.doctor"), QJsonObject());
    m_daemon->refuse(
        QStringLiteral("kv.config"), QStringLiteral("KV_METADATA_IO"), QStringLiteral("The disk is full."));
    FirstStartDialog dialog(*m_daemon, *m_store, *m_autostart);
    dialog.open();
    QVERIFY(!dialog.button(QWizard::NextButton)->isEnabled());
    retype(find<QLineEdit>(dialog, "address"), QStringLiteral("http://h:1"));
    dialog.next();
    dialog.next();
    QTest::keyClick(dialog.button(QWizard::CommitButton), Qt::Key_Space);
    auto *hint = find<SettingsHint>(dialog, "writeHint");
    QTRY_VERIFY(hint->hasProblem());
    QCOMPARE(hint->text(), QStringLiteral("The disk is full."));
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
    QVERIFY(m_store->value(QStringLiteral("firstStart/done")).toBool());
}

QTEST_MAIN(TestSettingsPages)
#include "tst_settingspages.moc"
