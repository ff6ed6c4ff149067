// SPDX-License-Identifier: MIT
#pragma once

#include <QRectF>
#include <QStringList>
#include <QXmlStreamReader>

#include <vector>

namespace kv::bench {

/// What is wrong with a drawing: no XML, no title or description, a text that leaves it or lies on another.
/// Widths are those of a common sans-serif type, somewhat generously.
inline QStringList faultsOf(const QByteArray &svg)
{
    QStringList faults;
    QRectF page;
    std::vector<std::pair<QString, QRectF>> texts;
    QStringList named;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        const QXmlStreamAttributes attributes = xml.attributes();
        const auto number
            = [&](const char *name) { return attributes.value(QLatin1String(name)).toDouble(); };
        if (xml.name() == QStringLiteral("svg")) {
            page = QRectF(0, 0, number("width"), number("height"));
        } else if (xml.name() == QStringLiteral("title") || xml.name() == QStringLiteral("desc")) {
            named.append(xml.readElementText());
        } else if (xml.name() == QStringLiteral("text")) {
            const QString side = attributes.value(QLatin1String("text-anchor")).toString();
            const bool quiet = attributes.value(QLatin1String("class")) == QStringLiteral("quiet");
            const bool head = attributes.value(QLatin1String("class")) == QStringLiteral("head");
            const double x = number("x");
            const double y = number("y");
            const QString words = xml.readElementText();
            const double width = static_cast<double>(words.size()) * (head ? 7.0 : quiet ? 5.6 : 6.2);
            const double left = side == QStringLiteral("end") ? x - width
                : side == QStringLiteral("middle")            ? x - width / 2
                                                              : x;
            texts.emplace_back(words, QRectF(left, y - (quiet ? 8 : 9), width, quiet ? 9 : 10));
        }
    }
    if (xml.hasError()) {
        faults.append(xml.errorString());
    }
    if (named.size() < 2 || named[0].isEmpty() || named[1].size() < 20) {
        faults.append(QStringLiteral("no title or description"));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!page.contains(texts[i].second)) {
            faults.append(QStringLiteral("leaves the page: ") + texts[i].first);
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (texts[i].second.intersects(texts[j].second)) {
                faults.append(QStringLiteral("on each other: %1 | %2").arg(texts[j].first, texts[i].first));
            }
        }
    }
    return faults;
}

} // namespace kv::bench
