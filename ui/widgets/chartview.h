// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QPointF>
#include <QWidget>

#include <functional>

namespace kv {

/// A small chart of values over time: bars, the largest value and the two ends of time as labels. Time runs
/// as text does. The pointer, and the arrow keys, Home and End, tell one value after the other.
class ChartView final : public QWidget {
    Q_OBJECT

public:
    using Format = std::function<QString(double)>;
    ChartView(const QString &title, Format format, QWidget *parent = nullptr);

    /// Points are (milliseconds since the Unix epoch, value), sorted; `stepMs` is the width of one.
    void setPoints(const QList<QPointF> &points, double fromMs, double toMs, double stepMs);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

private:
    void paintBars(QPainter &painter) const;
    void choose(int point);
    void describe();
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QRectF barOf(const QPointF &point) const;
    /// −1: there is none.
    [[nodiscard]] int pointAt(const QPoint &position) const;
    [[nodiscard]] QString textOf(const QPointF &point) const;
    [[nodiscard]] QString timeText(double ms) const;

    QString m_title;
    Format m_format;
    QList<QPointF> m_points;
    double m_from = 0;
    double m_to = 1;
    double m_step = 1;
    double m_max = 0;
    int m_chosen = -1; ///< by keys; −1: none
};

} // namespace kv
