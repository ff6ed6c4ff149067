// SPDX-License-Identifier: MIT
#include "keyfile.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace kv {

namespace {

struct KeyFileText {
    Q_DECLARE_TR_FUNCTIONS(kv::KeyFile)
};

constexpr qint64 c_maxBytes = 64LL * 1024;

Error keyError(const QString &message, const QString &path)
{
    return Error { ErrorCode::ConfigInvalid, message, path };
}

} // namespace

Result<KeyFile> readKeyFile(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists()) {
        return keyError(
            KeyFileText::tr("the API key file '%1' does not exist, so the server would refuse every call. "
                            "Create it with the key as its only line, or take the setting out.")
                .arg(path),
            path);
    }
    QFile file(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly)) {
        return keyError(
            KeyFileText::tr(
                "the API key file '%1' cannot be read (%2), so the server would refuse every call. "
                "Make it a file that this user may read.")
                .arg(path, info.isFile() ? file.errorString() : KeyFileText::tr("it is not a file")),
            path);
    }
    QString key;
    const QList<QByteArray> lines = file.read(c_maxBytes).split('\n');
    for (const QByteArray &line : lines) {
        key = QString::fromUtf8(line).trimmed();
        if (!key.isEmpty()) {
            break;
        }
    }
    if (!isPossibleKey(key)) {
        return keyError(
            KeyFileText::tr(
                "the API key file '%1' holds no key, so the server would refuse every call. Write "
                "the key into it as its only line.")
                .arg(path),
            path);
    }
    return KeyFile { key, othersMayReadFile(path) };
}

bool isPossibleKey(const QString &key)
{
    return !key.isEmpty()
        && std::all_of(key.begin(), key.end(), [](QChar c) { return c > u' ' && c < u'\x7f'; });
}

bool othersMayReadFile(const QString &path)
{
    return (QFileInfo(path).permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther)) != 0;
}

} // namespace kv
