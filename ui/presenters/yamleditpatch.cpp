// SPDX-License-Identifier: MIT
#include "yamleditpatch.h"

#include "yamleditbytes.h"

namespace kv {

namespace {

using Kind = YamlPlace::Kind;

/// Where a path leads, as far as it is there.
struct Trail {
    const YamlPlace *place = nullptr; ///< the last that is there
    const YamlPlace *parent = nullptr; ///< the map that holds it; nullptr: `place` is the root
    std::size_t index = 0; ///< of it in `parent`
    qsizetype limit = 0; ///< where the next key after it, and after all that holds it, begins; or the end
    QStringList rest; ///< the keys that are not there
};

class Patcher final : private YamlBytes {
public:
    explicit Patcher(const QByteArray &bytes)
        : YamlBytes(bytes)
    {
    }

    [[nodiscard]] std::optional<QByteArray> set(const YamlPlace &root, const YamlChange &change) const;
    [[nodiscard]] std::optional<QByteArray> remove(const YamlPlace &root, const YamlChange &change) const;
    [[nodiscard]] std::optional<QByteArray> rename(const YamlPlace &root, const YamlChange &change) const;

private:
    [[nodiscard]] Trail follow(const YamlPlace &root, const QStringList &path) const;

    [[nodiscard]] std::optional<qsizetype> afterColon(const YamlPlace::Entry &entry, bool flow) const;
    [[nodiscard]] std::optional<qsizetype> endOfEntry(const YamlPlace::Entry &entry) const;

    [[nodiscard]] QByteArray linesFor(
        const QStringList &keys, const QString &value, qsizetype indent, qsizetype step) const;
    [[nodiscard]] static qsizetype stepOf(const YamlPlace &root, const Patcher &patcher);
    [[nodiscard]] std::optional<QByteArray> fill(
        const YamlPlace::Entry &entry, bool flow, const QString &value) const;
    [[nodiscard]] std::optional<QByteArray> insert(
        const YamlPlace &root, const Trail &trail, const QString &value) const;
    [[nodiscard]] std::optional<QByteArray> insertInFlow(const Trail &trail, const QString &value) const;
    [[nodiscard]] std::optional<QByteArray> removeFromFlow(const Trail &trail) const;
};

std::optional<qsizetype> Patcher::afterColon(const YamlPlace::Entry &entry, bool flow) const
{
    const std::optional<Span> key = token(entry.keyAt, flow, entry.key);
    if (!key) {
        return std::nullopt;
    }
    const qsizetype colon = skipSpaces(key->to);
    return byteAt(colon) == ':' ? std::optional(colon + 1) : std::nullopt;
}

/// Of an entry in a flow map.
std::optional<qsizetype> Patcher::endOfEntry(const YamlPlace::Entry &entry) const
{
    if (entry.value.kind != Kind::Scalar || entry.value.decorated) {
        return std::nullopt;
    }
    const std::optional<Span> value = token(entry.value.at, true, entry.value.text);
    return value ? std::optional(value->to) : std::nullopt;
}

Trail Patcher::follow(const YamlPlace &root, const QStringList &path) const
{
    Trail trail;
    trail.place = &root;
    trail.limit = bytes().size();
    trail.rest = path;
    while (!trail.rest.isEmpty()) {
        const YamlPlace *map = trail.place;
        std::size_t i = 0;
        while (i < map->entries.size() && map->entries[i].key != trail.rest.front()) {
            ++i;
        }
        if (i == map->entries.size()) {
            break;
        }
        if (i + 1 < map->entries.size()) {
            trail.limit = map->entries[i + 1].keyAt;
        }
        trail.parent = map;
        trail.index = i;
        trail.place = &map->entries[i].value;
        trail.rest.removeFirst();
    }
    return trail;
}

QByteArray Patcher::linesFor(
    const QStringList &keys, const QString &value, qsizetype indent, qsizetype step) const
{
    QByteArray out;
    for (qsizetype i = 0; i < keys.size(); ++i) {
        out += QByteArray(indent + i * step, ' ') + yamlScalar(keys.at(i), 0, false) + ':';
        if (i + 1 == keys.size()) {
            out += ' ' + yamlScalar(value, 0, false);
        }
        out += newline();
    }
    return out;
}

/// By how much the file indents.
qsizetype Patcher::stepOf(const YamlPlace &root, const Patcher &patcher)
{
    for (const YamlPlace::Entry &entry : root.entries) {
        if (entry.value.kind == Kind::Map && !entry.value.flow && !entry.value.entries.empty()) {
            return patcher.column(entry.value.entries.front().keyAt) - patcher.column(entry.keyAt);
        }
    }
    return 2;
}

/// Gives a key that has no value one.
std::optional<QByteArray> Patcher::fill(const YamlPlace::Entry &entry, bool flow, const QString &value) const
{
    const std::optional<qsizetype> at = afterColon(entry, flow);
    if (!at) {
        return std::nullopt;
    }
    const QByteArray scalar = yamlScalar(value, 0, flow);
    const qsizetype next = skipSpaces(*at);
    if (endsHere(*at) || (flow && QByteArrayView(",}").contains(byteAt(next)))) {
        return replacedBeforeComment({ *at, *at }, ' ' + scalar);
    }
    for (const QString &null :
        { QStringLiteral("~"), QStringLiteral("null"), QStringLiteral("Null"), QStringLiteral("NULL") }) {
        if (const std::optional<Span> span = token(next, flow, null)) {
            return replacedBeforeComment(*span, scalar);
        }
    }
    return std::nullopt;
}

std::optional<QByteArray> Patcher::insertInFlow(const Trail &trail, const QString &value) const
{
    QByteArray text;
    for (qsizetype i = 0; i < trail.rest.size(); ++i) {
        text += (i > 0 ? "{ " : "") + yamlScalar(trail.rest.at(i), 0, true) + ": ";
    }
    text += yamlScalar(value, 0, true);
    for (qsizetype i = 1; i < trail.rest.size(); ++i) {
        text += " }";
    }
    const YamlPlace &map = *trail.place;
    if (map.entries.empty()) {
        const qsizetype close = skipSpaces(map.at + 1);
        return byteAt(map.at) == '{' && byteAt(close) == '}'
            ? std::optional(replaced({ map.at + 1, close }, ' ' + text + ' '))
            : std::nullopt;
    }
    const std::optional<qsizetype> end = endOfEntry(map.entries.back());
    return end ? std::optional(replaced({ *end, *end }, ", " + text)) : std::nullopt;
}

std::optional<QByteArray> Patcher::insert(
    const YamlPlace &root, const Trail &trail, const QString &value) const
{
    const YamlPlace &place = *trail.place;
    if (place.decorated || place.kind == Kind::Scalar || place.kind == Kind::List) {
        return std::nullopt;
    }
    if (place.flow) {
        return insertInFlow(trail, value);
    }
    const qsizetype step = stepOf(root, *this);
    qsizetype indent = 0;
    qsizetype at = 0;
    if (place.kind == Kind::Map) {
        indent = column(place.entries.front().keyAt);
        at = endOfContent(place.at, trail.limit, indent);
        if (indent == 0 && trail.limit == bytes().size()) {
            const qsizetype marker = bytes().indexOf("\n...", at > 0 ? at - 1 : 0);
            at = marker < 0 ? bytes().size() : marker + 1; // below the last comments
        }
    } else if (trail.parent == nullptr) {
        at = bytes().size();
    } else {
        const YamlPlace::Entry &entry = trail.parent->entries[trail.index];
        const std::optional<qsizetype> colon = afterColon(entry, false);
        if (trail.parent->flow || !colon || !endsHere(*colon)) {
            return std::nullopt;
        }
        indent = column(entry.keyAt) + step;
        at = lineAfter(*colon);
    }
    QByteArray lines = linesFor(trail.rest, value, indent, step);
    const bool unfinished = at > 0 && bytes().at(at - 1) != '\n';
    const bool section = indent == 0 && trail.rest.size() > 1; // stands apart
    if (unfinished || (section && at > 1 && bytes().at(at - 2) != '\n')) {
        lines.prepend(newline());
    }
    return replaced({ at, at }, lines);
}

std::optional<QByteArray> Patcher::set(const YamlPlace &root, const YamlChange &change) const
{
    const Trail trail = follow(root, change.path);
    if (!trail.rest.isEmpty()) {
        return insert(root, trail, change.value);
    }
    if (trail.place->decorated) {
        return std::nullopt;
    }
    if (trail.place->kind == Kind::Null) {
        return fill(trail.parent->entries[trail.index], trail.parent->flow, change.value);
    }
    if (trail.place->kind != Kind::Scalar) {
        return std::nullopt;
    }
    const std::optional<Span> span = token(trail.place->at, trail.parent->flow, trail.place->text);
    if (!span) {
        return std::nullopt;
    }
    const char first = byteAt(span->from);
    const char quote = first == '"' || first == '\'' ? first : '\0';
    return replacedBeforeComment(*span, yamlScalar(change.value, quote, trail.parent->flow));
}

std::optional<QByteArray> Patcher::removeFromFlow(const Trail &trail) const
{
    const std::vector<YamlPlace::Entry> &entries = trail.parent->entries;
    const YamlPlace::Entry &entry = entries[trail.index];
    std::optional<qsizetype> from = entry.keyAt;
    std::optional<qsizetype> to = endOfEntry(entry);
    if (trail.index + 1 < entries.size()) {
        to = entries[trail.index + 1].keyAt;
    } else if (trail.index > 0) {
        from = endOfEntry(entries[trail.index - 1]);
    } else if (to) {
        to = skipSpaces(*to);
    }
    if (!from || !to || *to < *from) {
        return std::nullopt;
    }
    const QByteArray gone = bytes().sliced(*from, *to - *from);
    return gone.contains('\n') || gone.contains(" #") ? std::nullopt
                                                      : std::optional(replaced({ *from, *to }, {}));
}

std::optional<QByteArray> Patcher::remove(const YamlPlace &root, const YamlChange &change) const
{
    const Trail trail = follow(root, change.path);
    if (!trail.rest.isEmpty() || trail.parent == nullptr) {
        return std::nullopt;
    }
    if (trail.parent->flow) {
        return removeFromFlow(trail);
    }
    const YamlPlace::Entry &entry = trail.parent->entries[trail.index];
    const qsizetype start = lineStart(entry.keyAt);
    if (skipSpaces(start) != entry.keyAt) {
        return std::nullopt;
    }
    const qsizetype end = endOfContent(entry.keyAt, trail.limit, column(entry.keyAt) + 1);
    QByteArray left;
    if (const std::optional<Span> value = token(entry.value.at, false, entry.value.text);
        entry.value.kind == Kind::Scalar && value && byteAt(skipSpaces(value->to)) == '#') {
        // Its comment outlives it.
        const qsizetype comment = skipSpaces(value->to);
        left = QByteArray(entry.keyAt - start, ' ') + bytes().sliced(comment, lineAfter(comment) - comment);
    }
    return replaced({ start, end }, left);
}

std::optional<QByteArray> Patcher::rename(const YamlPlace &root, const YamlChange &change) const
{
    const Trail trail = follow(root, change.path);
    if (!trail.rest.isEmpty() || trail.parent == nullptr) {
        return std::nullopt;
    }
    const YamlPlace::Entry &entry = trail.parent->entries[trail.index];
    const std::optional<Span> span = token(entry.keyAt, trail.parent->flow, entry.key);
    if (!span) {
        return std::nullopt;
    }
    const char first = byteAt(span->from);
    const char quote = first == '"' || first == '\'' ? first : '\0';
    return replaced(*span, yamlScalar(change.value, quote, trail.parent->flow));
}

} // namespace

std::optional<QByteArray> yamlPatched(
    const QByteArray &bytes, const YamlPlace &root, const YamlChange &change)
{
    const Patcher patcher(bytes);
    switch (change.kind) {
    case YamlChange::Kind::Set:
        return patcher.set(root, change);
    case YamlChange::Kind::Remove:
        return patcher.remove(root, change);
    case YamlChange::Kind::Rename:
        return patcher.rename(root, change);
    }
    return std::nullopt;
}

} // namespace kv
