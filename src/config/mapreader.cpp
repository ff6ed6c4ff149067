// SPDX-License-Identifier: MIT
#include "mapreader.h"

#include "bytesize.h"
#include "paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QHash>

#include <algorithm>

namespace kv {

namespace {

struct MapReaderText {
    Q_DECLARE_TR_FUNCTIONS(kv::MapReader)
};

QString offText() { return QStringLiteral("off"); }

/// YAML 1.1 and 1.2 both.
std::optional<bool> boolFrom(const QString &text)
{
    const QString lower = text.toLower();
    if (lower == u"true" || lower == u"yes" || lower == u"on") {
        return true;
    }
    if (lower == u"false" || lower == u"no" || lower == u"off") {
        return false;
    }
    return std::nullopt;
}

QString orMore(const QString &what, qint64 min)
{
    return MapReaderText::tr("%1 (%2 or more)").arg(what).arg(min);
}

} // namespace

QString foundText(const YamlNode &node)
{
    switch (node.kind) {
    case YamlNode::Kind::Null:
        return MapReaderText::tr("nothing");
    case YamlNode::Kind::Sequence:
        return MapReaderText::tr("a list");
    case YamlNode::Kind::Map:
        return MapReaderText::tr("a section");
    case YamlNode::Kind::Scalar:
        break;
    }
    return shownText(node.text);
}

MapReader::MapReader(const YamlNode *node, QString path, ReadContext &context)
    : m_path(std::move(path))
    , m_context(context)
{
    if (node == nullptr) {
        return;
    }
    m_line = node->line;
    if (node->kind == YamlNode::Kind::Null) {
        return;
    }
    if (node->kind != YamlNode::Kind::Map) {
        m_context.problems.add(m_line,
            m_path.isEmpty() ? MapReaderText::tr("found %1, expected keys and values such as 'enabled: true'")
                                   .arg(foundText(*node))
                             : MapReaderText::tr("key %1: found %2, expected a section of keys and values")
                                   .arg(shownText(m_path), foundText(*node)));
        return;
    }
    QHash<QString, int> firstLines;
    for (const YamlNode::Entry &entry : node->entries) {
        const auto it = firstLines.constFind(entry.key);
        if (it != firstLines.constEnd()) {
            m_context.problems.add(entry.line,
                MapReaderText::tr("key %1 is given twice, first in line %2; keep one")
                    .arg(shownText(fullName(entry.key)))
                    .arg(it.value()));
            continue;
        }
        firstLines.insert(entry.key, entry.line);
        m_entries.push_back(entry);
    }
}

const YamlNode *MapReader::node(const QString &key)
{
    m_known.append(key);
    const auto it = std::find_if(
        m_entries.begin(), m_entries.end(), [&](const YamlNode::Entry &entry) { return entry.key == key; });
    return it == m_entries.end() ? nullptr : it->value;
}

MapReader MapReader::section(const QString &key) { return { node(key), fullName(key), m_context }; }

bool MapReader::has(const QString &key) const
{
    return std::any_of(
        m_entries.begin(), m_entries.end(), [&](const YamlNode::Entry &entry) { return entry.key == key; });
}

int MapReader::lineOf(const QString &key) const
{
    for (const YamlNode::Entry &entry : m_entries) {
        if (entry.key == key) {
            return entry.line;
        }
    }
    return m_line;
}

QString MapReader::fullName(const QString &key) const { return m_path.isEmpty() ? key : m_path + u'.' + key; }

void MapReader::wrong(const QString &key, const YamlNode &found, const QString &expected)
{
    m_context.problems.add(found.line,
        MapReaderText::tr("key %1: found %2, expected %3")
            .arg(shownText(fullName(key)), foundText(found), expected));
}

void MapReader::problem(const QString &key, const QString &sentence)
{
    m_context.problems.add(lineOf(key),
        QStringLiteral("%1: %2").arg(MapReaderText::tr("key %1").arg(shownText(fullName(key))), sentence));
}

void MapReader::warn(const QString &key, const QString &sentence)
{
    m_context.problems.warn(lineOf(key),
        QStringLiteral("%1: %2").arg(MapReaderText::tr("key %1").arg(shownText(fullName(key))), sentence));
}

const YamlNode *MapReader::scalar(const QString &key, const QString &expected)
{
    const YamlNode *found = node(key);
    if (found != nullptr && found->kind != YamlNode::Kind::Scalar) {
        wrong(key, *found, expected);
        return nullptr;
    }
    return found;
}

std::optional<qint64> MapReader::wholeNumber(const YamlNode &found, qint64 min, qint64 max) const
{
    bool ok = false;
    const qint64 number = found.text.toLongLong(&ok);
    return ok && number >= min && number <= max ? std::optional(number) : std::nullopt;
}

QString MapReader::expectedOneOf(const QStringList &names)
{
    QStringList firsts = names;
    const QString last = firsts.takeLast();
    return firsts.isEmpty() ? last
                            : MapReaderText::tr("%1 or %2").arg(firsts.join(QStringLiteral(", ")), last);
}

void MapReader::boolean(const QString &key, bool &value)
{
    const QString expected = MapReaderText::tr("true or false");
    if (const YamlNode *found = scalar(key, expected)) {
        if (const std::optional<bool> read = boolFrom(found->text)) {
            value = *read;
        } else {
            wrong(key, *found, expected);
        }
    }
}

void MapReader::number(const QString &key, qint64 &value, const QString &what, qint64 min, qint64 max)
{
    const QString expected = max == std::numeric_limits<int>::max()
        ? orMore(what, min)
        : MapReaderText::tr("%1 (%2 to %3)").arg(what).arg(min).arg(max);
    if (const YamlNode *found = scalar(key, expected)) {
        if (const std::optional<qint64> read = wholeNumber(*found, min, max)) {
            value = *read;
        } else {
            wrong(key, *found, expected);
        }
    }
}

void MapReader::number(const QString &key, int &value, const QString &what, int min)
{
    qint64 wide = value;
    number(key, wide, what, min);
    value = static_cast<int>(wide);
}

void MapReader::numberOr(
    const QString &word, const QString &key, std::optional<qint64> &value, const QString &what, qint64 min)
{
    const QString expected = expectedOneOf({ orMore(what, min), word });
    const YamlNode *found = scalar(key, expected);
    if (found == nullptr) {
        return;
    }
    if (found->text == word) {
        value.reset();
    } else if (const std::optional<qint64> read = wholeNumber(*found, min, std::numeric_limits<int>::max())) {
        value = read;
    } else {
        wrong(key, *found, expected);
    }
}

void MapReader::numberOrOff(const QString &key, std::optional<int> &value, const QString &what, int min)
{
    std::optional<qint64> wide = value;
    numberOr(offText(), key, wide, what, min);
    value = wide ? std::optional(static_cast<int>(*wide)) : std::nullopt;
}

void MapReader::sizeOrOff(const QString &key, std::optional<qint64> &value, bool zeroAllowed)
{
    const QString expected = zeroAllowed
        ? MapReaderText::tr("a size such as 100GB or 5GiB, or off")
        : MapReaderText::tr("a size such as 100GB or 5GiB, more than 0, or off");
    const YamlNode *found = scalar(key, expected);
    if (found == nullptr) {
        return;
    }
    if (found->text == offText()) {
        value.reset();
        return;
    }
    const Result<qint64> size = parseByteSize(found->text);
    if (size && (zeroAllowed || size.value() > 0)) {
        value = size.value();
    } else {
        wrong(key, *found, expected);
    }
}

void MapReader::milliseconds(const QString &key, qint64 &value, qint64 min)
{
    number(key, value, MapReaderText::tr("a number of milliseconds"), min);
}

void MapReader::millisecondsOrOff(const QString &key, qint64 &value)
{
    std::optional<qint64> read = value;
    numberOr(offText(), key, read, MapReaderText::tr("a number of milliseconds"));
    value = read.value_or(0);
}

void MapReader::text(const QString &key, QString &value)
{
    const QString expected = MapReaderText::tr("a text");
    if (const YamlNode *found = scalar(key, expected)) {
        const bool printable = std::all_of(
            found->text.begin(), found->text.end(), [](QChar c) { return c.isPrint() || c.isSurrogate(); });
        if (found->text.isEmpty() || !printable) {
            wrong(key, *found, expected);
        } else {
            value = found->text;
        }
    }
}

void MapReader::path(const QString &key, QString &value)
{
    QString raw;
    text(key, raw);
    if (raw.isEmpty()) {
        return;
    }
    const Result<QString> expanded = expandPath(raw, m_context.environment);
    if (!expanded) {
        problem(key, expanded.error().message);
    } else if (!QDir::isAbsolutePath(expanded.value())) {
        problem(key,
            MapReaderText::tr("found %1, expected an absolute path (~ and ${VAR} are taken)")
                .arg(shownText(raw)));
    } else {
        value = expanded.value();
    }
}

void MapReader::finish()
{
    for (const YamlNode::Entry &entry : m_entries) {
        if (m_known.contains(entry.key)) {
            continue;
        }
        const std::optional<QString> nearest = nearestName(entry.key, m_known);
        const QString hint = nearest
            ? MapReaderText::tr("nearest: '%1'").arg(*nearest)
            : MapReaderText::tr("allowed here: %1").arg(m_known.join(QStringLiteral(", ")));
        m_context.problems.add(entry.line,
            MapReaderText::tr("key %1 is not known (%2)").arg(shownText(fullName(entry.key)), hint));
    }
}

} // namespace kv
