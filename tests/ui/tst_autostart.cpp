// SPDX-License-Identifier: MIT
#include "autostart.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace kv;

class TestAutostart final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void writesAndRemovesItsEntry();
    void leavesAnEntryOfSomebodyElse();
    void knowsWhenTheDesktopSwitchedItOff();
    void overrulesAnEntryForEverybody();
    void saysWhatIsInTheWay();
    void escapesThePath();
    void findsTheFolders();

private:
    [[nodiscard]] QString folder() const { return m_dir->filePath(QStringLiteral("config/autostart")); }
    [[nodiscard]] Autostart made(const QStringList &systemFolders = {}) const
    {
        return { folder(), QStringLiteral("/opt/kv persist/kv-persist-tray"), systemFolders };
    }
    static void write(const QString &path, const QByteArray &text)
    {
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_dir;
};

void TestAutostart::init() { m_dir = std::make_unique<QTemporaryDir>(); }

void TestAutostart::writesAndRemovesItsEntry()
{
    const Autostart autostart = made();
    QCOMPARE(autostart.state(), Autostart::State::Off);
    QVERIFY(autostart.set(false).ok());
    QVERIFY(autostart.set(true).ok());
    QCOMPARE(autostart.state(), Autostart::State::On);
    const QByteArray entry = read(autostart.path());
    QVERIFY(entry.startsWith("[Desktop Entry]\n"));
    QVERIFY(entry.contains("\nExec=\"/opt/kv persist/kv-persist-tray\" --hidden\n"));
    QVERIFY(entry.contains("\nX-KV-Persist=true\n"));
    QVERIFY(autostart.set(false).ok());
    QCOMPARE(autostart.state(), Autostart::State::Off);
    QVERIFY(!QFile::exists(autostart.path()));
}

void TestAutostart::leavesAnEntryOfSomebodyElse()
{
    const QByteArray theirs = "[Desktop Entry]\nType=Application\nExec=my-wrapper\n";
    const Autostart autostart = made();
    write(autostart.path(), theirs);
    QCOMPARE(autostart.state(), Autostart::State::Foreign);
    for (const bool on : { true, false }) {
        const Result<Done> done = autostart.set(on);
        QVERIFY(!done.ok());
        QVERIFY(done.error().message.contains(autostart.path()));
        QCOMPARE(read(autostart.path()), theirs);
    }
}

void TestAutostart::knowsWhenTheDesktopSwitchedItOff()
{
    const Autostart autostart = made();
    QVERIFY(autostart.set(true).ok());
    QByteArray entry = read(autostart.path());
    write(autostart.path(), entry.replace("enabled=true", "enabled=false"));
    QCOMPARE(autostart.state(), Autostart::State::Off);
    QVERIFY(autostart.set(true).ok());
    QCOMPARE(autostart.state(), Autostart::State::On);
}

void TestAutostart::overrulesAnEntryForEverybody()
{
    const QString system = m_dir->filePath(QStringLiteral("xdg/autostart"));
    write(system + QStringLiteral("/kv-persist-tray.desktop"),
        "[Desktop Entry]\nExec=kv-persist-tray --hidden\n");
    const Autostart autostart = made({ system });
    QCOMPARE(autostart.state(), Autostart::State::On);
    QVERIFY(autostart.set(false).ok());
    QCOMPARE(autostart.state(), Autostart::State::Off);
    QVERIFY(read(autostart.path()).contains("\nHidden=true\n"));
    QVERIFY(autostart.set(true).ok());
    QCOMPARE(autostart.state(), Autostart::State::On);
}

void TestAutostart::saysWhatIsInTheWay()
{
    write(m_dir->filePath(QStringLiteral("config")), "a file where the folder should be");
    const Autostart autostart = made();
    const Result<Done> done = autostart.set(true);
    QVERIFY(!done.ok());
    QVERIFY(done.error().message.contains(folder()));
    QCOMPARE(autostart.state(), Autostart::State::Off);
}

void TestAutostart::escapesThePath()
{
    const Autostart autostart(folder(), QStringLiteral("/a\"b$c\\d%e"));
    QVERIFY(autostart.set(true).ok());
    // Unescaped as a string first, then as a quoted argument.
    QVERIFY(read(autostart.path()).contains("\nExec=\"/a\\\\\"b\\\\$c\\\\\\\\d%%e\" --hidden\n"));
}

void TestAutostart::findsTheFolders()
{
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("HOME"), QStringLiteral("/home/u"));
    QCOMPARE(Autostart::ofUser(environment, {}).path(),
        QStringLiteral("/home/u/.config/autostart/kv-persist-tray.desktop"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), QStringLiteral("/cfg"));
    QCOMPARE(
        Autostart::ofUser(environment, {}).path(), QStringLiteral("/cfg/autostart/kv-persist-tray.desktop"));
}

QTEST_GUILESS_MAIN(TestAutostart)
#include "tst_autostart.moc"
