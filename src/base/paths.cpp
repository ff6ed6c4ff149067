// SPDX-License-Identifier: MIT
#include "paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace kv {

namespace {

struct PathsText {
    Q_DECLARE_TR_FUNCTIONS(kv::Paths)
};

constexpr QFileDevice::Permissions c_private
    = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner;
constexpr QFileDevice::Permissions c_anyoneElse = QFileDevice::ReadGroup | QFileDevice::WriteGroup
    | QFileDevice::ExeGroup | QFileDevice::ReadOther | QFileDevice::WriteOther | QFileDevice::ExeOther;

QString dshHomeNameText() { return QStringLiteral("DSH_HOME"); }

/// The XDG rules: a value that is not absolute is ignored.
QString absoluteFrom(const QProcessEnvironment &environment, const QString &name)
{
    const QString value = environment.value(name);
    return QDir::isAbsolutePath(value) ? QDir::cleanPath(value) : QString();
}

QString userTag()
{
#ifdef Q_OS_UNIX
    return QString::number(::getuid());
#else
    return qEnvironmentVariable("USERNAME");
#endif
}

bool belongsToUser(const QFileInfo &info)
{
#ifdef Q_OS_UNIX
    return info.ownerId() == ::getuid();
#else
    Q_UNUSED(info)
    return true;
#endif
}

Error folderError(const QString &message, const QString &path)
{
    return Error { ErrorCode::MetadataIo, message, path };
}

Result<Done> takeExistingFolder(const QString &path)
{
    const QFileInfo info(path);
    if (!info.isDir()) {
        return folderError(
            PathsText::tr("'%1' is not a folder. Move it away or choose another path.").arg(path), path);
    }
    if (!belongsToUser(info)) {
        return folderError(
            PathsText::tr(
                "The folder '%1' belongs to another user and cannot be trusted. Remove it or choose another "
                "path.")
                .arg(path),
            path);
    }
    if ((info.permissions() & c_anyoneElse) != 0 && !QFile::setPermissions(path, c_private)) {
        return folderError(
            PathsText::tr("The rights of the folder '%1' cannot be set to 0700. Set them by hand.").arg(path),
            path);
    }
    return Done {};
}

Result<QString> variableValue(
    const QString &name, const QString &path, const QProcessEnvironment &environment)
{
    if (name == dshHomeNameText()) {
        return dshHome(environment);
    }
    const QString value = environment.value(name);
    if (value.isEmpty()) {
        return Error { ErrorCode::ConfigInvalid,
            PathsText::tr(
                "The environment variable '%1', named in the path '%2', is not set. Set it or write the path "
                "out.")
                .arg(name, path),
            path };
    }
    return value;
}

} // namespace

SocketPath socketPath(const QString &requested, const QProcessEnvironment &environment)
{
    const QString named
        = requested.isEmpty() ? environment.value(QStringLiteral("KV_PERSIST_SOCKET")) : requested;
    if (!named.isEmpty()) {
        const QString absolute = QFileInfo(named).absoluteFilePath();
        return SocketPath { absolute, QFileInfo(absolute).absolutePath(), false };
    }
#ifdef Q_OS_WIN
    return SocketPath { QStringLiteral("kv-persist-%1").arg(userTag()), QString(), true };
#else
    const QString runtime = absoluteFrom(environment, QStringLiteral("XDG_RUNTIME_DIR"));
    const QString folder = runtime.isEmpty()
        ? QStringLiteral("%1/kv-persist-%2").arg(QDir::tempPath(), userTag())
        : QStringLiteral("%1/kv-persist").arg(runtime);
    return SocketPath { QStringLiteral("%1/api.sock").arg(folder), folder, true };
#endif
}

QString homeFolder(const QProcessEnvironment &environment)
{
    const QString home = absoluteFrom(environment, QStringLiteral("HOME"));
    return home.isEmpty() ? QDir::homePath() : home;
}

QString dshHome(const QProcessEnvironment &environment)
{
    const QString value = environment.value(dshHomeNameText()).trimmed();
    if (value.isEmpty()) {
        return homeFolder(environment) + QStringLiteral("/.dsh");
    }
    const bool fromHome = value == u"~" || value.startsWith(u"~/");
    return QDir::cleanPath(fromHome ? homeFolder(environment) + value.mid(1) : value);
}

QString defaultMetadataFolder(const QProcessEnvironment &environment)
{
    return dshHome(environment) + QStringLiteral("/cache/dsh-kv-persist");
}

QString defaultConfigPath(const QProcessEnvironment &environment)
{
    QString folder = absoluteFrom(environment, QStringLiteral("XDG_CONFIG_HOME"));
    if (folder.isEmpty()) {
        folder = homeFolder(environment) + QStringLiteral("/.config");
    }
    return folder + QStringLiteral("/kv-persist/config.yaml");
}

Result<QString> expandPath(const QString &path, const QProcessEnvironment &environment)
{
    const auto invalid = [&path](const QString &message) {
        return Error { ErrorCode::ConfigInvalid, message.arg(path), path };
    };
    if (path.isEmpty()) {
        return Error { ErrorCode::ConfigInvalid, PathsText::tr("The path is empty."), QString() };
    }
    if (path.contains(QChar(u'\0'))) {
        return Error { ErrorCode::ConfigInvalid, PathsText::tr("The path contains a NUL character."),
            QString() };
    }
    QString out;
    qsizetype at = 0;
    if (path.startsWith(u'~')) {
        if (path.size() > 1 && path.at(1) != u'/') {
            return invalid(
                PathsText::tr("The path '%1' names the home folder of another user, which is not supported. "
                              "Write the path out."));
        }
        out = homeFolder(environment);
        at = 1;
    }
    while (at < path.size()) {
        const qsizetype open = path.indexOf(u"${", at);
        if (open < 0) {
            break;
        }
        const qsizetype close = path.indexOf(u'}', open);
        if (close <= open + 2) {
            return invalid(PathsText::tr("The path '%1' has a '${' without a name and a '}'."));
        }
        const Result<QString> value = variableValue(path.mid(open + 2, close - open - 2), path, environment);
        if (!value) {
            return value.error();
        }
        out += path.mid(at, open - at) + value.value();
        at = close + 1;
    }
    return QDir::cleanPath(out + path.mid(at));
}

Result<Done> makePrivateFolder(const QString &path)
{
    const QString clean = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
    if (QFileInfo::exists(clean)) {
        return takeExistingFolder(clean);
    }
    const QString parent = QFileInfo(clean).absolutePath();
    if (parent != clean && !QFileInfo::exists(parent)) {
        if (const Result<Done> made = makePrivateFolder(parent); !made) {
            return made.error();
        }
    }
    // Another process may have made it between the look and now: then it is judged like any existing one.
    if (!QDir().mkdir(clean, c_private) && !QFileInfo::exists(clean)) {
        return folderError(
            PathsText::tr("The folder '%1' cannot be made. Check the rights and the free space of '%2'.")
                .arg(clean, parent),
            clean);
    }
    return takeExistingFolder(clean);
}

} // namespace kv
