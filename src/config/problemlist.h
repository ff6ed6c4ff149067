// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace kv {

/// What is wrong with one file, each problem as "file:line: sentence", and what is only odd.
class ProblemList final {
public:
    explicit ProblemList(QString file);

    /// `line` 0: the file as a whole.
    void add(int line, const QString &sentence);
    void warn(int line, const QString &sentence);

    [[nodiscard]] bool isEmpty() const { return m_problems.isEmpty(); }
    [[nodiscard]] const QStringList &warnings() const { return m_warnings; }
    /// All problems, one a line, as KV_CONFIG_INVALID. Only when !isEmpty().
    [[nodiscard]] Error toError() const;

private:
    [[nodiscard]] QString located(int line, const QString &sentence) const;

    QString m_file;
    QStringList m_problems;
    QStringList m_warnings;
    int m_notShown = 0;
};

/// The candidate nearest to `name` by edit distance, case not counted; nullopt when none is near.
std::optional<QString> nearestName(const QString &name, const QStringList &candidates);

/// Found text as messages show it: short, in quotes, on one line.
QString shownText(const QString &text);

} // namespace kv
