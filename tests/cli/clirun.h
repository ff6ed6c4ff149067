// SPDX-License-Identifier: MIT
#pragma once

#include "cli.h"
#include "fakedaemon.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

/// 2026-01-31T12:00:00Z
inline constexpr qint64 c_testNowMs = 1'769'860'800'000;

class FixedClock final : public kv::Clock {
public:
    [[nodiscard]] kv::Instant now() const override { return { 0, c_testNowMs }; }
};

/// One run of the program in this process, against a fake daemon.
struct CliRun {
    int code = -1;
    QString out;
    QString err;

    explicit CliRun(const FakeDaemon &daemon, const QStringList &arguments, const QString &typed = {},
        bool terminal = false)
        : CliRun(daemon.path(), arguments, typed, terminal)
    {
    }
    CliRun(const QString &socket, const QStringList &arguments, const QString &typed = {},
        bool terminal = false, bool noColour = false)
    {
        QString input = typed;
        QTextStream outStream(&out);
        QTextStream errStream(&err);
        QTextStream inStream(&input);
        const kv::CliStreams streams { outStream, errStream, inStream, terminal, terminal, noColour };
        code = kv::runCli(
            QStringList { QStringLiteral("--socket"), socket } + arguments, streams, FixedClock());
    }
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

/// JSON with ' for ": moc does not understand raw strings in macros.
inline QJsonObject jsonOf(const char *text)
{
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray(text).replace('\'', '"'));
    if (!document.isObject()) {
        qFatal("the test's JSON is wrong: %s", text);
    }
    return document.object();
}

inline QStringList words(const char *text) { return QString::fromUtf8(text).split(u' ', Qt::SkipEmptyParts); }
