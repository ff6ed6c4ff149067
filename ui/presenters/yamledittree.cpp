// SPDX-License-Identifier: MIT
#include "yamledittree.h"

#include <QCoreApplication>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>

namespace kv {

namespace {

struct YamlEditTreeText {
    Q_DECLARE_TR_FUNCTIONS(kv::YamlEditTree)
};

constexpr std::size_t c_maxDepth = 16;
constexpr int c_maxValues = 20'000; // aliases counted in full

class PlaceBuilder final : public YAML::EventHandler {
public:
    [[nodiscard]] YamlPlace &root() { return m_root; }

    void OnDocumentStart(const YAML::Mark &mark) override { Q_UNUSED(mark) }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        put(make(YamlPlace::Kind::Null, mark, anchor != 0), mark, anchor);
    }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        const auto found = m_anchors.find(anchor);
        if (found == m_anchors.end()) {
            stop(mark, YamlEditTreeText::tr("an alias stands inside of what it names"));
        }
        YamlPlace copy = found->second;
        copy.at = mark.pos;
        copy.decorated = true;
        m_values += weight(copy);
        put(copy, mark, 0);
    }
    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        const std::string &value) override
    {
        // "?" is a plain scalar, "!" a quoted one.
        YamlPlace place = make(YamlPlace::Kind::Scalar, mark, anchor != 0 || (tag != "?" && tag != "!"));
        place.text = QString::fromStdString(value);
        put(place, mark, anchor);
    }
    void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style) override
    {
        open(YamlPlace::Kind::List, mark, tag, anchor, style);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style) override
    {
        open(YamlPlace::Kind::Map, mark, tag, anchor, style);
    }
    void OnMapEnd() override { close(); }

private:
    struct Level {
        YamlPlace place;
        YAML::Mark mark;
        YAML::anchor_t anchor = 0;
        bool hasKey = false; ///< of a map: a key waits for its value
        QString key;
        qsizetype keyAt = 0;
    };

    [[noreturn]] static void stop(const YAML::Mark &mark, const QString &sentence)
    {
        throw YAML::ParserException(mark, sentence.toStdString());
    }

    static int weight(const YamlPlace &place)
    {
        int sum = 1;
        for (const YamlPlace &item : place.items) {
            sum += weight(item);
        }
        for (const YamlPlace::Entry &entry : place.entries) {
            sum += 1 + weight(entry.value);
        }
        return sum;
    }

    YamlPlace make(YamlPlace::Kind kind, const YAML::Mark &mark, bool decorated)
    {
        ++m_values;
        YamlPlace place;
        place.kind = kind;
        place.at = mark.pos;
        place.decorated = decorated;
        return place;
    }

    void open(YamlPlace::Kind kind, const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style)
    {
        if (m_levels.size() >= c_maxDepth) {
            stop(mark, YamlEditTreeText::tr("this is nested too deep"));
        }
        Level level;
        level.place = make(kind, mark, anchor != 0 || (tag != "?" && tag != "!" && !tag.empty()));
        level.place.flow = style == YAML::EmitterStyle::Flow;
        level.mark = mark;
        level.anchor = anchor;
        m_levels.push_back(std::move(level));
    }

    void close()
    {
        const Level level = std::move(m_levels.back());
        m_levels.pop_back();
        put(level.place, level.mark, level.anchor);
    }

    void put(const YamlPlace &place, const YAML::Mark &mark, YAML::anchor_t anchor)
    {
        if (m_values > c_maxValues) {
            stop(mark, YamlEditTreeText::tr("there are too many values"));
        }
        if (anchor != 0) {
            m_anchors[anchor] = place;
        }
        if (m_levels.empty()) {
            m_root = place;
            return;
        }
        Level &level = m_levels.back();
        if (level.place.kind == YamlPlace::Kind::List) {
            level.place.items.push_back(place);
        } else if (level.hasKey) {
            level.place.entries.push_back({ level.key, level.keyAt, place });
            level.hasKey = false;
        } else {
            if (place.kind != YamlPlace::Kind::Scalar) {
                stop(mark, YamlEditTreeText::tr("a key must be a name"));
            }
            level.hasKey = true;
            level.key = place.text;
            level.keyAt = place.at;
        }
    }

    YamlPlace m_root;
    std::vector<Level> m_levels;
    std::map<YAML::anchor_t, YamlPlace> m_anchors;
    int m_values = 0;
};

} // namespace

Result<YamlPlace> readYamlPlaces(const QByteArray &utf8)
{
    QString why;
    int line = 0;
    try {
        std::istringstream stream(utf8.toStdString());
        YAML::Parser parser(stream);
        PlaceBuilder builder;
        if (!parser.HandleNextDocument(builder)) {
            return YamlPlace {};
        }
        PlaceBuilder second;
        if (!parser.HandleNextDocument(second)) {
            return std::move(builder.root());
        }
        why = YamlEditTreeText::tr("it holds more than one document");
    } catch (const YAML::Exception &exception) {
        why = QString::fromStdString(exception.msg);
        line = exception.mark.is_null() ? 0 : exception.mark.line + 1;
    } catch (const std::exception &exception) { // of the standard library inside the parser
        why = QString::fromUtf8(exception.what());
    }
    return Error { ErrorCode::ConfigInvalid,
        line > 0
            ? YamlEditTreeText::tr("The file cannot be read as YAML (line %1: %2). Correct it in an editor.")
                  .arg(line)
                  .arg(why)
            : YamlEditTreeText::tr("The file cannot be read as YAML: %1. Correct it in an editor.").arg(why),
        {} };
}

bool sameYaml(const YamlPlace &one, const YamlPlace &other)
{
    return one.kind == other.kind && one.text == other.text
        && std::equal(one.items.begin(), one.items.end(), other.items.begin(), other.items.end(), sameYaml)
        && std::equal(one.entries.begin(), one.entries.end(), other.entries.begin(), other.entries.end(),
            [](const YamlPlace::Entry &a, const YamlPlace::Entry &b) {
                return a.key == b.key && sameYaml(a.value, b.value);
            });
}

} // namespace kv
