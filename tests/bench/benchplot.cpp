// SPDX-License-Identifier: MIT
#include "benchplot.h"

#include "benchformat.h"

#include <QXmlStreamWriter>

#include <algorithm>
#include <array>
#include <cmath>

namespace kv::bench {

namespace {

constexpr double c_width = 920;
constexpr double c_margin = 16;
constexpr double c_letter = 6.6; // about the width of one, at 12 px
constexpr double c_valueRoom = 62; // for a bar's text behind its end
constexpr double c_bar = 9;
constexpr double c_rowGap = 10;
constexpr double c_smallestSpan = 10; // of a curve's values: what is level shall look level

// Its own ground lies under everything, so that it can be read on any page.
const char *const c_style
    = "text{font:12px system-ui,-apple-system,'Segoe UI',sans-serif;fill:#24292f}"
      ".head{font-weight:600;font-size:13px}.quiet{fill:#57606a;font-size:11px}"
      ".ground{fill:#ffffff;stroke:#d0d7de}.grid{stroke:#d8dee4;stroke-width:1}"
      ".ours0{fill:#0969da}.ours1{fill:#54aeff}.other0{fill:#6e7781}.other1{fill:#afb8c1}"
      ".point{fill:#0969da}.curve{stroke:#0969da;stroke-width:1.5;fill:none}"
      ".fit{stroke:#bc4c00;stroke-width:1.5;stroke-dasharray:5 4;fill:none}"
      "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}"
      ".ground{fill:#0d1117;stroke:#3d444d}.grid{stroke:#2a313c}"
      ".ours0{fill:#4493f8}.ours1{fill:#1f5fb4}.other0{fill:#9198a1}.other1{fill:#59636e}"
      ".point{fill:#4493f8}.curve{stroke:#4493f8}.fit{stroke:#f0883e}}";

/// Positive values to places, logarithmically.
class LogScale final {
public:
    LogScale(double from, double to, double start, double end)
        : m_from(std::log(from))
        , m_span(std::max(std::log(to) - std::log(from), 1e-9))
        , m_start(start)
        , m_length(end - start)
    {
    }
    [[nodiscard]] double at(double value) const
    {
        return m_start + (std::log(value) - m_from) / m_span * m_length;
    }

private:
    double m_from;
    double m_span;
    double m_start;
    double m_length;
};

struct Span {
    double from = 0;
    double to = 0;
    void take(double value)
    {
        if (value > 0) {
            from = from > 0 ? std::min(from, value) : value;
            to = std::max(to, value);
        }
    }
    [[nodiscard]] bool empty() const { return from <= 0; }
    /// At least so many times as far at its end as at its start.
    void stretchTo(double factor)
    {
        const double missing = std::sqrt(std::max(factor * from / to, 1.0));
        from /= missing;
        to *= missing;
    }
};

QString tickText(double value) { return value >= 1000 ? shortNumber(value) : QString::number(value, 'g', 3); }

QString place(double value) { return QString::number(value, 'f', 1); }

class Svg final {
public:
    Svg(const QString &title, const QString &description, double height)
        : m_xml(&m_out)
    {
        m_xml.setAutoFormatting(true);
        m_xml.setAutoFormattingIndent(1);
        m_xml.writeStartDocument();
        m_xml.writeComment(QStringLiteral(" SPDX-License-Identifier: MIT; drawn by kv-persist-bench "));
        m_xml.writeStartElement(QStringLiteral("svg"));
        m_xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
        m_xml.writeAttribute(
            QStringLiteral("viewBox"), QStringLiteral("0 0 %1 %2").arg(place(c_width), place(height)));
        m_xml.writeAttribute(QStringLiteral("width"), place(c_width));
        m_xml.writeAttribute(QStringLiteral("height"), place(height));
        m_xml.writeAttribute(QStringLiteral("role"), QStringLiteral("img"));
        m_xml.writeAttribute(QStringLiteral("aria-labelledby"), QStringLiteral("title desc"));
        named(QStringLiteral("title"), title);
        named(QStringLiteral("desc"), description);
        m_xml.writeTextElement(QStringLiteral("style"), QLatin1String(c_style));
        rect(0.5, 0.5, c_width - 1, height - 1, QStringLiteral("ground"), 6);
        text(c_margin, 24, title, QStringLiteral("head"));
    }
    void rect(double x, double y, double width, double height, const QString &style, double round = 1)
    {
        m_xml.writeEmptyElement(QStringLiteral("rect"));
        const std::array<std::pair<QString, double>, 5> all { { { QStringLiteral("x"), x },
            { QStringLiteral("y"), y }, { QStringLiteral("width"), width },
            { QStringLiteral("height"), height }, { QStringLiteral("rx"), round } } };
        attributes(all);
        m_xml.writeAttribute(QStringLiteral("class"), style);
    }
    void line(Point from, Point to, const QString &style)
    {
        m_xml.writeEmptyElement(QStringLiteral("line"));
        const std::array<std::pair<QString, double>, 4> all { { { QStringLiteral("x1"), from.x },
            { QStringLiteral("y1"), from.y }, { QStringLiteral("x2"), to.x },
            { QStringLiteral("y2"), to.y } } };
        attributes(all);
        m_xml.writeAttribute(QStringLiteral("class"), style);
    }
    void dot(Point at)
    {
        m_xml.writeEmptyElement(QStringLiteral("circle"));
        const std::array<std::pair<QString, double>, 3> all { { { QStringLiteral("cx"), at.x },
            { QStringLiteral("cy"), at.y }, { QStringLiteral("r"), 3.5 } } };
        attributes(all);
        m_xml.writeAttribute(QStringLiteral("class"), QStringLiteral("point"));
    }
    void text(double x, double y, const QString &words, const QString &style = {},
        const QString &anchor = QStringLiteral("start"))
    {
        m_xml.writeStartElement(QStringLiteral("text"));
        m_xml.writeAttribute(QStringLiteral("x"), place(x));
        m_xml.writeAttribute(QStringLiteral("y"), place(y));
        m_xml.writeAttribute(QStringLiteral("text-anchor"), anchor);
        if (!style.isEmpty()) {
            m_xml.writeAttribute(QStringLiteral("class"), style);
        }
        m_xml.writeCharacters(words);
        m_xml.writeEndElement();
    }
    QByteArray done()
    {
        m_xml.writeEndDocument();
        return m_out;
    }

private:
    template <typename List> void attributes(const List &list)
    {
        for (const auto &[name, value] : list) {
            m_xml.writeAttribute(name, place(value));
        }
    }
    void named(const QString &element, const QString &words)
    {
        m_xml.writeStartElement(element);
        m_xml.writeAttribute(QStringLiteral("id"), element);
        m_xml.writeCharacters(words);
        m_xml.writeEndElement();
    }

    QByteArray m_out;
    QXmlStreamWriter m_xml;
};

Span spanOf(const BarChart &chart)
{
    Span span;
    for (const BarRow &row : chart.rows) {
        for (const auto &panel : row.bars) {
            for (const Bar &bar : panel) {
                span.take(bar.value);
            }
        }
    }
    if (span.empty()) {
        return { 1, 10 };
    }
    span.from = std::pow(10, std::floor(std::log10(span.from)));
    span.to = std::max(span.to * 1.05, span.from * c_smallestSpan);
    return span;
}

struct BarLayout {
    double labels = 0; ///< where panels begin
    double panel = 0; ///< width of one, its gap included
    double top = 0;
    double row = 0;
    double bottom = 0;
};

BarLayout layOut(const BarChart &chart)
{
    qsizetype longest = 0;
    for (const BarRow &row : chart.rows) {
        longest = std::max(longest, row.label.size());
    }
    std::size_t series = 1;
    for (const auto &names : chart.series) {
        series = std::max(series, names.size());
    }
    BarLayout layout;
    layout.labels = 2 * c_margin + static_cast<double>(longest) * c_letter;
    layout.panel = (c_width - layout.labels - c_margin)
        / static_cast<double>(std::max<std::size_t>(chart.panels.size(), 1));
    layout.top = 88;
    layout.row = static_cast<double>(series) * (c_bar + 2) + c_rowGap;
    layout.bottom = layout.top + layout.row * static_cast<double>(chart.rows.size());
    return layout;
}

void drawPanelFrame(Svg &svg, const BarChart &chart, std::size_t panel, const BarLayout &layout,
    const Span &span, const LogScale &scale)
{
    const double left = layout.labels + static_cast<double>(panel) * layout.panel;
    svg.text(left, 50, chart.panels[panel], QStringLiteral("head"));
    double x = left;
    const std::vector<QString> &names = chart.series.at(panel);
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const char *kind : { "ours%1", "other%1" }) {
            svg.rect(x, 62, c_bar, c_bar, QString::fromLatin1(kind).arg(i));
            x += c_bar + 2;
        }
        svg.text(x + 3, 71, names[i], QStringLiteral("quiet"));
        x += 20 + static_cast<double>(names[i].size()) * c_letter;
    }
    for (const double tick : logTicks(span.from, span.to)) {
        const double at = scale.at(tick);
        svg.line({ at, layout.top - 4 }, { at, layout.bottom }, QStringLiteral("grid"));
        svg.text(at, layout.bottom + 15, tickText(tick), QStringLiteral("quiet"), QStringLiteral("middle"));
    }
}

void drawPanel(Svg &svg, const BarChart &chart, std::size_t panel, const BarLayout &layout, const Span &span)
{
    const double left = layout.labels + static_cast<double>(panel) * layout.panel;
    const LogScale scale(span.from, span.to, left, left + layout.panel - c_valueRoom);
    drawPanelFrame(svg, chart, panel, layout, span, scale);
    double y = layout.top + c_rowGap / 2;
    for (const BarRow &row : chart.rows) {
        const std::vector<Bar> bars = panel < row.bars.size() ? row.bars[panel] : std::vector<Bar>();
        for (std::size_t i = 0; i < bars.size(); ++i) {
            const double top = y + static_cast<double>(i) * (c_bar + 2);
            const double end = bars[i].value > 0 ? std::max(scale.at(bars[i].value), left + 1) : left;
            svg.rect(left, top, end - left, c_bar,
                QStringLiteral("%1%2")
                    .arg(row.accent ? QStringLiteral("ours") : QStringLiteral("other"))
                    .arg(i));
            svg.text(end + 4, top + c_bar - 0.5, bars[i].text, QStringLiteral("quiet"));
        }
        y += layout.row;
    }
}

void drawCurvePanel(Svg &svg, const CurvePanel &panel, const QString &xTitle, Point corner, Point size)
{
    svg.text(corner.x, corner.y + 12, panel.title, QStringLiteral("head"));
    svg.text(corner.x, corner.y + 28, panel.caption, QStringLiteral("quiet"));
    Span xs;
    Span ys;
    for (const Point &point : panel.points) {
        if (point.x > 0 && point.y > 0) {
            xs.take(point.x);
            ys.take(point.y);
        }
    }
    if (xs.empty()) {
        svg.text(corner.x, corner.y + 60, QStringLiteral("not measured"), QStringLiteral("quiet"));
        return;
    }
    xs.stretchTo(2);
    ys.stretchTo(c_smallestSpan);
    ys = { ys.from / 1.15, ys.to * 1.15 };
    const double left = corner.x + 50;
    const double right = corner.x + size.x - 22;
    const double top = corner.y + 40;
    const double bottom = corner.y + size.y - 38;
    const LogScale across(xs.from, xs.to, left + 6, right);
    const LogScale up(ys.from, ys.to, bottom, top);
    for (const double tick : logTicks(ys.from, ys.to)) {
        svg.line({ left, up.at(tick) }, { right + 6, up.at(tick) }, QStringLiteral("grid"));
        svg.text(left - 6, up.at(tick) + 4, tickText(tick), QStringLiteral("quiet"), QStringLiteral("end"));
    }
    for (const Point &point : panel.points) {
        if (point.x > 0) {
            svg.text(across.at(point.x), bottom + 15, tickText(point.x), QStringLiteral("quiet"),
                QStringLiteral("middle"));
        }
    }
    svg.text((left + right) / 2, bottom + 31, xTitle, QStringLiteral("quiet"), QStringLiteral("middle"));
    const PowerFit fit = fitPower(panel.points);
    if (fit.valid) {
        const auto onLine = [&](double x) {
            const double y = fit.factor * std::pow(x, fit.exponent);
            return Point { across.at(x), up.at(std::clamp(y, ys.from, ys.to)) };
        };
        svg.line(onLine(xs.from), onLine(xs.to), QStringLiteral("fit"));
    }
    Point before { -1, 0 };
    for (const Point &point : panel.points) {
        if (point.x > 0 && point.y > 0) {
            const Point at { across.at(point.x), up.at(point.y) };
            if (before.x >= 0) {
                svg.line(before, at, QStringLiteral("curve"));
            }
            svg.dot(at);
            before = at;
        }
    }
}

} // namespace

std::vector<double> logTicks(double from, double to)
{
    static const std::vector<std::vector<double>> steps { { 1 }, { 1, 2, 5 }, { 1, 1.5, 2, 3, 5, 7 } };
    std::vector<double> ticks;
    if (!(from > 0) || !(to >= from)) {
        return ticks;
    }
    for (const std::vector<double> &step : steps) {
        ticks.clear();
        const int last = static_cast<int>(std::ceil(std::log10(to)));
        for (int power = static_cast<int>(std::floor(std::log10(from))); power <= last; ++power) {
            for (const double digit : step) {
                const double tick = digit * std::pow(10, power);
                if (tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)) {
                    ticks.push_back(tick);
                }
            }
        }
        if (ticks.size() >= 3) {
            break;
        }
    }
    return ticks;
}

QByteArray drawBars(const BarChart &chart)
{
    const BarLayout layout = layOut(chart);
    const Span span = spanOf(chart);
    Svg svg(chart.title, chart.description, layout.bottom + 46);
    double y = layout.top + c_rowGap / 2;
    for (const BarRow &row : chart.rows) {
        svg.text(
            layout.labels - 12, y + (layout.row - c_rowGap) / 2 + 4, row.label, {}, QStringLiteral("end"));
        y += layout.row;
    }
    for (std::size_t panel = 0; panel < chart.panels.size(); ++panel) {
        drawPanel(svg, chart, panel, layout, span);
    }
    svg.text(c_margin, layout.bottom + 34, chart.axis, QStringLiteral("quiet"));
    return svg.done();
}

QByteArray drawCurves(const CurveChart &chart)
{
    constexpr double height = 236;
    const std::size_t columns = chart.panels.size() == 3 ? 3 : 2;
    const std::size_t rows = (chart.panels.size() + columns - 1) / columns;
    const double width = (c_width - 2 * c_margin) / static_cast<double>(columns);
    Svg svg(chart.title, chart.description, 44 + height * static_cast<double>(rows));
    for (std::size_t i = 0; i < chart.panels.size(); ++i) {
        const Point corner { c_margin + width * static_cast<double>(i % columns),
            42 + height * static_cast<double>(i / columns) };
        drawCurvePanel(svg, chart.panels[i], chart.xTitle, corner, { width - 10, height });
    }
    return svg.done();
}

} // namespace kv::bench
