// SPDX-License-Identifier: MIT
#include "histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kv {

namespace {

constexpr double c_sumParts = 1000; // a kept sum is whole thousandths

QString beginning() { return QStringLiteral("histogram/"); }
QString partName(const QString &name, const QString &part) { return beginning() + name + u'/' + part; }
QString sumText() { return QStringLiteral("sum"); }
QString aboveText() { return QStringLiteral("above"); }
QString boundText(double bound) { return QString::number(bound); }

} // namespace

std::vector<double> Histogram::millisecondBounds()
{
    return { 1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 15000, 60000, 300000 };
}

std::vector<double> Histogram::microsecondBounds()
{
    return { 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 100000 };
}

Histogram::Histogram(std::vector<double> bounds)
    : m_bounds(std::move(bounds))
    , m_counts(m_bounds.size() + 1)
{
}

std::size_t Histogram::bucketOf(double value) const
{
    return static_cast<std::size_t>(
        std::lower_bound(m_bounds.begin(), m_bounds.end(), value) - m_bounds.begin());
}

void Histogram::add(double value)
{
    if (value >= 0) {
        ++m_counts[bucketOf(value)];
        m_sum += value;
    }
}

quint64 Histogram::count() const { return std::accumulate(m_counts.begin(), m_counts.end(), quint64 { 0 }); }

QString Histogram::text(const QString &metric, const QString &labels) const
{
    QString out;
    quint64 below = 0;
    for (std::size_t i = 0; i < m_bounds.size(); ++i) {
        below += m_counts[i];
        out += QStringLiteral("%1_bucket{%2,le=\"%3\"} %4\n")
                   .arg(metric, labels, boundText(m_bounds[i]), QString::number(below));
    }
    const QString all = QString::number(count());
    out += QStringLiteral("%1_bucket{%2,le=\"+Inf\"} %3\n").arg(metric, labels, all);
    out += QStringLiteral("%1_sum{%2} %3\n").arg(metric, labels, QString::number(m_sum, 'f', 3));
    out += QStringLiteral("%1_count{%2} %3\n").arg(metric, labels, all);
    return out;
}

bool Histogram::isPart(const QString &name) { return name.startsWith(beginning()); }

void Histogram::keep(const QString &name, QMap<QString, qint64> &totals) const
{
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        if (m_counts[i] > 0) {
            totals.insert(partName(name, i < m_bounds.size() ? boundText(m_bounds[i]) : aboveText()),
                static_cast<qint64>(m_counts[i]));
        }
    }
    for (const QString &former : m_former) {
        totals.insert(partName(name, former), 0); // a total that is not named stays, and would count twice
    }
    if (m_sum > 0) {
        totals.insert(partName(name, sumText()), std::llround(m_sum * c_sumParts));
    }
}

void Histogram::restore(const QString &name, const QMap<QString, qint64> &totals)
{
    const QString mine = partName(name, {});
    for (auto it = totals.lowerBound(mine); it != totals.cend() && it.key().startsWith(mine); ++it) {
        const QString part = it.key().mid(mine.size());
        bool isBound = false;
        const double bound = part.toDouble(&isBound);
        if (it.value() < 0) {
            continue; // nothing that was ever written here
        }
        if (part == sumText()) {
            m_sum = static_cast<double>(it.value()) / c_sumParts;
        } else if (part == aboveText()) {
            m_counts.back() += static_cast<quint64>(it.value());
        } else if (isBound) {
            const std::size_t bucket = bucketOf(bound);
            m_counts[bucket] += static_cast<quint64>(it.value());
            if (bucket == m_bounds.size() || boundText(m_bounds[bucket]) != part) {
                m_former.append(part);
            }
        }
    }
}

} // namespace kv
