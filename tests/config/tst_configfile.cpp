// SPDX-License-Identifier: MIT
#include "configreader.h"
#include "configwriter.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace kv;

namespace {

constexpr QFileDevice::Permissions c_private = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

void write(const QString &path, const QByteArray &bytes, QFileDevice::Permissions rights = c_private)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
    QVERIFY(file.setPermissions(rights));
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

QProcessEnvironment environment(const QTemporaryDir &dir)
{
    QProcessEnvironment out;
    out.insert(QStringLiteral("HOME"), dir.path());
    return out;
}

const QByteArray c_withKeyFile
    = "servers:\n  a:\n    baseURL: http://h\n    apiKeyFile: ~/key\nproviders: [ p ]\n";

Result<LoadedConfig> readWithKey(const QTemporaryDir &dir)
{
    return readConfig(c_withKeyFile, QStringLiteral("c.yaml"), environment(dir));
}

} // namespace

class TstConfigFile final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileThatDoesNotExistIsTheDefaultConfigurationAndSaidSo()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("none.yaml"));
        const Result<LoadedConfig> loaded = loadConfigFile(path, environment(dir));
        QVERIFY(loaded.ok());
        QVERIFY(!loaded.value().fileExists);
        QCOMPARE(loaded.value().file, path);
        QVERIFY(loaded.value().hash.isEmpty());
        QVERIFY(loaded.value().config == defaultConfig(environment(dir)));
    }

    void aFileIsReadAndNamedInItsErrors()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("c.yaml"));
        write(path, "leases: { idleMs: 5 }\n");
        const Result<LoadedConfig> loaded = loadConfigFile(path, environment(dir));
        QVERIFY(loaded.ok());
        QVERIFY(loaded.value().fileExists);
        QCOMPARE(loaded.value().config.leases.idleMs, 5);
        QCOMPARE(loaded.value().hash, configHash("leases: { idleMs: 5 }\n"));
        write(path, "\nleases: { idleMs: x }\n");
        const Result<LoadedConfig> wrong = loadConfigFile(path, environment(dir));
        QVERIFY(!wrong.ok());
        QVERIFY2(wrong.error().message.startsWith(path + u":2: "_qs), qPrintable(wrong.error().message));
    }

    void whatIsNoFileIsAnErrorNotTheDefaults()
    {
        const QTemporaryDir dir;
        const Result<LoadedConfig> folder = loadConfigFile(dir.path(), environment(dir));
        QVERIFY(!folder.ok());
        QCOMPARE(folder.error().code, ErrorCode::ConfigInvalid);
        QVERIFY(folder.error().message.contains(dir.path()));
        const QString dangling = dir.filePath(QStringLiteral("dangling"));
        QVERIFY(QFile::link(dir.filePath(QStringLiteral("nowhere")), dangling));
        QVERIFY(!loadConfigFile(dangling, environment(dir)).ok());
    }

    void aFileLargerThanTheLimitIsRefused()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("big.yaml"));
        write(path, QByteArray(3 * 1024 * 1024, '#'));
        const Result<LoadedConfig> loaded = loadConfigFile(path, environment(dir));
        QVERIFY(!loaded.ok());
        QVERIFY2(loaded.error().message.contains(u"at most"), qPrintable(loaded.error().message));
    }

    void theKeyIsTheFirstLineOfItsFile_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << QByteArray("sk-42");
        QTest::newRow("line end") << QByteArray("sk-42\n");
        QTest::newRow("windows") << QByteArray("sk-42\r\n");
        QTest::newRow("spaces") << QByteArray("\n  sk-42  \n");
        QTest::newRow("several keys") << QByteArray("sk-42\nsk-43\n");
    }
    void theKeyIsTheFirstLineOfItsFile()
    {
        QFETCH(const QByteArray, bytes);
        const QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("key")), bytes);
        const Result<LoadedConfig> loaded = readWithKey(dir);
        QVERIFY2(loaded.ok(), loaded.ok() ? "" : qPrintable(loaded.error().message));
        QCOMPARE(loaded.value().config.servers.front().apiKey, u"sk-42"_qs);
        QCOMPARE(loaded.value().config.servers.front().apiKeyFile, dir.filePath(QStringLiteral("key")));
        QCOMPARE(loaded.value().config.secrets(), QStringList { u"sk-42"_qs });
        QVERIFY(loaded.value().warnings.isEmpty());
    }

    void aKeyFileThatHoldsNoKeyIsAnErrorThatNamesIt_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("blank") << QByteArray(" \n\n");
        QTest::newRow("header injection") << QByteArray("sk\x01key\n");
        QTest::newRow("words") << QByteArray("this is no key\n");
        QTest::newRow("noise") << QByteArray("\xff\xfe\x80\n");
    }
    void aKeyFileThatHoldsNoKeyIsAnErrorThatNamesIt()
    {
        QFETCH(const QByteArray, bytes);
        const QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("key")), bytes);
        const Result<LoadedConfig> loaded = readWithKey(dir);
        QVERIFY(!loaded.ok());
        const QString message = loaded.error().message;
        QVERIFY2(message.startsWith(u"c.yaml:4: key 'servers.a.apiKeyFile': "), qPrintable(message));
        QVERIFY2(message.contains(dir.filePath(QStringLiteral("key"))), qPrintable(message));
    }

    void aMissingKeyFileOrAFolderInItsPlaceIsAnError()
    {
        const QTemporaryDir dir;
        QVERIFY(readWithKey(dir).error().message.contains(u"does not exist"));
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("key")));
        const Result<LoadedConfig> loaded = readWithKey(dir);
        QVERIFY(!loaded.ok());
        QVERIFY2(loaded.error().message.contains(u"cannot be read"), qPrintable(loaded.error().message));
    }

    void aKeyThatOthersMayReadIsAWarning()
    {
        const QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("key")), "sk-42", c_private | QFileDevice::ReadOther);
        const Result<LoadedConfig> loaded = readWithKey(dir);
        QVERIFY(loaded.ok());
        QCOMPARE(loaded.value().warnings.size(), 1);
        QVERIFY(loaded.value().warnings.first().startsWith(u"c.yaml:4: "));
        QVERIFY(loaded.value().warnings.first().contains(u"chmod 600"));
    }

    void aKeyInAConfigurationThatOthersMayReadIsAWarning()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("c.yaml"));
        const QByteArray yaml = "backend: { baseURL: 'http://h', apiKey: k }\nproviders: [ p ]\n";
        write(path, yaml, c_private | QFileDevice::ReadGroup);
        QCOMPARE(loadConfigFile(path, environment(dir)).value().warnings.size(), 1);
        write(path, yaml, c_private);
        QVERIFY(loadConfigFile(path, environment(dir)).value().warnings.isEmpty());
    }

    void replacingWritesTheTextAsItIs()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("new/folder/c.yaml"));
        const QByteArray yaml = "# mine\nleases: { idleMs: 5 }\n";
        const Result<LoadedConfig> first = replaceConfigFile(path, yaml, QString(), environment(dir));
        QVERIFY2(first.ok(), first.ok() ? "" : qPrintable(first.error().message));
        QCOMPARE(first.value().config.leases.idleMs, 5);
        QCOMPARE(contents(path), yaml);
        const Result<LoadedConfig> second
            = replaceConfigFile(path, "# new\n", first.value().hash, environment(dir));
        QVERIFY(second.ok());
        QCOMPARE(contents(path), "# new\n");
    }

    void replacingWithAWrongTextLeavesTheFile()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("c.yaml"));
        write(path, "# old\n");
        const Result<LoadedConfig> replaced
            = replaceConfigFile(path, "nonsense: 1\n", QString(), environment(dir));
        QVERIFY(!replaced.ok());
        QVERIFY(replaced.error().message.startsWith(path + u":1: key 'nonsense'"_qs));
        QCOMPARE(contents(path), "# old\n");
    }

    void replacingAFileThatChangedMeanwhileIsRefused()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("c.yaml"));
        write(path, "# theirs\n");
        const Result<LoadedConfig> replaced
            = replaceConfigFile(path, "# mine\n", configHash("# old\n"), environment(dir));
        QVERIFY(!replaced.ok());
        QCOMPARE(replaced.error().code, ErrorCode::ConfigInvalid);
        QCOMPARE(replaced.error().data.value(u"hash").toString(), configHash("# theirs\n"));
        QCOMPARE(contents(path), "# theirs\n");
    }

    void theHashIsTheSha256OfTheBytes()
    {
        QCOMPARE(configHash("abc"), u"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"_qs);
    }
};

QTEST_GUILESS_MAIN(TstConfigFile)
#include "tst_configfile.moc"
