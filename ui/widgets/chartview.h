// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QPointF>
#include <QWidget>

#include <functional>

namespace kv {

/// A small chart of values over time: bars, the largest value and the two ends of time as labels.
class ChartView final : public QWidget {
    Q_OBJECT

public:
    using Format = std::function<QString(double)>;
    ChartView(const QString &title, Format format, QWidget *parent = nullptr);

    /// Points are (milliseconds since the Unix epoch, value); `stepMs` is the width of one.
    void setPoints(const QList<QPointF> &points, double fromMs, double toMs, double stepMs);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_title;
    Format m_format;
    QList<QPointF> m_points;
    double m_from = 0;
    double m_to = 1;
    double m_step = 1;
    double m_max = 0;
};

} // namespace kv
