// SPDX-License-Identifier: MIT
#include "paths.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace kv;

namespace {

QProcessEnvironment environment(std::initializer_list<std::pair<const char *, const char *>> values)
{
    QProcessEnvironment out;
    for (const auto &[name, value] : values) {
        out.insert(QString::fromLatin1(name), QString::fromUtf8(value));
    }
    return out;
}

/// Rights of group and others as QFileDevice has them: 0x77 is rwxrwx.
int rightsOfOthers(const QString &path) { return QFileInfo(path).permissions().toInt() & 0x77; }

} // namespace

class TstBasePaths final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void socketNamedByTheUserComesFirstAndItsFolderIsNotOurs()
    {
        const auto env
            = environment({ { "KV_PERSIST_SOCKET", "/env/x.sock" }, { "XDG_RUNTIME_DIR", "/run/u" } });
        const SocketPath flag = socketPath(QStringLiteral("/flag/y.sock"), env);
        QCOMPARE(flag.path, u"/flag/y.sock"_qs);
        QCOMPARE(flag.folder, u"/flag"_qs);
        QVERIFY(!flag.folderIsOurs);
        const SocketPath variable = socketPath(QString(), env);
        QCOMPARE(variable.path, u"/env/x.sock"_qs);
        QVERIFY(!variable.folderIsOurs);
    }

    void relativeSocketIsMadeAbsolute()
    {
        QCOMPARE(socketPath(QStringLiteral("x.sock"), {}).path, QDir::currentPath() + u"/x.sock"_qs);
    }

    void socketFallsBackToTheRuntimeFolderThenToTheTemporaryOne()
    {
        const SocketPath runtime
            = socketPath(QString(), environment({ { "XDG_RUNTIME_DIR", "/run/user/7" } }));
        QCOMPARE(runtime.path, u"/run/user/7/kv-persist/api.sock"_qs);
        QVERIFY(runtime.folderIsOurs);
        const QString expected = QStringLiteral("%1/kv-persist-%2").arg(QDir::tempPath()).arg(::getuid());
        for (const char *useless : { "", "relative/folder" }) {
            const SocketPath temporary = socketPath(
                QString(), environment({ { "XDG_RUNTIME_DIR", useless }, { "KV_PERSIST_SOCKET", "" } }));
            QCOMPARE(temporary.folder, expected);
            QCOMPARE(temporary.path, expected + u"/api.sock"_qs);
            QVERIFY(temporary.folderIsOurs);
        }
    }

    void defaultFoldersFollowTheEnvironment_data()
    {
        QTest::addColumn<QString>("dsh");
        QTest::addColumn<QString>("expected");
        QTest::newRow("unset") << QString() << QStringLiteral("/home/u/.dsh");
        QTest::newRow("blank") << QStringLiteral("  ") << QStringLiteral("/home/u/.dsh");
        QTest::newRow("set") << QStringLiteral("/data/dsh") << QStringLiteral("/data/dsh");
        QTest::newRow("slash at the end") << QStringLiteral("/data/dsh/") << QStringLiteral("/data/dsh");
        QTest::newRow("tilde") << QStringLiteral("~/d") << QStringLiteral("/home/u/d");
    }
    void defaultFoldersFollowTheEnvironment()
    {
        QFETCH(const QString, dsh);
        QFETCH(const QString, expected);
        auto env = environment({ { "HOME", "/home/u" } });
        if (!dsh.isNull()) {
            env.insert(QStringLiteral("DSH_HOME"), dsh);
        }
        QCOMPARE(dshHome(env), expected);
        QCOMPARE(defaultMetadataFolder(env), expected + u"/cache/dsh-kv-persist"_qs);
        QCOMPARE(expandPath(QStringLiteral("${DSH_HOME}/x"), env).value(), expected + u"/x"_qs);
    }

    void configPathUsesXdgConfigHomeWhenAbsolute()
    {
        QCOMPARE(defaultConfigPath(environment({ { "HOME", "/home/u" } })),
            u"/home/u/.config/kv-persist/config.yaml"_qs);
        QCOMPARE(defaultConfigPath(environment({ { "HOME", "/home/u" }, { "XDG_CONFIG_HOME", "/c" } })),
            u"/c/kv-persist/config.yaml"_qs);
        QCOMPARE(defaultConfigPath(environment({ { "HOME", "/home/u" }, { "XDG_CONFIG_HOME", "c" } })),
            u"/home/u/.config/kv-persist/config.yaml"_qs);
    }

    void expandReplacesTildeAndVariables_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *path, const char *expected) {
            QTest::newRow(path) << QString::fromUtf8(path) << QString::fromUtf8(expected);
        };
        row("~", "/home/u");
        row("~/kv", "/home/u/kv");
        row("/plain/path", "/plain/path");
        row("/a~b", "/a~b");
        row("${A}/${B}/x", "/one/two/x");
        row("/x/${B}y", "/x/twoy");
        row("/keep/$A/x", "/keep/$A/x");
        row("/not/${AGAIN}", "/not/${A}");
        row("/a//b/../c/", "/a/c");
        row("~/${B}", "/home/u/two");
    }
    void expandReplacesTildeAndVariables()
    {
        QFETCH(const QString, path);
        const auto env
            = environment({ { "HOME", "/home/u" }, { "A", "/one" }, { "B", "two" }, { "AGAIN", "${A}" } });
        const Result<QString> expanded = expandPath(path, env);
        QVERIFY2(expanded.ok(), expanded.ok() ? "" : qPrintable(expanded.error().message));
        QTEST(expanded.value(), "expected");
    }

    void expandRefusesWhatItCannotKnow_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("named");
        QTest::newRow("unset") << QStringLiteral("/x/${NOPE}/y") << QStringLiteral("'NOPE'");
        QTest::newRow("empty value") << QStringLiteral("${EMPTY}/y") << QStringLiteral("'EMPTY'");
        QTest::newRow("unclosed") << QStringLiteral("/x/${HOME") << QStringLiteral("/x/${HOME");
        QTest::newRow("nameless") << QStringLiteral("/x/${}") << QStringLiteral("/x/${}");
        QTest::newRow("other user") << QStringLiteral("~root/x") << QStringLiteral("~root/x");
        QTest::newRow("empty") << QString() << QStringLiteral("empty");
        QTest::newRow("NUL") << QStringLiteral("/a") + QChar(0) + QStringLiteral("b")
                             << QStringLiteral("NUL");
    }
    void expandRefusesWhatItCannotKnow()
    {
        QFETCH(const QString, path);
        QFETCH(const QString, named);
        const Result<QString> expanded
            = expandPath(path, environment({ { "HOME", "/home/u" }, { "EMPTY", "" } }));
        QVERIFY(!expanded.ok());
        QCOMPARE(expanded.error().code, ErrorCode::ConfigInvalid);
        QVERIFY2(expanded.error().message.contains(named), qPrintable(expanded.error().message));
    }

    void privateFolderIsMadeWithItsParentsForTheUserAlone()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("a/b/c"));
        QVERIFY(makePrivateFolder(path).ok());
        for (const char *part : { "a", "a/b", "a/b/c" }) {
            const QFileDevice::Permissions rights
                = QFileInfo(dir.filePath(QString::fromLatin1(part))).permissions();
            QVERIFY(rights.testFlag(QFile::ReadOwner) && rights.testFlag(QFile::ExeOwner));
            QCOMPARE(rightsOfOthers(dir.filePath(QString::fromLatin1(part))), 0);
        }
        QVERIFY(makePrivateFolder(path).ok()); // again, now that it is there
    }

    void privateFolderTakesTheRightsOfOthersAwayButNotFromItsParents()
    {
        const QTemporaryDir dir;
        const QString parent = dir.filePath(QStringLiteral("p"));
        const QString path = parent + u"/c"_qs;
        QVERIFY(QDir().mkpath(path));
        const auto open = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup
            | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther;
        QVERIFY(QFile::setPermissions(parent, open) && QFile::setPermissions(path, open));
        QVERIFY(makePrivateFolder(path).ok());
        QCOMPARE(rightsOfOthers(path), 0);
        QCOMPARE(rightsOfOthers(parent), 0x55);
    }

    void privateFolderSaysWhatIsInItsWay()
    {
        const QTemporaryDir dir;
        const QString path = dir.filePath(QStringLiteral("file"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const QString &wanted : { path, path + u"/below"_qs }) {
            const Result<Done> made = makePrivateFolder(wanted);
            QVERIFY(!made.ok());
            QCOMPARE(made.error().code, ErrorCode::MetadataIo);
            QVERIFY2(made.error().message.contains(path), qPrintable(made.error().message));
        }
    }
};

QTEST_GUILESS_MAIN(TstBasePaths)
#include "tst_basepaths.moc"
