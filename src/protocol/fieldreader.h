// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace kv {

enum class Need { Optional, Required };

/// Reads the members of one JSON object strictly. The first thing that is wrong is kept and everything after
/// it reads as absent, so a decoder reads all its fields and asks once. An optional member that is null
/// counts as absent; members that nobody asks for are ignored. No message repeats a value: it could be a key
/// or a person's words.
class FieldReader final {
public:
    /// `prefix`: how messages name the object, e.g. "usage."; empty at the top.
    explicit FieldReader(QJsonObject object, QString prefix = {})
        : m_object(std::move(object))
        , m_prefix(std::move(prefix))
    {
    }

    /// An identifier: 1 to `maxBytes` bytes of valid Unicode text; any character, NUL included. Empty:
    /// absent.
    QString name(QStringView key, Need need, qsizetype maxBytes);
    /// Text that may be empty, which is the same as absent.
    QString text(QStringView key, qsizetype maxBytes);
    /// Text for people: longer than `maxCharacters` is cut, not refused.
    QString shortened(QStringView key, qsizetype maxCharacters);
    /// One of `allowed`, exactly as spelt. Empty: absent.
    QString choice(QStringView key, Need need, const QStringList &allowed);
    /// A whole number from `min` to `max`; `absent` when not there.
    qint64 count(QStringView key, Need need, qint64 min, qint64 max, qint64 absent = -1);
    /// A finite number of at least 0; −1: absent.
    double milliseconds(QStringView key);
    std::optional<bool> flag(QStringView key);
    std::optional<QStringList> names(QStringView key, qsizetype maxItems, qsizetype maxBytes);
    QJsonObject object(QStringView key);
    /// ISO 8601 (UTC when it names no zone), as milliseconds since the epoch; 0: absent or wrong.
    qint64 time(QStringView key, Need need);

    /// The value as it is, for kinds that the above do not cover; undefined: absent.
    QJsonValue raw(QStringView key, Need need);
    void reject(QStringView key, const QString &rule);
    void rejectAll(const QString &sentence);
    void adopt(const FieldReader &inner); ///< takes over the error of a reader for an inner object

    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] const Error &error() const { return *m_error; } ///< only when failed()

private:
    QJsonObject m_object;
    QString m_prefix;
    std::optional<Error> m_error;
};

} // namespace kv
