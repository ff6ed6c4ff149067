// SPDX-License-Identifier: MIT
#include "journalsink.h"

#include "journal.h"
#include "paths.h"
#include "sessionhash.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace kv {

namespace {

constexpr qsizetype c_longestName = 64;
constexpr QFileDevice::Permissions c_private = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

} // namespace

QString journalFileName(const QString &server)
{
    const auto plain = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'-'
            || c == u'_';
    };
    QString name = server.left(c_longestName);
    std::replace_if(
        name.begin(), name.end(), [&](QChar c) { return !plain(c); }, u'_');
    if (name != server) {
        name += u'-' + shortSession(server); // two servers never share a file
    }
    return name + QStringLiteral(".kvjournal");
}

QString oldJournalFileName(const QString &server) { return journalFileName(server) + QStringLiteral(".old"); }

QString journalFolder(const QString &metadataFolder)
{
    return QDir(metadataFolder).filePath(QStringLiteral("journal"));
}

JournalSink::JournalSink(const QString &folder, const QString &server, QByteArray header, qint64 segmentBytes)
    : m_path(QDir(folder).filePath(journalFileName(server)))
    , m_oldPath(QDir(folder).filePath(oldJournalFileName(server)))
    , m_folder(folder)
    , m_header(std::move(header))
    , m_segmentBytes(segmentBytes)
{
}

void JournalSink::add(const QByteArray &records, Begins begins)
{
    const QMutexLocker lock(&m_mutex);
    if (!m_failure.isEmpty()) {
        return;
    }
    if (begins == Begins::Segment) {
        m_size = m_header.size();
        m_lost = false;
    }
    m_chunks.push_back({ records, begins });
    m_waiting += records.size();
    m_size += records.size();
}

qint64 JournalSink::waiting() const
{
    const QMutexLocker lock(&m_mutex);
    return m_waiting;
}

qint64 JournalSink::size() const
{
    const QMutexLocker lock(&m_mutex);
    return m_size;
}

bool JournalSink::isLost() const
{
    const QMutexLocker lock(&m_mutex);
    return m_lost;
}

QString JournalSink::failure() const
{
    const QMutexLocker lock(&m_mutex);
    return m_failure;
}

void JournalSink::lose()
{
    const QMutexLocker lock(&m_mutex);
    m_lost = true;
}

void JournalSink::fail(const QString &why)
{
    const QMutexLocker lock(&m_mutex);
    m_failure = why;
    m_chunks.clear();
    m_waiting = 0;
}

void JournalSink::drain()
{
    const QMutexLocker fileLock(&m_fileMutex);
    std::vector<Chunk> chunks;
    {
        const QMutexLocker lock(&m_mutex);
        chunks.swap(m_chunks);
        m_waiting = 0;
    }
    // As few writes as possible: what comes before the next new file goes together.
    Chunk together;
    for (const Chunk &chunk : chunks) {
        if (chunk.begins == Begins::Segment && !together.records.isEmpty()) {
            put(together);
            together = {};
        }
        together.records += chunk.records;
        together.begins = together.begins == Begins::Nothing ? chunk.begins : together.begins;
    }
    if (!together.records.isEmpty()) {
        put(together);
    }
}

void JournalSink::put(const Chunk &chunk)
{
    if (!failure().isEmpty()) {
        return;
    }
    if (chunk.begins != Begins::Segment && m_length != c_unopened) {
        goOn(chunk.records);
        return;
    }
    // The first one of this run goes on where the file is whole, if it has room.
    const qint64 sound = chunk.begins == Begins::Segment ? -1 : soundLength();
    if (sound < 0 || sound + chunk.records.size() > m_segmentBytes) {
        beginFile(chunk.records);
        return;
    }
    append(sound, chunk.records);
    const QMutexLocker lock(&m_mutex);
    m_size += sound;
}

qint64 JournalSink::soundLength() const
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > m_segmentBytes) {
        return -1;
    }
    return JournalReader::soundLength(file.readAll(), m_header);
}

void JournalSink::beginFile(const QByteArray &records)
{
    if (const Result<Done> made = makePrivateFolder(m_folder); !made) {
        fail(made.error().message);
        return;
    }
    if (QFile::exists(m_path)) {
        QFile::remove(m_oldPath);
        QFile::rename(m_path, m_oldPath);
    }
    QFile file(m_path);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate, c_private)) {
        fail(file.errorString());
        return;
    }
    file.close();
    append(0, m_header + records);
}

void JournalSink::goOn(const QByteArray &records)
{
    if (QFileInfo(m_path).size() == m_length) { // 0 when there is none
        append(m_length, records);
    } else {
        lose();
    }
}

void JournalSink::append(qint64 at, const QByteArray &records)
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadWrite | QIODevice::ExistingOnly | QIODevice::Unbuffered)
        || !file.setPermissions(c_private) || (file.size() != at && !file.resize(at)) || !file.seek(at)) {
        fail(file.errorString());
        return;
    }
    if (file.write(records) != records.size()) {
        const QString why = file.errorString();
        file.resize(at); // what is there stays readable to its end
        fail(why);
        return;
    }
    m_length = at + records.size();
}

} // namespace kv
