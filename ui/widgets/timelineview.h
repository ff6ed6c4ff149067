// SPDX-License-Identifier: MIT
#pragma once

#include "timelinemodel.h"

#include <QTimer>
#include <QWidget>

namespace kv {

/// Paints the lanes of a TimelineModel. Left and Right go from one thing to the next in a lane, Up and Down
/// to another lane, + and − zoom, Home and End go to the ends; Ctrl and the wheel zoom around the pointer.
class TimelineView final : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(QWidget *parent = nullptr);

    /// `model` outlives the view.
    void setModel(TimelineModel &model);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// What is told about what is at this place; empty: nothing is.
    [[nodiscard]] QString textAt(const QPoint &position) const;
    /// The part of time that is shown.
    [[nodiscard]] TimelineSpan span() const { return { m_fromMs, m_toMs }; }
    [[nodiscard]] bool isTicking() const { return m_tick.isActive(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    struct Geometry;
    struct Hit {
        int lane = -1;
        TimelineInterval interval;
    };
    void onChanged();
    void tick();
    void startOrStop();
    /// How often the lane changed hands; short, below its name.
    static QString changesText(const TimelineLane &lane);
    [[nodiscard]] Geometry geometryNow() const;
    [[nodiscard]] Hit hitAt(const QPoint &position) const;
    void paintLegend(QPainter &painter, const Geometry &geometry) const;
    void paintLane(QPainter &painter, const Geometry &geometry, int lane) const;
    void paintName(QPainter &painter, const Geometry &geometry, int lane) const;
    void paintAxis(QPainter &painter, const Geometry &geometry) const;
    void zoom(double factor, double aroundMs);
    void setSpan(qint64 fromMs, qint64 toMs);
    void moveWithin(int by);
    void moveLane(int by);
    void setFocused(int lane, const TimelineInterval &interval);
    [[nodiscard]] qsizetype focusedIndex() const; ///< in its lane; -1: nothing is
    void describe();

    TimelineModel *m_model = nullptr;
    QTimer m_tick;
    qint64 m_rangeMs = 0;
    qint64 m_fromMs = 0;
    qint64 m_toMs = 1;
    int m_lane = -1; ///< the focused interval is of this lane
    TimelineInterval m_focused;
};

} // namespace kv
