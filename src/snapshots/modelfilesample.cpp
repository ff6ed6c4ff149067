// SPDX-License-Identifier: MIT
#include "modelfilesample.h"

#include "fingerprint.h"
#include "systemtext.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QMutexLocker>
#include <QRegularExpression>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace kv {

namespace {

constexpr qint64 c_end = qint64 { 1 } << 20;
constexpr qint64 c_block = qint64 { 64 } << 10;
constexpr qint64 c_blocks = 16;
constexpr qint64 c_whole = 2 * c_end + c_blocks * c_block;
constexpr int c_mostParts = 999;
constexpr qsizetype c_cachedSamples = 256;

struct Range {
    qint64 offset = 0;
    qint64 length = 0;
};

/// Which bytes of a file of this size are looked at.
std::vector<Range> sampleRanges(qint64 size)
{
    if (size <= c_whole) {
        return { { 0, size } };
    }
    std::vector<Range> ranges { { 0, c_end } };
    const qint64 between = size - 2 * c_end;
    for (qint64 i = 0; i < c_blocks; ++i) {
        // The space between the ends in 16 equal parts, the block in the middle of each.
        const qint64 middle = c_end + between * (2 * i + 1) / (2 * c_blocks);
        ranges.push_back({ middle - c_block / 2, c_block });
    }
    ranges.push_back({ size - c_end, c_end });
    return ranges;
}

bool readRange(int fd, Range range, QCryptographicHash &hash)
{
    QByteArray buffer(static_cast<qsizetype>(std::min(range.length, c_end)), Qt::Uninitialized);
    while (range.length > 0) {
        const auto wanted = static_cast<std::size_t>(std::min<qint64>(range.length, buffer.size()));
        const ssize_t count = ::pread(fd, buffer.data(), wanted, range.offset);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        hash.addData(QByteArrayView(buffer.constData(), count));
        range.offset += count;
        range.length -= count;
    }
    return true;
}

qint64 mtimeNs(const struct stat &facts)
{
    constexpr qint64 nsPerSecond = 1'000'000'000;
    return qint64 { facts.st_mtim.tv_sec } * nsPerSecond + facts.st_mtim.tv_nsec;
}

/// Of the last change of anything, which nobody can set: a file overwritten in place with its old times
/// shows.
qint64 ctimeNs(const struct stat &facts)
{
    constexpr qint64 nsPerSecond = 1'000'000'000;
    return qint64 { facts.st_ctim.tv_sec } * nsPerSecond + facts.st_ctim.tv_nsec;
}

ModelFileFacts unreadable(const QString &why)
{
    ModelFileFacts facts;
    facts.why = why;
    return facts;
}

ModelFileFacts systemProblem(int error) { return unreadable(systemText(error)); }

std::optional<QString> sampleOf(int fd, qint64 size, const std::function<bool()> &cancelled)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const Range &range : sampleRanges(size)) {
        if ((cancelled && cancelled()) || !readRange(fd, range, hash)) {
            return std::nullopt;
        }
    }
    return QString::fromLatin1(hash.result().toHex());
}

ModelFileFacts readOpenPart(
    const QString &path, int fd, SampleCache &cache, const std::function<bool()> &cancelled)
{
    struct stat before { };
    if (::fstat(fd, &before) != 0) {
        return systemProblem(errno);
    }
    if (!S_ISREG(before.st_mode)) {
        return unreadable(QStringLiteral("not a regular file"));
    }
    const QString key = QStringLiteral("%1\n%2\n%3\n%4\n%5:%6")
                            .arg(path)
                            .arg(before.st_size)
                            .arg(mtimeNs(before))
                            .arg(ctimeNs(before))
                            .arg(before.st_dev)
                            .arg(before.st_ino);
    QString sample = cache.find(key);
    if (sample.isEmpty()) {
        const std::optional<QString> computed = sampleOf(fd, before.st_size, cancelled);
        struct stat after { };
        const bool steady = ::fstat(fd, &after) == 0 && after.st_size == before.st_size
            && mtimeNs(after) == mtimeNs(before);
        if (!computed || !steady) {
            return unreadable(
                steady ? QStringLiteral("reading it failed") : QStringLiteral("it is being written"));
        }
        sample = *computed;
        cache.insert(key, sample);
    }
    constexpr qint64 nsPerMs = 1'000'000;
    return ModelFileFacts { true, {}, before.st_size, mtimeNs(before) / nsPerMs, sample };
}

ModelFileFacts readPart(const QString &path, SampleCache &cache, const std::function<bool()> &cancelled)
{
    // Links are followed: model stores are made of them.
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return systemProblem(errno);
    }
    ModelFileFacts facts = readOpenPart(path, fd, cache, cancelled);
    ::close(fd);
    return facts;
}

} // namespace

FieldList ModelFileFacts::fields() const
{
    if (!readable) {
        return {};
    }
    const QDateTime changed = QDateTime::fromMSecsSinceEpoch(mtimeMs, Qt::UTC);
    return {
        { field::fileSize.toString(), QString::number(size) },
        { field::fileMtime.toString(), changed.toString(Qt::ISODateWithMs) },
        { field::fileSample.toString(), sample },
    };
}

QStringList modelFileParts(const QString &path)
{
    static const QRegularExpression c_split(
        QStringLiteral("^(.*)-(\\d{5})-of-(\\d{5})\\.gguf$"), QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = c_split.match(path);
    const int count = match.hasMatch() ? match.capturedView(3).toInt() : 0;
    if (count < 1 || count > c_mostParts) {
        return { path };
    }
    QStringList parts;
    for (int i = 1; i <= count; ++i) {
        // Not arg(): the path may hold a percent sign.
        parts.append(match.captured(1) + u'-' + QString::number(i).rightJustified(5, u'0')
            + QStringLiteral("-of-") + match.captured(3) + QStringLiteral(".gguf"));
    }
    return parts;
}

QString SampleCache::find(const QString &key) const
{
    const QMutexLocker locker(&m_mutex);
    return m_samples.value(key);
}

void SampleCache::insert(const QString &key, const QString &sample)
{
    const QMutexLocker locker(&m_mutex);
    if (m_samples.size() >= c_cachedSamples) {
        m_samples.clear();
    }
    m_samples.insert(key, sample);
}

ModelFileFacts readModelFile(const QString &path, SampleCache &cache, const std::function<bool()> &cancelled)
{
    if (!QDir::isAbsolutePath(path)) {
        return unreadable(path.isEmpty() ? QStringLiteral("the server does not tell its path")
                                         : QStringLiteral("its path is relative to the server's folder"));
    }
    const QStringList parts = modelFileParts(path);
    ModelFileFacts whole;
    QCryptographicHash samples(QCryptographicHash::Sha256);
    for (const QString &part : parts) {
        const ModelFileFacts facts = readPart(part, cache, cancelled);
        if (!facts.readable) {
            return facts;
        }
        whole.size += facts.size;
        whole.mtimeMs = std::max(whole.mtimeMs, facts.mtimeMs);
        whole.sample = facts.sample;
        samples.addData(facts.sample.toLatin1());
    }
    whole.readable = true;
    if (parts.size() > 1) {
        whole.sample = QString::fromLatin1(samples.result().toHex());
    }
    return whole;
}

} // namespace kv
