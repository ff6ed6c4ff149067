// SPDX-License-Identifier: MIT
#include "autostart.h"

#include "atomicfile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace kv {

namespace {

struct AutostartText {
    Q_DECLARE_TR_FUNCTIONS(kv::Autostart)
};

QString fileName() { return QStringLiteral("kv-persist-tray.desktop"); }

/// The value of a key of a desktop entry; empty: none.
QByteArray valueOf(const QByteArray &entry, const QByteArray &key)
{
    for (const QByteArray &line : entry.split('\n')) {
        const qsizetype equals = line.indexOf('=');
        if (equals > 0 && line.first(equals).trimmed() == key) {
            return line.mid(equals + 1).trimmed();
        }
    }
    return {};
}

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(65'536) : QByteArray();
}

bool isOurs(const QByteArray &entry) { return valueOf(entry, "X-KV-Persist") == "true"; }

/// A path as one argument of an Exec line: in quotes, and escaped once for them and once for the file.
QString execArgument(const QString &path)
{
    QString out;
    for (const QChar c : path) {
        if (QStringLiteral("\"`$\\").contains(c)) {
            out += QStringLiteral("\\\\");
            out += c == QLatin1Char('\\') ? QStringLiteral("\\\\") : QString(c);
        } else {
            out += c == QLatin1Char('%') ? QStringLiteral("%%") : QString(c);
        }
    }
    return QLatin1Char('"') + out + QLatin1Char('"');
}

QString orDefault(const QString &value, const QString &otherwise)
{
    return value.isEmpty() ? otherwise : value;
}

} // namespace

Autostart::Autostart(QString folder, QString program, QStringList systemFolders)
    : m_folder(std::move(folder))
    , m_program(std::move(program))
    , m_systemFolders(std::move(systemFolders))
{
}

Autostart Autostart::ofUser(const QProcessEnvironment &environment, const QString &program)
{
    const QString home = orDefault(environment.value(QStringLiteral("XDG_CONFIG_HOME")),
        orDefault(environment.value(QStringLiteral("HOME")), QDir::homePath()) + QStringLiteral("/.config"));
    QStringList everybody;
    const QStringList folders
        = orDefault(environment.value(QStringLiteral("XDG_CONFIG_DIRS")), QStringLiteral("/etc/xdg"))
              .split(QLatin1Char(':'), Qt::SkipEmptyParts);
    for (const QString &folder : folders) {
        everybody.append(folder + QStringLiteral("/autostart"));
    }
    return { home + QStringLiteral("/autostart"), program, everybody };
}

QString Autostart::path() const { return QDir(m_folder).filePath(fileName()); }

bool Autostart::forEverybody() const
{
    return std::any_of(m_systemFolders.begin(), m_systemFolders.end(),
        [](const QString &folder) { return QFileInfo::exists(QDir(folder).filePath(fileName())); });
}

Autostart::State Autostart::state() const
{
    const QFileInfo file(path());
    if (!file.exists() && !file.isSymLink()) {
        return forEverybody() ? State::On : State::Off;
    }
    const QByteArray entry = contentOf(path());
    if (!isOurs(entry)) {
        return State::Foreign;
    }
    const bool off = valueOf(entry, "Hidden") == "true"
        || valueOf(entry, "X-GNOME-Autostart-enabled") == "false"; // switched off by the desktop's own tools
    return off ? State::Off : State::On;
}

Result<Done> Autostart::set(bool on) const
{
    if (state() == State::Foreign) {
        return Error { ErrorCode::MetadataIo,
            AutostartText::tr(
                "%1 was not written by kv-persist, so it was left as it is. Change or remove that file "
                "yourself.")
                .arg(QDir::toNativeSeparators(path())),
            {} };
    }
    if (!on && !forEverybody()) {
        QFile file(path());
        if (file.exists() && !file.remove()) {
            return Error { ErrorCode::MetadataIo,
                AutostartText::tr(
                    "%1 cannot be removed: %2. Remove it yourself to keep the program from starting.")
                    .arg(QDir::toNativeSeparators(path()), file.errorString()),
                {} };
        }
        return Done {};
    }
    if (!QDir().mkpath(m_folder)) {
        return Error { ErrorCode::MetadataIo,
            AutostartText::tr(
                "The folder %1 cannot be made, so the program will not start by itself. Check the "
                "folder's rights.")
                .arg(QDir::toNativeSeparators(m_folder)),
            {} };
    }
    return writeFileAtomically(path(), entry(!on));
}

QByteArray Autostart::entry(bool hidden) const
{
    const QString text
        = QStringLiteral("[Desktop Entry]\n"
                         "Type=Application\n"
                         "Name=kv-persist\n"
                         "Exec=%1 --hidden\n"
                         "Icon=kv-persist\n"
                         "Terminal=false\n"
                         "X-GNOME-Autostart-enabled=true\n"
                         "X-KV-Persist=true\n"
                         "%2")
              .arg(execArgument(m_program), hidden ? QStringLiteral("Hidden=true\n") : QString());
    return text.toUtf8();
}

} // namespace kv
