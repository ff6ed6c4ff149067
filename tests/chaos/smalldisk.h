// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace kv::test {

/// A file system of its own of a few MiB, which can be full. Only root may mount one.
class SmallDisk final {
public:
    explicit SmallDisk(int mebibytes);
    ~SmallDisk();
    Q_DISABLE_COPY_MOVE(SmallDisk)

    [[nodiscard]] bool isMounted() const { return m_mounted; }
    [[nodiscard]] QString path() const { return m_folder.path(); }
    /// Fills it up to the last block that can be had.
    void fill();
    void relieve();

private:
    QTemporaryDir m_folder;
    bool m_mounted = false;
};

} // namespace kv::test
