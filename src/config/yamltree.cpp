// SPDX-License-Identifier: MIT
#include "yamltree.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringDecoder>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

namespace kv {

namespace {

struct YamlTreeText {
    Q_DECLARE_TR_FUNCTIONS(kv::YamlTree)
};

constexpr std::size_t c_maxDepth = 16;
constexpr int c_maxWeight = 20'000;

/// Builds the tree from the parser's events. It stops the parser in the only way there is, with the parser's
/// own exception, which parseYaml() catches.
class TreeBuilder final : public YAML::EventHandler {
public:
    explicit TreeBuilder(YamlTree &tree)
        : m_tree(tree)
    {
    }

    void OnDocumentStart(const YAML::Mark &mark) override { Q_UNUSED(mark) }
    void OnDocumentEnd() override { }
    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        YamlNode *node = make(YamlNode::Kind::Null, mark, anchor);
        if (!m_levels.empty() && m_levels.back().key != nullptr) {
            node->line
                = m_levels.back().key->line; // the parser notices that nothing is there only further down
        }
        put(node, mark);
    }
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override
    {
        const YamlNode *node = m_anchors.value(anchor);
        for (const Level &level : m_levels) {
            if (node == level.node) {
                node = nullptr;
            }
        }
        if (node == nullptr) {
            stop(mark, YamlTreeText::tr("an alias may not stand inside of what it names"));
        }
        put(node, mark);
    }
    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        const std::string &value) override
    {
        const bool plain = tag == "?";
        YamlNode *node = make(YamlNode::Kind::Scalar, mark, anchor);
        node->text = QString::fromStdString(value);
        if (plain && (value == "~" || value == "null" || value == "Null" || value == "NULL")) {
            node->kind = YamlNode::Kind::Null;
        }
        put(node, mark);
    }
    void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style) override
    {
        Q_UNUSED(tag)
        Q_UNUSED(style)
        open(make(YamlNode::Kind::Sequence, mark, anchor), mark);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
        YAML::EmitterStyle::value style) override
    {
        Q_UNUSED(tag)
        Q_UNUSED(style)
        open(make(YamlNode::Kind::Map, mark, anchor), mark);
    }
    void OnMapEnd() override { close(); }

private:
    struct Level {
        YamlNode *node = nullptr;
        YAML::Mark mark;
        const YamlNode *key = nullptr; ///< of a map, read and waiting for its value
    };

    [[noreturn]] static void stop(const YAML::Mark &mark, const QString &sentence)
    {
        throw YAML::ParserException(mark, sentence.toStdString());
    }

    YamlNode *make(YamlNode::Kind kind, const YAML::Mark &mark, YAML::anchor_t anchor)
    {
        YamlNode *node = m_tree.make(kind, mark.line + 1);
        if (anchor != 0) {
            m_anchors.insert(anchor, node);
        }
        return node;
    }

    void open(YamlNode *node, const YAML::Mark &mark)
    {
        if (m_levels.size() >= c_maxDepth) {
            stop(mark, YamlTreeText::tr("this is nested too deep (more than %1 levels)").arg(c_maxDepth));
        }
        m_levels.push_back({ node, mark, nullptr });
    }

    void close()
    {
        const Level level = m_levels.back();
        m_levels.pop_back();
        put(level.node, level.mark);
    }

    void put(const YamlNode *node, const YAML::Mark &mark)
    {
        if (m_levels.empty()) {
            m_tree.setRoot(node);
            return;
        }
        Level &level = m_levels.back();
        level.node->weight += node->weight;
        if (level.node->weight > c_maxWeight) {
            stop(mark, YamlTreeText::tr("the file is too large: more than %1 values").arg(c_maxWeight));
        }
        if (level.node->kind == YamlNode::Kind::Sequence) {
            level.node->items.push_back(node);
        } else if (level.key == nullptr) {
            if (node->kind != YamlNode::Kind::Scalar) {
                stop(mark, YamlTreeText::tr("a key must be a name"));
            }
            level.key = node;
        } else {
            level.node->entries.push_back({ level.key->text, level.key->line, node });
            level.key = nullptr;
        }
    }

    YamlTree &m_tree;
    std::vector<Level> m_levels;
    QHash<YAML::anchor_t, const YamlNode *> m_anchors;
};

int lineAt(const QByteArray &bytes, qsizetype position)
{
    return static_cast<int>(bytes.first(position).count('\n')) + 1;
}

/// Position of the first byte that is no UTF-8 text, or -1.
qsizetype firstBadByte(const QByteArray &bytes)
{
    const qsizetype low = bytes.indexOf('\0');
    QStringDecoder whole(QStringConverter::Utf8);
    const QString text = whole(bytes);
    if (!whole.hasError() && text.toUtf8() == bytes) {
        return low;
    }
    // Line by line, as UTF-8 text may be cut there.
    for (qsizetype start = 0; start < bytes.size();) {
        const qsizetype newline = bytes.indexOf('\n', start);
        const qsizetype end = newline < 0 ? bytes.size() : newline + 1;
        const QByteArray line = bytes.sliced(start, end - start);
        QStringDecoder decoder(QStringConverter::Utf8, QStringConverter::Flag::ConvertInitialBom);
        const QString decoded = decoder(line);
        if (decoder.hasError() || decoded.toUtf8() != line) {
            return low < 0 ? start : std::min(low, start);
        }
        start = end;
    }
    return low;
}

} // namespace

YamlNode *YamlTree::make(YamlNode::Kind kind, int line)
{
    m_nodes.emplace_back();
    m_nodes.back().kind = kind;
    m_nodes.back().line = line;
    return &m_nodes.back();
}

std::optional<YamlTree> parseYaml(QByteArray bytes, ProblemList &problems)
{
    if (bytes.size() > c_maxYamlBytes) {
        problems.add(0,
            YamlTreeText::tr(
                "the file has %1 bytes, at most %2 are read; this is no configuration of kv-persist")
                .arg(bytes.size())
                .arg(c_maxYamlBytes));
        return std::nullopt;
    }
    if (bytes.startsWith("\xEF\xBB\xBF")) {
        bytes.remove(0, 3);
    }
    if (const qsizetype bad = firstBadByte(bytes); bad >= 0) {
        problems.add(lineAt(bytes, bad), YamlTreeText::tr("this is not UTF-8 text; save the file as UTF-8"));
        return std::nullopt;
    }
    YamlTree tree;
    try {
        std::istringstream stream(bytes.toStdString());
        YAML::Parser parser(stream);
        TreeBuilder builder(tree);
        if (parser.HandleNextDocument(builder)) {
            YamlTree rest;
            TreeBuilder second(rest);
            if (parser.HandleNextDocument(second)) {
                problems.add(rest.root() != nullptr ? rest.root()->line : 0,
                    YamlTreeText::tr("a second document begins here; only one is read"));
                return std::nullopt;
            }
        }
    } catch (const YAML::Exception &exception) {
        problems.add(exception.mark.is_null() ? 0 : exception.mark.line + 1,
            YamlTreeText::tr("not valid YAML: %1").arg(QString::fromStdString(exception.msg)));
        return std::nullopt;
    } catch (const std::exception &exception) { // of the standard library inside the parser
        problems.add(0, YamlTreeText::tr("not valid YAML: %1").arg(QString::fromUtf8(exception.what())));
        return std::nullopt;
    }
    return tree;
}

} // namespace kv
