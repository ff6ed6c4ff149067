// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QHash>
#include <QString>

#include <optional>

namespace kv::test {

/// The folder behind --slot-save-path, in memory or real. Outlives restarts of the fake server.
class FakeFiles final {
public:
    void useFolder(const QString &folder) { m_folder = folder; }
    [[nodiscard]] std::optional<QByteArray> read(const QString &name) const;
    bool write(const QString &name, const QByteArray &data); ///< false: not all of it fitted on the disk
    bool remove(const QString &name);
    bool corrupt(const QString &name); ///< flips one bit in the middle
    bool truncateBy(const QString &name, qsizetype bytes);

private:
    QString m_folder;
    QHash<QString, QByteArray> m_files;
};

} // namespace kv::test
