// SPDX-License-Identifier: MIT
#include "socketfolder.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>
#include <unistd.h>

namespace kv {

namespace {

QString folderText(const char *text) { return QCoreApplication::translate("SocketFolder", text); }

Result<Done> makeOwnFolder(const QString &folder)
{
    // In the temporary directory somebody else may have put a link there first.
    if (QFileInfo(folder).isSymLink()) {
        return socketError(
            folderText("The folder %1 for the socket is a link, so a socket in it would not be safe. Remove "
                       "the link, or choose another place with --socket.")
                .arg(folder));
    }
    const Result<Done> made = makePrivateFolder(folder);
    if (!made) {
        return socketError(
            folderText("The socket needs a folder of its own. %1 Or choose another place with --socket.")
                .arg(made.error().message));
    }
    return Done {};
}

Result<Done> checkNamedFolder(const QString &folder)
{
    struct stat info = {};
    const QByteArray name = QFile::encodeName(folder);
    if (::stat(name.constData(), &info) != 0 || !S_ISDIR(info.st_mode)) {
        return socketError(
            folderText("The folder %1 for the socket does not exist. A folder that you name is not made for "
                       "you: make it, or choose another --socket.")
                .arg(folder));
    }
    const bool strangersFolder = info.st_uid != ::geteuid() && info.st_uid != 0;
    const bool groupMayWrite = (info.st_mode & S_IWGRP) != 0 && info.st_gid != ::getegid();
    if (strangersFolder || groupMayWrite || (info.st_mode & S_IWOTH) != 0) {
        return socketError(
            folderText("Others may write to the folder %1, so they could replace the socket and read your "
                       "sessions. Take that right away (chmod go-w), or choose another --socket.")
                .arg(folder));
    }
    return Done {};
}

} // namespace

Error socketError(const QString &message) { return { ErrorCode::BadRequest, message, {} }; }

Result<Done> prepareSocketFolder(const SocketPath &socket)
{
    return socket.folderIsOurs ? makeOwnFolder(socket.folder) : checkNamedFolder(socket.folder);
}

} // namespace kv
