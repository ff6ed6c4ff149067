// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace kv {

/// The days (UTC) on which the daemon ran, kept in the database: age counts these, so that a machine that was
/// switched off for a month lets nothing go for it. Pure.
class RunningDays final {
public:
    static RunningDays fromText(const QString &text); ///< what cannot be read is left out
    [[nodiscard]] QString toText() const;

    /// It runs now. True: that was not known of this day, and is to be written.
    bool note(qint64 wallMs);
    /// How many of the days after that of `sinceWallMs`, up to that of `nowWallMs`, it ran on.
    [[nodiscard]] qint64 between(qint64 sinceWallMs, qint64 nowWallMs) const;

private:
    std::vector<std::pair<qint64, qint64>> m_spans; // first and last day since the epoch; in order, apart
};

} // namespace kv
