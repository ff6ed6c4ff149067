// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace kv {

/// Whether the desktop starts this program with the session: an entry in the user's autostart folder, as
/// freedesktop.org has it. An entry of that name that this program did not write is never changed.
class Autostart final {
public:
    enum class State {
        Off,
        On,
        Foreign, ///< the entry is somebody else's
    };

    /// `program`: its absolute path. `systemFolders`: where a package may have put an entry for everybody,
    /// which the user's one overrules.
    Autostart(QString folder, QString program, QStringList systemFolders = {});
    /// By $XDG_CONFIG_HOME and $XDG_CONFIG_DIRS.
    static Autostart ofUser(const QProcessEnvironment &environment, const QString &program);

    [[nodiscard]] State state() const;
    [[nodiscard]] QString path() const;
    /// Writes or removes the entry. Error KV_METADATA_IO: it could not, or the entry is somebody else's.
    [[nodiscard]] Result<Done> set(bool on) const;

private:
    [[nodiscard]] bool forEverybody() const;
    [[nodiscard]] QByteArray entry(bool hidden) const;

    QString m_folder;
    QString m_program;
    QStringList m_systemFolders;
};

} // namespace kv
