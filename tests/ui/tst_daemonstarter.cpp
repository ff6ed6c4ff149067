// SPDX-License-Identifier: MIT
#include "daemonstarter.h"
#include "fakeui.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;

/// Service manager and daemon are scripts that write down how they were called.
class TestDaemonStarter final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theServiceIsStartedWhereItIsInstalled();
    void aServiceThatFailsIsSaid();
    void withoutTheServiceAProcessIsStarted();
    void withoutAServiceManagerToo();
    void anotherSocketIsNoServicesBusiness();
    void nothingToStartIsSaid();
    void noAnswerIsSaid();
    void byItselfOnlyOnce();

private:
    void write(const QString &name, const QByteArray &body);
    QString calls() const;
    DaemonStarter &make(bool automatic = false);

    std::unique_ptr<QTemporaryDir> m_folder;
    DaemonStarter::Options m_options;
    std::unique_ptr<FakeUiDaemon> m_daemon;
    std::unique_ptr<DaemonStarter> m_starter;
};

namespace {

constexpr int c_patienceMs = 30000; ///< with a script that starts on a busy machine

QString word(const char *text) { return QString::fromLatin1(text); }

} // namespace

void TestDaemonStarter::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_options = {};
    m_options.folder = m_folder->path();
    m_options.program = word("kv-test-daemon");
    m_options.serviceManager = m_folder->filePath(word("manager"));
    m_daemon = std::make_unique<FakeUiDaemon>();
    write(word("kv-test-daemon"), "echo daemon $* >>calls");
}

void TestDaemonStarter::cleanup()
{
    m_starter.reset();
    m_daemon.reset();
}

void TestDaemonStarter::write(const QString &name, const QByteArray &body)
{
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\ncd " + m_folder->path().toUtf8() + "\n" + body + "\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QString TestDaemonStarter::calls() const
{
    QFile file(m_folder->filePath(word("calls")));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

DaemonStarter &TestDaemonStarter::make(bool automatic)
{
    m_options.automatic = automatic;
    m_starter = std::make_unique<DaemonStarter>(*m_daemon, m_options);
    m_daemon->setLink(Daemon::Link::Away, word("Nobody answers."));
    return *m_starter;
}

void TestDaemonStarter::theServiceIsStartedWhereItIsInstalled()
{
    write(word("manager"), "echo manager $* >>calls");
    DaemonStarter &starter = make();
    starter.start();
    QVERIFY(starter.isStarting());
    QTRY_COMPARE_WITH_TIMEOUT(calls(),
        word("manager --user cat kv-persist.service\nmanager --user start kv-persist.service\n"),
        c_patienceMs);
    m_daemon->setLink(Daemon::Link::Connected);
    QVERIFY(!starter.isStarting() && starter.trouble().isEmpty());
    starter.start();
    QVERIFY(!starter.isStarting()); // it is there
}

void TestDaemonStarter::aServiceThatFailsIsSaid()
{
    write(word("manager"), "[ $2 = cat ]");
    DaemonStarter &starter = make();
    starter.start();
    QTRY_VERIFY_WITH_TIMEOUT(
        starter.trouble().contains(word("journalctl --user -u kv-persist.service")), c_patienceMs);
    QVERIFY(!starter.isStarting());
    QVERIFY(calls().isEmpty());
}

void TestDaemonStarter::withoutTheServiceAProcessIsStarted()
{
    write(word("manager"), "exit 1");
    make().start();
    QTRY_COMPARE_WITH_TIMEOUT(calls(), word("daemon\n"), c_patienceMs);
}

void TestDaemonStarter::withoutAServiceManagerToo()
{
    m_options.serviceManager = word("no-such-service-manager");
    make().start();
    QTRY_COMPARE_WITH_TIMEOUT(calls(), word("daemon\n"), c_patienceMs);
}

void TestDaemonStarter::anotherSocketIsNoServicesBusiness()
{
    write(word("manager"), "echo manager $* >>calls");
    m_options.socket = word("/run/other.sock");
    make().start();
    QTRY_COMPARE_WITH_TIMEOUT(calls(), word("daemon --socket /run/other.sock\n"), c_patienceMs);
}

void TestDaemonStarter::nothingToStartIsSaid()
{
    m_options.serviceManager.clear();
    m_options.program = word("kv-test-daemon-missing");
    DaemonStarter &starter = make();
    starter.start();
    QVERIFY(starter.trouble().contains(word("kv-test-daemon-missing")));
    QVERIFY(!starter.isStarting());
}

void TestDaemonStarter::noAnswerIsSaid()
{
    m_options.serviceManager.clear();
    m_options.patienceMs = 1;
    DaemonStarter &starter = make();
    starter.start();
    QTRY_VERIFY_WITH_TIMEOUT(starter.trouble().contains(word("terminal")), c_patienceMs);
    QVERIFY(!starter.isStarting());
}

void TestDaemonStarter::byItselfOnlyOnce()
{
    m_options.serviceManager.clear();
    DaemonStarter &starter = make(true);
    QVERIFY(starter.isStarting());
    QTRY_COMPARE_WITH_TIMEOUT(calls(), word("daemon\n"), c_patienceMs);
    m_daemon->setLink(Daemon::Link::Connected);
    m_daemon->setLink(Daemon::Link::Away);
    QVERIFY(!starter.isStarting());
    starter.start(); // by hand
    QTRY_COMPARE_WITH_TIMEOUT(calls(), word("daemon\ndaemon\n"), c_patienceMs);
}

QTEST_GUILESS_MAIN(TestDaemonStarter)
#include "tst_daemonstarter.moc"
