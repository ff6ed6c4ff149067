// SPDX-License-Identifier: MIT
// The bytes of a snapshot file: size, header, checksum, removal. Also names of such files.
#include "filecheck.h"
#include "fuzztarget.h"
#include "snapshotname.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtEndian>

using namespace kv;

namespace {

/// In memory where that is to be had: a file is written for every input.
QString folder()
{
    static const QTemporaryDir c_folder(
        (QFileInfo(QStringLiteral("/dev/shm")).isWritable() ? QStringLiteral("/dev/shm") : QDir::tempPath())
        + QStringLiteral("/kv-fuzz-XXXXXX"));
    return c_folder.path();
}

void write(const SnapshotFile &file, const QByteArray &bytes)
{
    QFile out(QDir(file.folder).filePath(snapshotFileName(file.prefix, file.number)));
    require(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size(), "the file can be written");
}

void checkState(const SnapshotFile &file, const QByteArray &bytes)
{
    const quint32 version = qFromLittleEndian<quint32>(bytes.constData() + 4);
    FileExpectation expected { bytes.size(), true, version, true, {} };
    const FileReport whole = checkFile(file, expected);
    require(whole.ok() && whole.headerVersion == version && whole.bytes == bytes.size(), "it is as expected");
    require(whole.checksum.size() == 16, "a checksum has 16 digits");

    expected.checksumValue = whole.checksum;
    require(checkFile(file, expected).ok(), "the same bytes have the same checksum");
    expected.checksumValue = (whole.checksum.startsWith(u'0') ? u'1' : u'0') + whole.checksum.mid(1);
    require(checkFile(file, expected).problem == FileProblem::Checksum, "another checksum is noticed");

    const quint32 otherVersion = version == 1 ? 2 : 1;
    require(checkFile(file, { bytes.size(), true, otherVersion, false, {} }).problem == FileProblem::Header,
        "another version is noticed");
    QByteArray flipped = bytes;
    flipped[flipped.size() - 1] = static_cast<char>(flipped.back() ^ 1);
    write(file, flipped);
    require(!checkFile(file, { bytes.size(), true, version, true, whole.checksum }).ok(),
        "one flipped bit is noticed");
    write(file, bytes);
}

void checkName(const QString &text)
{
    if (const auto name = parseSnapshotFileName(text)) {
        require(snapshotFileName(name->prefix, name->number) == text, "a name has one spelling");
        require(!text.contains(u'/') && isNamePrefix(name->prefix), "a name stays in its folder");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzzBytes(data, size);
    checkName(QString::fromUtf8(bytes));

    const SnapshotFile file { folder(), QStringLiteral("0123456789abcdef"), 7 };
    write(file, bytes);
    const bool isState = bytes.size() >= 8 && bytes.startsWith("qsgg");
    const FileReport any = checkFile(file, {});
    require(any.ok() == isState, "a state file begins with its magic word and a version");
    require(isState || any.problem == FileProblem::Header, "anything else has no header");
    require(sealFile(file, {}).problem == any.problem, "sealing sees what checking sees");
    require(checkFile(file, { bytes.size() + 1, true, 0, false, {} }).problem == FileProblem::Size,
        "one byte too few is noticed");
    if (isState) {
        checkState(file, bytes);
    }
    const FileReport removed = removeFile(file);
    require(removed.ok() && removed.bytes == bytes.size(), "removing frees its bytes");
    require(checkFile(file, {}).problem == FileProblem::Missing, "it is gone");
    return 0;
}
