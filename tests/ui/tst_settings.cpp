// SPDX-License-Identifier: MIT
#include "configreader.h"
#include "fakeconfig.h"
#include "settingspresenter.h"
#include "settingsschema.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace kv;
using State = SettingsPresenter::State;

namespace {

QString handWritten()
{
    return QStringLiteral("# My machine\n"
                          "servers:\n"
                          "  local: { baseURL: http://127.0.0.1:8080 } # the big one\n"
                          "  other:\n"
                          "    baseURL: http://127.0.0.1:9000\n"
                          "\n"
                          "providers:\n"
                          "  qwen: local   # my harness\n"
                          "  mixed: [ { model: \"q*\", server: local }, { server: other } ]\n"
                          "checkpoint:\n"
                          "  idleMs: 60000 # a minute\n");
}

QString replaced(QString text, const QString &before, const QString &after)
{
    return text.replace(before, after);
}

} // namespace

class TestSettings final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_settings.reset(); }
    void knowsTheDaemonsDefaults();
    void readsAllForms();
    void writesOnlyWhatWasChanged();
    void aDefaultStaysOutOfTheFile();
    void renamesAServerAndWhoGoesToIt();
    void removesAServerAndSaysWhatGoesAlong();
    void addsServersAndProviders();
    void showsTheDaemonsErrors();
    void sendsToTheEditorWhatItCannotChange();
    void asksWhenTheFileWasChangedMeanwhile();
    void followsAReloadUnlessThereAreChanges();
    void saysWhenTheFileIsNoYaml();
    void survivesTheDaemonGoingAway();
    void explainsValues();

private:
    void open(const QString &yaml);
    void applyAndWait();

    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<FakeConfig> m_config;
    std::unique_ptr<SettingsPresenter> m_settings;
};

void TestSettings::init()
{
    m_daemon = std::make_unique<FakeUiDaemon>();
    m_settings = std::make_unique<SettingsPresenter>(*m_daemon);
}

void TestSettings::open(const QString &yaml)
{
    m_config = std::make_unique<FakeConfig>(*m_daemon, yaml);
    m_settings->load();
    QTRY_COMPARE(m_settings->state(), State::Ready);
}

void TestSettings::applyAndWait()
{
    m_settings->apply();
    QTRY_VERIFY(m_settings->state() != State::Busy);
}

void TestSettings::knowsTheDaemonsDefaults()
{
    Result<YamlEdit> file = YamlEdit::read({});
    const auto set = [&](const QString &path, const QString &value) {
        file = file.value().with({ YamlChange::Kind::Set, path.split(QLatin1Char('.')), value });
        QVERIFY(file.ok());
    };
    set(QStringLiteral("servers.s.baseURL"), QStringLiteral("http://127.0.0.1:1"));
    for (const SettingsField &field : settingsFields()) {
        set(field.key, field.standard);
        QVERIFY(field.choices.isEmpty() || field.choices.contains(field.standard));
    }
    for (const SettingsField &field : serverFields()) {
        if (!field.standard.isEmpty()) {
            set(QStringLiteral("servers.s.") + field.key, field.standard);
        }
    }
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto read
        = [&](const QString &text) { return readConfig(text.toUtf8(), QStringLiteral("x"), environment); };
    const auto spelt = read(file.value().text());
    QVERIFY2(spelt.ok(), spelt.ok() ? "" : qUtf8Printable(spelt.error().message));
    const auto silent = read(QStringLiteral("servers: { s: { baseURL: http://127.0.0.1:1 } }"));
    QVERIFY(spelt.value().config == silent.value().config);
    // Each choice is one that the daemon takes.
    for (const auto *fields : { &settingsFields(), &serverFields() }) {
        for (const SettingsField &field : *fields) {
            for (const QString &choice : field.choices) {
                QString path = fields == &serverFields() ? QStringLiteral("servers.s.") : QString();
                path += field.key;
                const auto with = file.value()
                                      .with({ YamlChange::Kind::Set,
                                          QStringList { QStringLiteral("servers"), QStringLiteral("s"),
                                              QStringLiteral("slotSavePath") },
                                          QStringLiteral("/x") })
                                      .value()
                                      .with({ YamlChange::Kind::Set, path.split(QLatin1Char('.')), choice });
                QVERIFY2(read(with.value().text()).ok(), qUtf8Printable(path + choice));
            }
        }
    }
}

void TestSettings::readsAllForms()
{
    open(handWritten());
    const SettingsDraft &draft = m_settings->draft();
    QCOMPARE(m_settings->serverNames(), QStringList({ QStringLiteral("local"), QStringLiteral("other") }));
    QCOMPARE(m_settings->serverValue(1, QStringLiteral("baseURL")), QStringLiteral("http://127.0.0.1:9000"));
    QCOMPARE(m_settings->serverValue(1, QStringLiteral("mode")), QStringLiteral("single-slot"));
    QCOMPARE(draft.providers.at(0).server, QStringLiteral("local"));
    QCOMPARE(draft.providers.at(1).routes, QStringLiteral("q* → local, * → other"));
    QCOMPARE(m_settings->value(QStringLiteral("checkpoint.idleMs")), QStringLiteral("60000"));
    QCOMPARE(m_settings->value(QStringLiteral("checkpoint.onSwitch")), QStringLiteral("true"));

    open(QStringLiteral("kv-persist:\n  backend:\n    baseURL: http://h:1\n  mode: managed-slots\n"
                        "  providers: [ a, b ]\n"));
    QCOMPARE(m_settings->serverNames(), QStringList(QStringLiteral("default")));
    QCOMPARE(m_settings->serverKey(0, QStringLiteral("baseURL")), QStringLiteral("backend.baseURL"));
    QCOMPARE(m_settings->serverKey(0, QStringLiteral("mode")), QStringLiteral("mode"));
    QCOMPARE(m_settings->serverValue(0, QStringLiteral("mode")), QStringLiteral("managed-slots"));
    QVERIFY(!m_settings->canAddServers());
    QVERIFY(!m_settings->canChangeProviders());
    QCOMPARE(m_settings->draft().providers.size(), std::size_t(2));
    m_settings->setServerValue(0, QStringLiteral("mode"), QStringLiteral("single-slot"));
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("5"));
    applyAndWait();
    QCOMPARE(m_config->text,
        QStringLiteral("kv-persist:\n  backend:\n    baseURL: http://h:1\n  mode: single-slot\n"
                       "  providers: [ a, b ]\n  checkpoint:\n    idleMs: 5\n"));
}

void TestSettings::writesOnlyWhatWasChanged()
{
    open(handWritten());
    QVERIFY(!m_settings->isDirty());
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("5000"));
    m_settings->setServerValue(0, QStringLiteral("mode"), QStringLiteral("managed-slots"));
    QVERIFY(m_settings->isDirty());
    m_config->restartNeeded = { QStringLiteral("metadata") };
    applyAndWait();
    QString expected = replaced(handWritten(), QStringLiteral("60000 #"), QStringLiteral("5000 #"));
    expected = replaced(expected, QStringLiteral("8080 }"), QStringLiteral("8080, mode: managed-slots }"));
    QCOMPARE(m_config->text, expected);
    QVERIFY(!m_settings->isDirty());
    QVERIFY(m_settings->message().contains(QStringLiteral("checkpoint")));
    QVERIFY(m_settings->message().contains(QStringLiteral("metadata")));
}

void TestSettings::aDefaultStaysOutOfTheFile()
{
    open(handWritten());
    m_settings->setValue(QStringLiteral("checkpoint.onTurnEnd"), QStringLiteral("true"));
    QVERIFY(m_settings->isDirty());
    m_settings->setValue(QStringLiteral("checkpoint.onTurnEnd"), QStringLiteral("false"));
    QVERIFY(!m_settings->isDirty());
    // In the file already: the value is written, and the comment stays.
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("30000"));
    applyAndWait();
    QCOMPARE(m_config->text, replaced(handWritten(), QStringLiteral("60000 #"), QStringLiteral("30000 #")));
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), {});
    m_settings->revert();
    QVERIFY(!m_settings->isDirty());
    QCOMPARE(m_settings->value(QStringLiteral("checkpoint.idleMs")), QStringLiteral("30000"));
}

void TestSettings::renamesAServerAndWhoGoesToIt()
{
    open(handWritten() + QStringLiteral("proxy:\n  listen: 127.0.0.1:9932\n  server: local\n"));
    QVERIFY(!m_settings->renameServer(0, QStringLiteral("other")));
    QVERIFY(!m_settings->renameServer(0, QString()));
    QVERIFY(m_settings->renameServer(0, QStringLiteral("big")));
    applyAndWait();
    QVERIFY(m_config->text.contains(QStringLiteral("  big: { baseURL")));
    QVERIFY(m_config->text.contains(QStringLiteral("  qwen: big     # my harness")));
    QVERIFY(m_config->text.contains(QStringLiteral("  server: big\n")));
}

void TestSettings::removesAServerAndSaysWhatGoesAlong()
{
    open(handWritten());
    QVERIFY(m_settings->removalLoss(0).contains(QStringLiteral("qwen")));
    QVERIFY(!m_settings->removalLoss(1).contains(QStringLiteral("qwen")));
    m_settings->removeServer(0);
    applyAndWait();
    QVERIFY(!m_config->text.contains(QStringLiteral("  local: {")));
    QVERIFY(!m_config->text.contains(QStringLiteral("qwen: local")));
    QVERIFY(m_config->text.contains(QStringLiteral("mixed:")));
}

void TestSettings::addsServersAndProviders()
{
    open({});
    QVERIFY(!m_settings->fileExists());
    const int row = m_settings->addServer();
    QCOMPARE(m_settings->addServer(), row + 1);
    QCOMPARE(m_settings->serverNames(), QStringList({ QStringLiteral("local"), QStringLiteral("local-2") }));
    m_settings->removeServer(row + 1);
    const int provider = m_settings->addProvider();
    QVERIFY(m_settings->setProvider(provider, QStringLiteral("llamacpp"), QStringLiteral("local")));
    applyAndWait();
    QCOMPARE(m_config->text,
        QStringLiteral("servers:\n  local:\n    baseURL: http://127.0.0.1:8080\n\nproviders:\n  llamacpp: "
                       "local\n"));
    QVERIFY(!m_daemon->calls().last().params.contains(QStringLiteral("ifHash")));
    QVERIFY(m_settings->fileExists());
}

void TestSettings::showsTheDaemonsErrors()
{
    open(handWritten());
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("soon"));
    m_config->errors
        = { QJsonObject { { QStringLiteral("line"), 11 },
                { QStringLiteral("key"), QStringLiteral("checkpoint.idleMs") },
                { QStringLiteral("message"),
                    QStringLiteral("key 'checkpoint.idleMs': found 'soon', expected a number") } },
              QJsonObject { { QStringLiteral("key"), QStringLiteral("providers.mixed[0].server") },
                  { QStringLiteral("message"), QStringLiteral("there is no such server") } } };
    applyAndWait();
    QCOMPARE(m_config->text, handWritten());
    QCOMPARE(m_settings->problems().size(), 2);
    QCOMPARE(m_settings->problemOf(QStringLiteral("checkpoint.idleMs")),
        QStringLiteral("Found 'soon', expected a number"));
    QCOMPARE(
        m_settings->problemOf(QStringLiteral("providers.mixed")), QStringLiteral("There is no such server"));
    QVERIFY(m_settings->isDirty());
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("1"));
    QCOMPARE(m_settings->problemOf(QStringLiteral("checkpoint.idleMs")), QString());
}

void TestSettings::sendsToTheEditorWhatItCannotChange()
{
    open(QStringLiteral("checkpoint: &c\n  idleMs: 1\n"));
    m_settings->setValue(QStringLiteral("checkpoint.onSwitch"), QStringLiteral("false"));
    m_settings->apply();
    QCOMPARE(m_settings->state(), State::Ready);
    QVERIFY(m_settings->problemOf(QStringLiteral("checkpoint.onSwitch"))
                .contains(QStringLiteral("Edit this in the file")));
    QVERIFY(m_settings->isDirty());
}

void TestSettings::asksWhenTheFileWasChangedMeanwhile()
{
    open(handWritten());
    QSignalSpy conflict(m_settings.get(), &SettingsPresenter::conflictFound);
    m_settings->setValue(QStringLiteral("checkpoint.idleMs"), QStringLiteral("1"));
    const QString theirs = handWritten() + QStringLiteral("# theirs\nenabled: false\n");
    m_config->text = theirs;
    applyAndWait();
    QCOMPARE(conflict.count(), 1);
    QCOMPARE(m_config->text, theirs);
    QVERIFY(m_settings->isDirty());
    m_settings->applyToTheirs();
    QTRY_VERIFY(!m_settings->isDirty());
    QCOMPARE(m_config->text, replaced(theirs, QStringLiteral("60000 #"), QStringLiteral("1 #")));
    QCOMPARE(m_settings->value(QStringLiteral("enabled")), QStringLiteral("false"));
}

void TestSettings::followsAReloadUnlessThereAreChanges()
{
    const QJsonObject reloaded { { QStringLiteral("name"), QStringLiteral("kv.config.reloaded") } };
    open(handWritten());
    m_config->text = QStringLiteral("enabled: false\n");
    m_daemon->sendEvent(reloaded);
    QTRY_COMPARE(m_settings->value(QStringLiteral("enabled")), QStringLiteral("false"));
    QTRY_COMPARE(m_settings->state(), State::Ready);
    m_settings->setValue(QStringLiteral("coldStart"), QStringLiteral("erase"));
    m_daemon->sendEvent(reloaded);
    QCOMPARE(m_settings->state(), State::Ready);
    QVERIFY(m_settings->isDirty());
}

void TestSettings::saysWhenTheFileIsNoYaml()
{
    m_config = std::make_unique<FakeConfig>(*m_daemon, QStringLiteral("a: [\n"));
    m_settings->load();
    QTRY_COMPARE(m_settings->state(), State::Unreadable);
    QVERIFY(m_settings->message().contains(QStringLiteral("line")));
    QCOMPARE(m_settings->path(), FakeConfig::path());
}

void TestSettings::survivesTheDaemonGoingAway()
{
    m_config = std::make_unique<FakeConfig>(*m_daemon, handWritten());
    m_daemon->setLink(Daemon::Link::Away, QStringLiteral("gone"));
    m_settings->load();
    QTRY_COMPARE(m_settings->state(), State::Unreadable);
    m_daemon->setLink(Daemon::Link::Connected);
    QTRY_COMPARE(m_settings->state(), State::Ready);
    m_settings->setValue(QStringLiteral("coldStart"), QStringLiteral("erase"));
    m_daemon->setLink(Daemon::Link::Away, QStringLiteral("gone"));
    applyAndWait();
    QCOMPARE(m_settings->state(), State::Ready);
    QVERIFY(m_settings->isDirty());
    QCOMPARE(m_config->text, handWritten());
}

void TestSettings::explainsValues()
{
    const auto meaning = [](const char *key, const char *value) {
        return settingsMeaning(
            *settingsField(settingsFields(), QString::fromLatin1(key)), QString::fromLatin1(value));
    };
    QCOMPARE(meaning("checkpoint.idleMs", "30000"), QStringLiteral("30.0 s"));
    QCOMPARE(meaning("checkpoint.idleMs", "off"), QStringLiteral("never"));
    QCOMPARE(meaning("checkpoint.idleMs", "soon"), QString());
    QCOMPARE(meaning("retention.minFreeBytes", "5GiB"), QStringLiteral("5.0 GiB"));
    QCOMPARE(meaning("retention.maxSessions", "off"), QStringLiteral("no limit"));
}

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
