// SPDX-License-Identifier: MIT
#pragma once

#include "types.h"

#include <QHash>
#include <QMutex>
#include <QString>
#include <QStringList>

#include <functional>

namespace kv {

/// What is known of a model's file (all parts of a split one together).
struct ModelFileFacts {
    bool readable = false; ///< else nothing below but `why` is set
    QString why; ///< why it is not, in a few words for people
    qint64 size = 0; ///< bytes, all parts
    qint64 mtimeMs = 0; ///< Unix ms, of the part changed last
    QString sample; ///< sha256 over samples of the content, hex

    /// fileSize, fileMtime, fileSample; nothing when not readable.
    [[nodiscard]] FieldList fields() const;
    bool operator==(const ModelFileFacts &) const = default;
};

/// The files that a GGUF path names: itself, or all parts of "…-00001-of-0000N.gguf", in order.
QStringList modelFileParts(const QString &path);

/// Samples that were computed once are kept by path, size, mtime, ctime and inode. Thread-safe.
class SampleCache final {
public:
    QString find(const QString &key) const;
    void insert(const QString &key, const QString &sample);

private:
    mutable QMutex m_mutex;
    QHash<QString, QString> m_samples;
};

/// Reads the facts; blocks on the disk (about 3 MiB a part). Of each part: its first and last MiB and 16
/// blocks of 64 KiB between, evenly spaced; a file no larger than all that whole. `cancelled` is asked
/// between the reads.
ModelFileFacts readModelFile(
    const QString &path, SampleCache &cache, const std::function<bool()> &cancelled = {});

} // namespace kv
