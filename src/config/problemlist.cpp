// SPDX-License-Identifier: MIT
#include "problemlist.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace kv {

namespace {

struct ProblemListText {
    Q_DECLARE_TR_FUNCTIONS(kv::ProblemList)
};

constexpr int c_maxProblems = 50;
constexpr qsizetype c_maxShown = 60;
/// Longer names are nobody's misspelling, and their distance would cost time.
constexpr qsizetype c_maxNameForDistance = 64;
/// So much of a name's beginning is enough to know what was meant.
constexpr qsizetype c_minBeginning = 4;

/// Levenshtein's distance with neighbours swapped as one step.
int distance(const QString &a, const QString &b)
{
    const auto rows = static_cast<std::size_t>(a.size()) + 1;
    const auto columns = static_cast<std::size_t>(b.size()) + 1;
    std::vector<std::vector<int>> d(rows, std::vector<int>(columns));
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = static_cast<int>(i + j);
                continue;
            }
            const auto at = [](const QString &text, std::size_t index) { return text.at(qsizetype(index)); };
            const int change = at(a, i - 1) == at(b, j - 1) ? 0 : 1;
            d[i][j] = std::min({ d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change });
            if (i > 1 && j > 1 && at(a, i - 1) == at(b, j - 2) && at(a, i - 2) == at(b, j - 1)) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[rows - 1][columns - 1];
}

} // namespace

ProblemList::ProblemList(QString file)
    : m_file(std::move(file))
{
}

void ProblemList::add(int line, const QString &sentence)
{
    if (m_problems.size() >= c_maxProblems) {
        ++m_notShown;
        return;
    }
    m_problems.append(located(line, sentence));
}

void ProblemList::warn(int line, const QString &sentence)
{
    if (m_warnings.size() < c_maxProblems) {
        m_warnings.append(located(line, sentence));
    }
}

Error ProblemList::toError() const
{
    QStringList lines = m_problems;
    if (m_notShown > 0) {
        lines.append(ProblemListText::tr("%1: and %2 more problems").arg(m_file).arg(m_notShown));
    }
    return Error { ErrorCode::ConfigInvalid, lines.join(u'\n'),
        QStringLiteral("%1 problems in %2").arg(m_problems.size() + m_notShown).arg(m_file) };
}

QString ProblemList::located(int line, const QString &sentence) const
{
    return line > 0 ? QStringLiteral("%1:%2: %3").arg(m_file, QString::number(line), sentence)
                    : QStringLiteral("%1: %2").arg(m_file, sentence);
}

std::optional<QString> nearestName(const QString &name, const QStringList &candidates)
{
    if (name.size() > c_maxNameForDistance) {
        return std::nullopt;
    }
    std::optional<QString> best;
    qsizetype bestDistance = std::max<qsizetype>(2, name.size() / 3) + 1;
    for (const QString &candidate : candidates) {
        const qsizetype d = distance(name.toLower(), candidate.toLower());
        // Two steps turn any two-letter name into any other: no more than half may differ.
        if (d < bestDistance && d * 2 <= std::max(name.size(), candidate.size())) {
            best = candidate;
            bestDistance = d;
        }
    }
    if (!best && name.size() >= c_minBeginning) {
        for (const QString &candidate : candidates) {
            if (candidate.startsWith(name, Qt::CaseInsensitive)) {
                return candidate;
            }
        }
    }
    return best;
}

QString shownText(const QString &text)
{
    QString shown = text.left(c_maxShown);
    for (QChar &c : shown) {
        if (!c.isPrint()) {
            c = u'?';
        }
    }
    return u'\'' + shown + (text.size() > c_maxShown ? QStringLiteral("…'") : QStringLiteral("'"));
}

} // namespace kv
