// SPDX-License-Identifier: MIT
#pragma once

#include <QImage>
#include <QProcess>

#include <memory>

namespace kv::test {

/// A desktop without a monitor: an X server and a window manager of its own, and programs in it.
class RealDesktop final {
public:
    RealDesktop();
    ~RealDesktop();
    Q_DISABLE_COPY_MOVE(RealDesktop)

    /// Why a test with these programs is skipped; empty: all are installed, and so is what the desktop needs.
    static QString missing(const QStringList &programs);

    bool start();
    /// What programs in it get; to be changed before they are launched.
    QProcessEnvironment &environment() { return m_environment; }
    /// nullptr: it did not start.
    std::unique_ptr<QProcess> launch(const QString &program, const QStringList &arguments) const;
    /// Ends a program that was launched, and forgets it.
    static void end(std::unique_ptr<QProcess> &process);
    /// What a program printed until it ended.
    QString output(const QString &program, const QStringList &arguments) const;
    /// Ids of visible windows whose name matches this pattern.
    [[nodiscard]] QStringList windows(const QString &name) const;
    /// Of all that is seen; kept as `screenshots/NAME.png` of the build.
    QImage picture(const QString &name) const;

private:
    QProcessEnvironment m_environment;
    std::unique_ptr<QProcess> m_display;
    std::unique_ptr<QProcess> m_manager;
};

} // namespace kv::test
