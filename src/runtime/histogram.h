// SPDX-License-Identifier: MIT
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace kv {

/// How often a measured value was how large, in fixed buckets; what Prometheus calls a histogram.
class Histogram final {
public:
    /// Buckets from 1 ms to five minutes, …
    static std::vector<double> millisecondBounds();
    /// … and from 5 µs to 100 ms.
    static std::vector<double> microsecondBounds();

    /// `bounds`: the upper end of each bucket, ascending; what is above the last is counted all the same.
    explicit Histogram(std::vector<double> bounds);

    void add(double value); ///< below zero: not measured

    [[nodiscard]] quint64 count() const;
    [[nodiscard]] double sum() const { return m_sum; }
    /// Prometheus text without its HELP and TYPE, cumulative, with `_sum` and `_count`. `labels` as within
    /// braces, already escaped.
    [[nodiscard]] QString text(const QString &metric, const QString &labels) const;

    /// Whether a name among kept totals is one of a histogram's.
    static bool isPart(const QString &name);
    /// Puts what has to survive a restart into `totals`, the buckets under the names of their bounds.
    void keep(const QString &name, QMap<QString, qint64> &totals) const;
    /// Goes on from there. Counts of a bucket that there is no more go to the next larger one.
    void restore(const QString &name, const QMap<QString, qint64> &totals);

private:
    [[nodiscard]] std::size_t bucketOf(double value) const;

    std::vector<double> m_bounds;
    std::vector<quint64> m_counts; ///< not cumulative, one more than bounds
    double m_sum = 0;
    QStringList m_former; ///< kept parts of buckets that there are no more: they are kept as nothing
};

} // namespace kv
