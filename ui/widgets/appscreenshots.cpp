// SPDX-License-Identifier: MIT
#include "appscreenshots.h"

#include "apppalette.h"
#include "doctorpage.h"
#include "mainwindow.h"
#include "minimonitor.h"
#include "page.h"
#include "trayiconart.h"

#include <QApplication>
#include <QDir>
#include <QLocale>
#include <QPainter>
#include <QPixmap>
#include <QSettings>

#include <utility>

namespace kv {

namespace {

constexpr int c_settleMs = 700; ///< answers come at once; animations of the style do not
constexpr QSize c_windowSize { 1160, 740 };

} // namespace

AppScreenshots::AppScreenshots(QString folder, QObject *parent)
    : QObject(parent)
    , m_folder(std::move(folder))
{
}

AppScreenshots::~AppScreenshots() = default;

void AppScreenshots::start()
{
    if (!QDir().mkpath(m_folder)) {
        Q_EMIT finished(tr("The folder %1 cannot be made.").arg(m_folder));
        return;
    }
    if (QLocale().language() == QLocale::C) {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); // nobody's desktop is in C
    }
    QApplication::setStyle(QStringLiteral("fusion"));
    startTheme();
}

void AppScreenshots::startTheme()
{
    QApplication::setPalette(m_dark ? darkPalette() : lightPalette());
    m_app.reset();
    m_settings = std::make_unique<QSettings>(
        m_settingsFolder.filePath(QStringLiteral("tray.ini")), QSettings::IniFormat);
    m_settings->clear();
    m_daemon = std::make_unique<SampleDaemon>(m_clock);
    m_app = std::make_unique<App>(*m_daemon, DaemonStarter::Options {},
        Autostart(m_settingsFolder.path(), QCoreApplication::applicationFilePath()), m_clock, *m_settings);
    m_app->window().resize(c_windowSize);
    m_app->window().show();
    m_app->monitor().setWanted(true);
    m_daemon->open();
    m_page = -1;
    QTimer::singleShot(c_settleMs, this, &AppScreenshots::next);
}

/// Saves what is shown and shows the next.
void AppScreenshots::next()
{
    MainWindow &window = m_app->window();
    if (m_page < 0) {
        save(m_app->monitor().grab(), QStringLiteral("monitor"));
        save(signs(), QStringLiteral("signs"));
        m_app->monitor().setWanted(false);
    } else {
        save(window.grab(), window.currentPage());
    }
    if (++m_page < window.pages().size()) {
        window.showPage(window.pages().at(m_page)->key());
        if (auto *doctor = qobject_cast<DoctorPage *>(window.pages().at(m_page)); doctor != nullptr) {
            doctor->run();
        }
        QTimer::singleShot(c_settleMs, this, &AppScreenshots::next);
    } else if (!m_dark) {
        m_dark = true;
        startTheme();
    } else {
        m_app.reset();
        Q_EMIT finished(m_trouble);
    }
}

void AppScreenshots::save(const QPixmap &picture, const QString &name)
{
    const QString theme = m_dark ? QStringLiteral("dark") : QStringLiteral("light");
    const QString path = QDir(m_folder).filePath(QStringLiteral("%1-%2.png").arg(name, theme));
    if (!picture.save(path)) {
        m_trouble = tr("%1 cannot be written.").arg(path);
    }
}

/// All states by all sizes.
QPixmap AppScreenshots::signs() const
{
    constexpr std::array<int, 5> sides { 16, 22, 32, 48, 64 };
    constexpr int cell = 84;
    constexpr int name = 180;
    const QPalette palette = QApplication::palette();
    QPixmap sheet(name + cell * static_cast<int>(sides.size()), cell * static_cast<int>(c_trayStates.size()));
    sheet.fill(m_dark ? QColor(0x22, 0x25, 0x2a) : QColor(0xee, 0xef, 0xf1));
    QPainter painter(&sheet);
    painter.setPen(palette.color(QPalette::WindowText));
    int y = 0;
    for (const TrayState state : c_trayStates) {
        painter.drawText(
            QRect(12, y, name - 12, cell), Qt::AlignVCenter | Qt::TextWordWrap, trayStateText(state));
        int x = name;
        for (const int side : sides) {
            const QIcon icon = trayStateIcon(state, trayGround(palette));
            painter.drawPixmap(x + (cell - side) / 2, y + (cell - side) / 2, icon.pixmap(side));
            x += cell;
        }
        y += cell;
    }
    return sheet;
}

} // namespace kv
