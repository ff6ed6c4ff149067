// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QProcessEnvironment>
#include <QString>

namespace kv {

/// Where the daemon listens and clients connect.
struct SocketPath {
    QString path; ///< on Windows the name of a pipe
    QString folder; ///< of `path`; empty on Windows
    bool folderIsOurs
        = false; ///< we may create it and set its rights; else the user named it and it stays as it is
};

/// `requested` (--socket) if not empty, else $KV_PERSIST_SOCKET, else $XDG_RUNTIME_DIR/kv-persist/api.sock,
/// else api.sock in a folder of the temporary directory that is named after the uid.
SocketPath socketPath(const QString &requested, const QProcessEnvironment &environment);

/// $XDG_CONFIG_HOME/kv-persist/config.yaml, else ~/.config/kv-persist/config.yaml.
QString defaultConfigPath(const QProcessEnvironment &environment);

/// $HOME, else what the system says.
QString homeFolder(const QProcessEnvironment &environment);
/// $DSH_HOME; ~/.dsh when that is blank or unset.
QString dshHome(const QProcessEnvironment &environment);
/// The database and all we keep: dshHome()/cache/dsh-kv-persist.
QString defaultMetadataFolder(const QProcessEnvironment &environment);

/// Replaces a leading `~` and every `${VAR}`; values are not expanded again. `${DSH_HOME}` always has a
/// value, see dshHome(). Error KV_CONFIG_INVALID: a variable that is unset or empty, `~name`, an unclosed
/// `${`, a NUL.
Result<QString> expandPath(const QString &path, const QProcessEnvironment &environment);

/// Makes the folder and its missing parents with mode 0700. One that exists must be a folder of this user and
/// loses the rights of others; existing parents stay as they are. Error KV_METADATA_IO.
Result<Done> makePrivateFolder(const QString &path);

} // namespace kv
