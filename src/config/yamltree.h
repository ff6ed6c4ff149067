// SPDX-License-Identifier: MIT
#pragma once

#include "problemlist.h"

#include <QByteArray>
#include <QString>

#include <deque>
#include <optional>
#include <vector>

namespace kv {

/// One node of a YAML document, with the line (from 1) where it begins.
struct YamlNode {
    enum class Kind { Null, Scalar, Sequence, Map };
    struct Entry {
        QString key;
        int line = 0;
        const YamlNode *value = nullptr;
    };

    Kind kind = Kind::Null;
    int line = 0;
    QString text; ///< Scalar
    std::vector<const YamlNode *> items; ///< Sequence
    std::vector<Entry> entries; ///< Map, in the file's order, duplicate keys included
    int weight = 1; ///< nodes below and including this one, aliases counted in full
};

/// Owns the nodes of a document. An alias is the node that it names.
class YamlTree final {
public:
    YamlTree() = default;
    YamlTree(YamlTree &&) = default;
    YamlTree &operator=(YamlTree &&) = default;
    ~YamlTree() = default;
    Q_DISABLE_COPY(YamlTree)

    [[nodiscard]] const YamlNode *root() const { return m_root; } ///< nullptr: the file holds no document
    YamlNode *make(YamlNode::Kind kind, int line);
    void setRoot(const YamlNode *root) { m_root = root; }

private:
    std::deque<YamlNode> m_nodes; // their addresses stay
    const YamlNode *m_root = nullptr;
};

/// Largest file that is read.
inline constexpr qsizetype c_maxYamlBytes = 1024LL * 1024;

/// Reads one document of UTF-8 (a byte order mark is passed over). What is not YAML, not UTF-8, larger than
/// c_maxYamlBytes, nested too deep, too large with its aliases, or more than one document goes to `problems`,
/// and the answer is nullopt.
std::optional<YamlTree> parseYaml(QByteArray bytes, ProblemList &problems);

} // namespace kv
