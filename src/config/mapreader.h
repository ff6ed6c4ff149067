// SPDX-License-Identifier: MIT
#pragma once

#include "problemlist.h"
#include "yamltree.h"

#include <QProcessEnvironment>

#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace kv {

/// What all sections of one file need.
struct ReadContext {
    ProblemList &problems;
    const QProcessEnvironment &environment;
};

/// Reads one section key by key. A key that is absent leaves the value as it is; a wrong one does too and is
/// reported. finish() reports the keys that nobody asked for.
class MapReader final {
public:
    /// `node` nullptr or null: an empty section. `path` is the section's name in messages, "" for the whole
    /// file.
    MapReader(const YamlNode *node, QString path, ReadContext &context);

    void boolean(const QString &key, bool &value);
    /// `what` completes "expected a …", e.g. "a number of milliseconds".
    void number(const QString &key, qint64 &value, const QString &what, qint64 min = 0,
        qint64 max = std::numeric_limits<int>::max());
    void number(const QString &key, int &value, const QString &what, int min = 0);
    /// `off` (or `word`) is nullopt.
    void numberOr(const QString &word, const QString &key, std::optional<qint64> &value, const QString &what,
        qint64 min = 0);
    void numberOrOff(const QString &key, std::optional<int> &value, const QString &what, int min = 0);
    void sizeOrOff(const QString &key, std::optional<qint64> &value, bool zeroAllowed);
    void milliseconds(const QString &key, qint64 &value, qint64 min = 0);
    void millisecondsOrOff(const QString &key, qint64 &value); ///< off is 0
    void text(const QString &key, QString &value);
    /// Expanded, and absolute.
    void path(const QString &key, QString &value);
    template <typename T> using Choices = std::vector<std::pair<QString, T>>;
    /// `alsoTaken` are spellings that messages do not offer.
    template <typename T>
    void choice(const QString &key, T &value, const Choices<T> &choices, const Choices<T> &alsoTaken = {})
    {
        const YamlNode *found = scalar(key, expectedOneOf(names(choices)));
        if (found == nullptr) {
            return;
        }
        for (const Choices<T> *list : { &choices, &alsoTaken }) {
            for (const auto &[name, meaning] : *list) {
                if (found->text == name) {
                    value = meaning;
                    return;
                }
            }
        }
        wrong(key, *found, expectedOneOf(names(choices)));
    }

    /// The value of a key, whatever it is; nullptr: absent.
    const YamlNode *node(const QString &key);
    /// A section below this one.
    MapReader section(const QString &key);
    [[nodiscard]] bool has(const QString &key) const;
    [[nodiscard]] const std::vector<YamlNode::Entry> &entries() const { return m_entries; }
    [[nodiscard]] int line() const { return m_line; }
    [[nodiscard]] int lineOf(const QString &key) const;
    [[nodiscard]] QString fullName(const QString &key) const;
    [[nodiscard]] ReadContext &context() const { return m_context; }

    /// "file:line: key 'a.b': found 'x', expected …".
    void wrong(const QString &key, const YamlNode &found, const QString &expected);
    void problem(const QString &key, const QString &sentence);
    void warn(const QString &key, const QString &sentence);
    void finish();

private:
    /// The key's value if it is a scalar; else nullptr, reported unless absent.
    const YamlNode *scalar(const QString &key, const QString &expected);
    [[nodiscard]] std::optional<qint64> wholeNumber(const YamlNode &found, qint64 min, qint64 max) const;
    [[nodiscard]] static QString expectedOneOf(const QStringList &names);
    template <typename T> static QStringList names(const Choices<T> &choices)
    {
        QStringList out;
        for (const auto &choice : choices) {
            out.append(choice.first);
        }
        return out;
    }

    std::vector<YamlNode::Entry> m_entries;
    QString m_path;
    int m_line = 0;
    QStringList m_known;
    ReadContext &m_context;
};

/// "nothing", "a list", "a section" or the text in quotes: what stands where something else was expected.
QString foundText(const YamlNode &node);

} // namespace kv
