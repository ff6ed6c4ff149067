// SPDX-License-Identifier: MIT
#pragma once

#include "yamledittree.h"

#include <QStringList>

namespace kv {

/// One change of one value. `path` names keys of maps, from the top.
struct YamlChange {
    enum class Kind {
        Set, ///< `value` becomes the scalar there; what is missing on the way is made
        Remove, ///< the key and all below it; not there: nothing to do
        Rename, ///< the last key of the path becomes `value`
    };
    Kind kind = Kind::Set;
    QStringList path;
    QString value;
};

/// A YAML file that people write by hand, changed at single keys: comments, blank lines, order, quotes,
/// indentation and line ends of everything else stay as they are. Each change is proven before it is given
/// out: the new text, read anew, has the old values with only that change. What cannot be done so is refused
/// with a sentence. Immutable.
///
/// Why no library: of those that keep comments, libfyaml 0.7 (Debian 12) writes the file anew: it loses
/// comments at the top and at a section's end, blank lines, alignment and one-line maps.
class YamlEdit final {
public:
    /// Error KV_CONFIG_INVALID: not YAML; see readYamlPlaces().
    static Result<YamlEdit> read(const QString &text);

    [[nodiscard]] QString text() const;
    [[nodiscard]] const YamlPlace &root() const { return m_root; }
    /// nullptr: there is none, or a key on the way is there twice.
    [[nodiscard]] const YamlPlace *at(const QStringList &path) const;

    /// Error KV_CONFIG_INVALID: this change is one for the editor; the sentence says where.
    [[nodiscard]] Result<YamlEdit> with(const YamlChange &change) const;

private:
    YamlEdit(QByteArray bytes, YamlPlace root, bool mark)
        : m_bytes(std::move(bytes))
        , m_root(std::move(root))
        , m_mark(mark)
    {
    }

    QByteArray m_bytes; ///< without the byte order mark
    YamlPlace m_root;
    bool m_mark = false; ///< the file begins with a byte order mark
};

} // namespace kv
