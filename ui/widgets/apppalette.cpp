// SPDX-License-Identifier: MIT
#include "apppalette.h"

#include <QColor>

namespace kv {

namespace {

struct Colours {
    QRgb window;
    QRgb base;
    QRgb alternate;
    QRgb button;
    QRgb text;
    QRgb faint; ///< disabled, placeholders
    QRgb highlight;
    QRgb highlightedText;
    QRgb link;
    QRgb tip;
    QRgb tipText;
    QRgb edge;
};

QPalette paletteOf(const Colours &colours)
{
    QPalette palette(QColor(colours.button), QColor(colours.window));
    const QColor text(colours.text);
    palette.setColor(QPalette::Base, QColor(colours.base));
    palette.setColor(QPalette::AlternateBase, QColor(colours.alternate));
    palette.setColor(QPalette::ToolTipBase, QColor(colours.tip));
    palette.setColor(QPalette::ToolTipText, QColor(colours.tipText));
    palette.setColor(QPalette::Highlight, QColor(colours.highlight));
    palette.setColor(QPalette::HighlightedText, QColor(colours.highlightedText));
    palette.setColor(QPalette::Link, QColor(colours.link));
    palette.setColor(QPalette::Mid, QColor(colours.edge));
    palette.setColor(QPalette::PlaceholderText, QColor(colours.faint));
    for (const QPalette::ColorRole role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText }) {
        palette.setColor(role, text);
        palette.setColor(QPalette::Disabled, role, QColor(colours.faint));
    }
    return palette;
}

} // namespace

QPalette lightPalette()
{
    return paletteOf({ 0xf4f5f7, 0xffffff, 0xeaecef, 0xf0f1f3, 0x1f2328, 0x7d848c, 0x2f6feb, 0xffffff,
        0x0a58ca, 0xfff4d6, 0x3a2f0b, 0xc9cdd2 });
}

QPalette darkPalette()
{
    return paletteOf({ 0x1d2025, 0x262a30, 0x22262b, 0x2e333a, 0xe6e8eb, 0x868e98, 0x4c8dff, 0xffffff,
        0x79aefc, 0x4a3c12, 0xffedc0, 0x3b4149 });
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

} // namespace kv
