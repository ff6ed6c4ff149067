// SPDX-License-Identifier: MIT
#include "filecheck.h"

#include "snapshotname.h"
#include "systemtext.h"

#include <QDir>
#include <QFile>
#include <QtEndian>

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kv {

namespace {

constexpr std::array<char, 4> c_magic { 0x71, 0x73, 0x67, 0x67 };
constexpr std::size_t c_headerSize = 8;
constexpr std::size_t c_chunk = std::size_t { 1 } << 20;
constexpr mode_t c_mode = 0600;
// Without O_NONBLOCK a pipe of that name would hold us up for ever.
constexpr int c_openFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
/// What some forks of the server write beside a state file; in the order in which it is hashed.
constexpr std::array<const char *, 2> c_sidecars { ".checkpoints", ".ckpt" };

/// A file descriptor that is closed in the end; −1: none.
class Descriptor final {
public:
    explicit Descriptor(int fd)
        : m_fd(fd)
    {
    }
    ~Descriptor()
    {
        if (m_fd >= 0) {
            ::close(m_fd);
        }
    }
    Q_DISABLE_COPY_MOVE(Descriptor)
    [[nodiscard]] int get() const { return m_fd; }
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd;
};

FileReport problem(FileProblem kind, const QString &message)
{
    FileReport report;
    report.problem = kind;
    report.message = message;
    return report;
}

QString fullName(const SnapshotFile &file)
{
    return QDir(file.folder).filePath(snapshotFileName(file.prefix, file.number));
}

FileReport unavailable(const SnapshotFile &file, int error)
{
    return problem(FileProblem::Unavailable,
        QStringLiteral(
            "The snapshot file %1 cannot be reached (%2). Check slotSavePath and the rights there.")
            .arg(fullName(file), systemText(error)));
}

int openFolder(const QString &folder)
{
    return ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/// What checkFile and sealFile work on: an open regular file and its facts, or the report that says why not.
struct Opened {
    std::unique_ptr<Descriptor> descriptor;
    qint64 size = 0;
    FileReport report;
};

Opened openSnapshot(const SnapshotFile &file, const Descriptor &folder)
{
    Opened opened;
    const QByteArray name = QFile::encodeName(snapshotFileName(file.prefix, file.number));
    if (name.isEmpty()) {
        opened.report
            = problem(FileProblem::Unavailable, QStringLiteral("This is no name of a snapshot file."));
        return opened;
    }
    if (!folder.isOpen()) {
        opened.report = unavailable(file, errno);
        return opened;
    }
    const int fd = ::openat(folder.get(), name.constData(), c_openFlags);
    const int error = errno;
    opened.descriptor = std::make_unique<Descriptor>(fd);
    struct stat facts { };
    const bool notThere = fd < 0 && (error == ENOENT || error == ELOOP || error == ENXIO);
    if (fd < 0 && !notThere) {
        opened.report = unavailable(file, error);
    } else if (fd >= 0 && ::fstat(fd, &facts) != 0) {
        opened.report = unavailable(file, errno);
    } else if (notThere || !S_ISREG(facts.st_mode)) {
        opened.report = problem(FileProblem::Missing,
            error == ENOENT && notThere
                ? QStringLiteral("The snapshot file %1 is gone.").arg(fullName(file))
                : QStringLiteral("%1 is no regular file, so it is not the snapshot that was saved there.")
                      .arg(fullName(file)));
    }
    opened.size = facts.st_size;
    opened.report.bytes = opened.report.ok() ? opened.size : -1;
    return opened;
}

struct StateDeleter {
    void operator()(XXH3_state_t *state) const { XXH3_freeState(state); }
};

/// One checksum over several files, in the order in which they are added.
class Hasher final {
public:
    Hasher(qint64 total, const FileProgress &progress)
        : m_state(XXH3_createState())
        , m_progress(progress)
        , m_total(total)
    {
        m_good = m_state != nullptr && XXH3_64bits_reset(m_state.get()) == XXH_OK;
    }
    void addText(const QByteArray &text)
    {
        XXH3_64bits_update(m_state.get(), text.constData(), static_cast<std::size_t>(text.size()));
    }
    /// False with errno 0: stopped by the progress.
    bool addFile(int fd)
    {
        std::vector<char> buffer(c_chunk);
        for (qint64 at = 0;;) {
            const ssize_t count = ::pread(fd, buffer.data(), buffer.size(), at);
            if (count < 0 && errno == EINTR) {
                continue;
            }
            if (count <= 0) {
                return count == 0;
            }
            XXH3_64bits_update(m_state.get(), buffer.data(), static_cast<std::size_t>(count));
            at += count;
            m_done = std::min(m_total, m_done + count);
            if (m_progress && !m_progress(m_done, m_total)) {
                errno = 0;
                return false;
            }
        }
    }
    [[nodiscard]] bool isGood() const { return m_good; }
    [[nodiscard]] QString text() const
    {
        return QStringLiteral("%1").arg(
            quint64 { XXH3_64bits_digest(m_state.get()) }, 16, 16, QLatin1Char('0'));
    }

private:
    std::unique_ptr<XXH3_state_t, StateDeleter> m_state;
    const FileProgress &m_progress;
    qint64 m_total;
    qint64 m_done = 0;
    bool m_good = false;
};

/// nullopt with errno 0: stopped by `progress`. Some forks write what belongs to a snapshot beside it: one
/// that is missing, new or changed gives another checksum.
std::optional<QString> checksumOf(
    const SnapshotFile &file, const Descriptor &folder, const Opened &opened, const FileProgress &progress)
{
    Hasher hasher(opened.size, progress);
    if (!hasher.isGood()) {
        errno = ENOMEM;
        return std::nullopt;
    }
    if (!hasher.addFile(opened.descriptor->get())) {
        return std::nullopt;
    }
    const QByteArray name = QFile::encodeName(snapshotFileName(file.prefix, file.number));
    for (const char *suffix : c_sidecars) {
        const Descriptor sidecar(::openat(folder.get(), (name + suffix).constData(), c_openFlags));
        if (!sidecar.isOpen() && errno == ENOENT) {
            continue;
        }
        struct stat facts { };
        const bool regular
            = sidecar.isOpen() && ::fstat(sidecar.get(), &facts) == 0 && S_ISREG(facts.st_mode);
        hasher.addText(
            QByteArray(suffix) + ' ' + QByteArray::number(regular ? qint64 { facts.st_size } : -1));
        if (regular && !hasher.addFile(sidecar.get())) {
            return std::nullopt;
        }
    }
    return hasher.text();
}

void checkHeader(const SnapshotFile &file, int fd, const FileExpectation &expected, FileReport &report)
{
    std::array<char, c_headerSize> header {};
    const ssize_t count = ::pread(fd, header.data(), header.size(), 0);
    if (count < 0) {
        report = unavailable(file, errno);
        return;
    }
    const bool known = static_cast<std::size_t>(count) == header.size()
        && std::equal(c_magic.begin(), c_magic.end(), header.begin());
    report.headerVersion = known ? qFromLittleEndian<quint32>(header.data() + c_magic.size()) : 0;
    if (!known) {
        report.problem = FileProblem::Header;
        report.message = QStringLiteral(
            "%1 does not begin as a state file of llama-server does: something else was written "
            "there, so it is not restored.")
                             .arg(fullName(file));
    } else if (expected.headerVersion != 0 && report.headerVersion != expected.headerVersion) {
        report.problem = FileProblem::Header;
        report.message = QStringLiteral("%1 is a state file of version %2, and %3 was expected.")
                             .arg(fullName(file))
                             .arg(report.headerVersion)
                             .arg(expected.headerVersion);
    }
}

FileReport checkOpened(const SnapshotFile &file, const Descriptor &folder, const Opened &opened,
    const FileExpectation &expected, const FileProgress &progress)
{
    FileReport report = opened.report;
    if (!report.ok()) {
        return report;
    }
    const int fd = opened.descriptor->get();
    if (expected.bytes >= 0 && opened.size != expected.bytes) {
        report.problem = FileProblem::Size;
        report.message
            = QStringLiteral("%1 has %2 bytes, and %3 were written: it was cut or replaced, so it is not "
                             "restored.")
                  .arg(fullName(file))
                  .arg(opened.size)
                  .arg(expected.bytes);
        return report;
    }
    if (expected.header) {
        checkHeader(file, fd, expected, report);
        if (!report.ok()) {
            return report;
        }
    }
    if (!expected.checksum && expected.checksumValue.isEmpty()) {
        return report;
    }
    const std::optional<QString> checksum = checksumOf(file, folder, opened, progress);
    if (!checksum) {
        return errno == 0 ? problem(FileProblem::Cancelled, QStringLiteral("The check was cancelled."))
                          : unavailable(file, errno);
    }
    report.checksum = *checksum;
    if (!expected.checksumValue.isEmpty() && expected.checksumValue != *checksum) {
        report.problem = FileProblem::Checksum;
        report.message = QStringLiteral(
            "%1 is not what was saved (its checksum differs), so it is not restored. Check that disk.")
                             .arg(fullName(file));
    }
    return report;
}

} // namespace

QString FileReport::reason() const
{
    switch (problem) {
    case FileProblem::Missing:
        return QStringLiteral("FILE_MISSING");
    case FileProblem::Size:
        return QStringLiteral("FILE_SIZE");
    case FileProblem::Header:
        return QStringLiteral("FILE_HEADER");
    case FileProblem::Checksum:
        return QStringLiteral("FILE_CHECKSUM");
    case FileProblem::None:
    case FileProblem::Unavailable:
    case FileProblem::Cancelled:
        return {};
    }
    return {};
}

FileReport checkFile(const SnapshotFile &file, const FileExpectation &expected, const FileProgress &progress)
{
    const Descriptor folder(openFolder(file.folder));
    return checkOpened(file, folder, openSnapshot(file, folder), expected, progress);
}

namespace {

/// False with errno: one could not be synced.
bool sealSidecars(const SnapshotFile &file, const Descriptor &folder)
{
    const QByteArray name = QFile::encodeName(snapshotFileName(file.prefix, file.number));
    for (const char *suffix : c_sidecars) {
        const Descriptor sidecar(::openat(folder.get(), (name + suffix).constData(), c_openFlags));
        struct stat facts { };
        if (sidecar.isOpen() && ::fstat(sidecar.get(), &facts) == 0 && S_ISREG(facts.st_mode)) {
            static_cast<void>(::fchmod(sidecar.get(), c_mode));
            if (::fsync(sidecar.get()) != 0) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

FileReport sealFile(const SnapshotFile &file, const FileExpectation &expected, const FileProgress &progress)
{
    const Descriptor folder(openFolder(file.folder));
    Opened opened = openSnapshot(file, folder);
    if (opened.report.ok()) {
        // The server may run as another user: then its file stays as that user made it.
        static_cast<void>(::fchmod(opened.descriptor->get(), c_mode));
        const bool sealed = sealSidecars(file, folder);
        if (!sealed || ::fsync(opened.descriptor->get()) != 0 || ::fsync(folder.get()) != 0) {
            opened.report = unavailable(file, errno);
        }
    }
    return checkOpened(file, folder, opened, expected, progress);
}

FileReport removeFile(const SnapshotFile &file)
{
    FileReport report;
    report.bytes = 0;
    const QByteArray name = QFile::encodeName(snapshotFileName(file.prefix, file.number));
    if (name.isEmpty()) {
        return problem(FileProblem::Unavailable, QStringLiteral("This is no name of a snapshot file."));
    }
    const Descriptor folder(openFolder(file.folder));
    if (!folder.isOpen()) {
        return unavailable(file, errno);
    }
    for (const char *suffix : { ".checkpoints", ".ckpt", "" }) {
        const QByteArray each = name + suffix;
        struct stat facts { };
        const bool known = ::fstatat(folder.get(), each.constData(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
        if (::unlinkat(folder.get(), each.constData(), 0) == 0) {
            report.bytes += known && S_ISREG(facts.st_mode) ? facts.st_size : 0;
        } else if (errno != ENOENT) {
            return unavailable(file, errno);
        }
    }
    return report;
}

std::vector<FoundFile> findFiles(const QString &folder, const QString &prefix)
{
    std::vector<FoundFile> found;
    const QFileInfoList entries
        = QDir(folder).entryInfoList({ prefix + QStringLiteral("-*.bin") }, QDir::Files | QDir::NoSymLinks);
    for (const QFileInfo &entry : entries) {
        const std::optional<SnapshotName> name = parseSnapshotFileName(entry.fileName());
        if (name && name->prefix == prefix) {
            found.push_back({ name->number, entry.size() });
        }
    }
    std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.number < b.number; });
    return found;
}

} // namespace kv
