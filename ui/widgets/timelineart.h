// SPDX-License-Identifier: MIT
#pragma once

#include "timelinemodel.h"

#include <QColor>

class QPainter;
class QPalette;
class QRectF;

namespace kv {

/// Colours and shapes of a timeline, on a light or a dark ground.
class TimelineArt final {
public:
    explicit TimelineArt(const QPalette &palette);

    /// Of a session's bar; grey without a session.
    [[nodiscard]] QColor bar(const QString &session) const;
    [[nodiscard]] QColor inference(const QString &session) const;
    [[nodiscard]] QColor alarm() const;
    [[nodiscard]] QColor faint(float alpha) const; ///< the text's colour, thinned
    static QColor textOn(const QColor &ground); ///< black or white
    /// Save ▼, restore ▲, failure ✖, each with a shape of its own.
    void mark(QPainter &painter, TimelineInterval::Kind kind, const QRectF &place) const;

private:
    QColor m_text;
    bool m_dark;
};

} // namespace kv
