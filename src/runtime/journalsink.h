// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QMutex>
#include <QString>

#include <vector>

namespace kv {

/// Where a server's journal is: `NAME.kvjournal` is written to, `NAME.kvjournal.old` is the one before it.
QString journalFileName(const QString &server);
QString oldJournalFileName(const QString &server);
/// Of all servers, below the metadata folder.
QString journalFolder(const QString &metadataFolder);

/// The file side of a journal: bytes that wait, and two segments on the disk. add() and the questions are
/// cheap and for the logic thread; drain() does the file work and may be called from any thread.
class JournalSink final {
public:
    /// `header`: begins every file, see JournalEncoder. `segmentBytes`: a file that exists is gone on with
    /// up to this size.
    JournalSink(const QString &folder, const QString &server, QByteArray header, qint64 segmentBytes);
    Q_DISABLE_COPY_MOVE(JournalSink)

    enum class Begins { Nothing, Run, Segment };
    /// Records. `Run`: needs nothing of what was written before; `Segment`: and is to begin a new file.
    void add(const QByteArray &records, Begins begins = Begins::Nothing);
    [[nodiscard]] qint64 waiting() const; ///< bytes
    [[nodiscard]] qint64 size() const; ///< of the segment, with what waits
    /// The file is gone or not as it was left: to go on, begin another segment.
    [[nodiscard]] bool isLost() const;
    /// Empty: no write failed. Nothing is written any more after one did.
    [[nodiscard]] QString failure() const;

    void drain();

private:
    struct Chunk {
        QByteArray records;
        Begins begins = Begins::Nothing;
    };
    void put(const Chunk &chunk);
    bool prepareFolder();
    void beginFile(const QByteArray &records);
    void goOn(const QByteArray &records);
    [[nodiscard]] qint64 soundLength() const; ///< of the file that is there; −1: not to be gone on with
    void append(qint64 at, const QByteArray &records);
    void lose();
    void fail(const QString &why);

    const QString m_path;
    const QString m_oldPath;
    const QString m_folder;
    const QByteArray m_header;
    const qint64 m_segmentBytes;

    QMutex m_fileMutex; // held during file work; taken before m_mutex
    static constexpr qint64 c_unopened = -1;
    qint64 m_length = c_unopened; // of the file as it was left; under m_fileMutex

    mutable QMutex m_mutex;
    std::vector<Chunk> m_chunks;
    qint64 m_waiting = 0;
    qint64 m_size = 0;
    bool m_lost = false;
    QString m_failure;
};

} // namespace kv
