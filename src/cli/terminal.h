// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QTextStream>

namespace kv {

enum class Style { Plain, Heading, Good, Warning, Bad, Faint };

/// The streams of one run, so that commands run in a test's process as in a shell. Does not own them.
struct Terminal {
    QTextStream &out;
    QTextStream &err;
    QTextStream &in;
    bool outIsTerminal = false;
    bool inIsTerminal = false;
    bool colour = false; ///< write colour codes to `out`

    [[nodiscard]] QString styled(const QString &text, Style style) const;
    /// One line, at once.
    void line(const QString &text) const;
    void error(const QString &text) const;
};

/// Text from elsewhere (labels, sentences) as it may be shown: control characters, which could steer the
/// terminal, and invisible direction marks become "�"; line breaks become blanks.
QString printable(const QString &text);
/// Cells that the text takes in a terminal: two for East Asian wide characters and emoji, none for combining
/// marks.
int displayWidth(const QString &text);

} // namespace kv
