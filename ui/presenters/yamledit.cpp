// SPDX-License-Identifier: MIT
#include "yamledit.h"

#include "yamleditpatch.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace kv {

namespace {

struct YamlEditText {
    Q_DECLARE_TR_FUNCTIONS(kv::YamlEdit)
};

using Kind = YamlPlace::Kind;

Error refusal(const QStringList &path)
{
    return { ErrorCode::ConfigInvalid,
        YamlEditText::tr(
            "“%1” is written in a way that cannot be changed from here without risk to the rest. Edit "
            "this in the file.")
            .arg(path.join(QLatin1Char('.'))),
        {} };
}

YamlPlace scalarOf(const QString &value)
{
    YamlPlace place;
    place.kind = Kind::Scalar;
    place.text = value;
    return place;
}

std::vector<YamlPlace::Entry>::iterator entryOf(YamlPlace &map, const QString &key)
{
    return std::find_if(map.entries.begin(), map.entries.end(),
        [&](const YamlPlace::Entry &entry) { return entry.key == key; });
}

/// What the values have to be after the change; false: it makes no sense there.
bool carryOut(YamlPlace &root, const YamlChange &change)
{
    YamlPlace *map = &root;
    for (qsizetype i = 0; i < change.path.size(); ++i) {
        const QString &key = change.path.at(i);
        const bool last = i + 1 == change.path.size();
        if (map->kind == Kind::Null && change.kind == YamlChange::Kind::Set) {
            map->kind = Kind::Map;
        }
        if (map->kind != Kind::Map) {
            return false;
        }
        const auto found = entryOf(*map, key);
        if (found == map->entries.end()) {
            if (change.kind != YamlChange::Kind::Set) {
                return false;
            }
            map->entries.push_back({ key, 0, last ? scalarOf(change.value) : YamlPlace {} });
            map = &map->entries.back().value;
            continue;
        }
        if (!last) {
            map = &found->value;
        } else if (change.kind == YamlChange::Kind::Remove) {
            map->entries.erase(found);
        } else if (change.kind == YamlChange::Kind::Rename) {
            if (entryOf(*map, change.value) != map->entries.end()) {
                return false;
            }
            found->key = change.value;
        } else {
            if (found->value.kind != Kind::Scalar && found->value.kind != Kind::Null) {
                return false;
            }
            found->value = scalarOf(change.value);
        }
    }
    return true;
}

/// A block map that lost its last key is nothing any more.
void emptyToNull(YamlPlace &place)
{
    if (place.kind == Kind::Map && place.entries.empty()) {
        place.kind = Kind::Null;
    }
    for (YamlPlace::Entry &entry : place.entries) {
        emptyToNull(entry.value);
    }
    for (YamlPlace &item : place.items) {
        emptyToNull(item);
    }
}

const YamlPlace *placeAt(const YamlPlace &root, const QStringList &path)
{
    const YamlPlace *place = &root;
    for (const QString &key : path) {
        const YamlPlace *next = nullptr;
        int seen = 0;
        for (const YamlPlace::Entry &entry : place->entries) {
            if (entry.key == key) {
                next = &entry.value;
                ++seen;
            }
        }
        if (seen != 1) {
            return nullptr;
        }
        place = next;
    }
    return place;
}

bool hasTwins(const YamlPlace &root, const QStringList &path)
{
    const YamlPlace *place = &root;
    for (const QString &key : path) {
        const YamlPlace *next = nullptr;
        for (const YamlPlace::Entry &entry : place->entries) {
            if (entry.key == key) {
                if (next != nullptr) {
                    return true;
                }
                next = &entry.value;
            }
        }
        if (next == nullptr) {
            return false;
        }
        place = next;
    }
    return false;
}

} // namespace

Result<YamlEdit> YamlEdit::read(const QString &text)
{
    const bool mark = text.startsWith(QChar(0xFEFF));
    const QByteArray bytes = (mark ? text.mid(1) : text).toUtf8();
    Result<YamlPlace> root = readYamlPlaces(bytes);
    if (!root) {
        return root.error();
    }
    return YamlEdit(bytes, std::move(root).value(), mark);
}

QString YamlEdit::text() const
{
    const QString text = QString::fromUtf8(m_bytes);
    return m_mark ? QChar(0xFEFF) + text : text;
}

const YamlPlace *YamlEdit::at(const QStringList &path) const { return placeAt(m_root, path); }

Result<YamlEdit> YamlEdit::with(const YamlChange &change) const
{
    if (change.path.isEmpty() || hasTwins(m_root, change.path)) {
        return refusal(change.path);
    }
    if (change.kind == YamlChange::Kind::Remove && at(change.path) == nullptr) {
        return *this;
    }
    YamlPlace expected = m_root;
    if (!carryOut(expected, change)) {
        return refusal(change.path);
    }
    const std::optional<QByteArray> bytes = yamlPatched(m_bytes, m_root, change);
    if (!bytes) {
        return refusal(change.path);
    }
    Result<YamlPlace> read = readYamlPlaces(*bytes);
    if (!read) {
        return refusal(change.path);
    }
    YamlPlace compared = read.value();
    emptyToNull(expected);
    emptyToNull(compared);
    if (!sameYaml(expected, compared)) {
        return refusal(change.path);
    }
    return YamlEdit(*bytes, std::move(read).value(), m_mark);
}

} // namespace kv
