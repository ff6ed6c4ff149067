// SPDX-License-Identifier: MIT
#include "fakefiles.h"

#include <QDir>
#include <QFile>

namespace kv::test {

std::optional<QByteArray> FakeFiles::read(const QString &name) const
{
    if (m_folder.isEmpty()) {
        const auto found = m_files.constFind(name);
        return found == m_files.constEnd() ? std::nullopt : std::optional<QByteArray>(*found);
    }
    QFile file(QDir(m_folder).filePath(name));
    return file.open(QIODevice::ReadOnly) ? std::optional<QByteArray>(file.readAll()) : std::nullopt;
}

bool FakeFiles::write(const QString &name, const QByteArray &data)
{
    if (m_folder.isEmpty()) {
        m_files.insert(name, data);
        return true;
    }
    QFile file(QDir(m_folder).filePath(name));
    return file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write(data) == data.size()
        && file.flush();
}

bool FakeFiles::remove(const QString &name)
{
    return m_folder.isEmpty() ? m_files.remove(name) : QFile::remove(QDir(m_folder).filePath(name));
}

bool FakeFiles::corrupt(const QString &name)
{
    auto data = read(name);
    if (!data || data->isEmpty()) {
        return false;
    }
    const qsizetype at = data->size() / 2;
    (*data)[at] = static_cast<char>((*data).at(at) ^ 1);
    write(name, *data);
    return true;
}

bool FakeFiles::truncateBy(const QString &name, qsizetype bytes)
{
    auto data = read(name);
    if (!data || data->size() < bytes) {
        return false;
    }
    data->chop(bytes);
    write(name, *data);
    return true;
}

} // namespace kv::test
