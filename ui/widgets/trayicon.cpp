// SPDX-License-Identifier: MIT
#include "trayicon.h"

#include "trayiconart.h"

#include <QEvent>
#include <QGuiApplication>

namespace kv {

namespace {

constexpr qint64 c_minute = 60'000;

} // namespace

TrayIcon::TrayIcon(TrayIconPresenter &presenter, QObject *parent)
    : QObject(parent)
    , m_presenter(presenter)
{
    makeMenu();
    m_icon.setContextMenu(&m_menu);
    connect(&m_icon, &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick) {
            Q_EMIT openWanted({});
        }
    });
    connect(&m_icon, &QSystemTrayIcon::messageClicked, this,
        [this] { Q_EMIT openWanted(QStringLiteral("overview")); });
    connect(&presenter, &TrayIconPresenter::changed, this, &TrayIcon::refresh);
    connect(&presenter, &TrayIconPresenter::failed, this, [this](const QString &sentence) {
        m_icon.showMessage(tr("That did not work"), sentence, QSystemTrayIcon::Warning);
    });
    qGuiApp->installEventFilter(this);
    refresh();
}

TrayIcon::~TrayIcon() = default;

bool TrayIcon::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ApplicationPaletteChange && watched == qGuiApp) {
        m_shown.reset();
        refresh();
    }
    return QObject::eventFilter(watched, event);
}

void TrayIcon::makeMenu()
{
    m_headline = m_menu.addAction(QString());
    m_headline->setEnabled(false);
    m_ownersEnd = m_menu.addSeparator();
    m_save = m_menu.addAction(tr("&Save now"), &m_presenter, &TrayIconPresenter::saveNow);
    m_pause = m_menu.addMenu(tr("&Pause"));
    m_pause->addAction(tr("For &10 minutes"), &m_presenter, [this] { m_presenter.pause(10 * c_minute); });
    m_pause->addAction(tr("For an &hour"), &m_presenter, [this] { m_presenter.pause(60 * c_minute); });
    m_pause->addAction(tr("Until &resumed"), &m_presenter, [this] { m_presenter.pause(std::nullopt); });
    m_resume = m_menu.addAction(tr("&Resume"), &m_presenter, &TrayIconPresenter::resume);
    m_menu.addSeparator();
    QAction *open = m_menu.addAction(tr("&Open"), this, [this] { Q_EMIT openWanted({}); });
    m_menu.setDefaultAction(open);
    m_monitor = m_menu.addAction(tr("&Mini monitor"));
    m_monitor->setCheckable(true);
    connect(m_monitor, &QAction::triggered, this, &TrayIcon::monitorWanted);
    m_menu.addAction(tr("&Doctor"), this, [this] { Q_EMIT openWanted(QStringLiteral("doctor")); });
    m_menu.addSeparator();
    m_menu.addAction(tr("&Quit"), this, &TrayIcon::quitWanted);
}

void TrayIcon::show() { m_icon.show(); }

void TrayIcon::setMonitorShown(bool shown) { m_monitor->setChecked(shown); }

void TrayIcon::refresh()
{
    if (m_shown != m_presenter.state()) {
        m_shown = m_presenter.state();
        m_icon.setIcon(trayStateIcon(*m_shown, trayGround(QGuiApplication::palette())));
    }
    m_icon.setToolTip(m_presenter.toolTip());
    m_headline->setText(m_presenter.headline());
    m_save->setEnabled(m_presenter.canSave());
    m_pause->menuAction()->setVisible(m_presenter.canPause() || !m_presenter.canResume());
    m_pause->setEnabled(m_presenter.canPause());
    m_resume->setVisible(m_presenter.canResume());
    showOwners();
}

/// Texts are changed in place, so that an open menu stays as it is under the pointer.
void TrayIcon::showOwners()
{
    const QList<TrayIconPresenter::Owner> owners = m_presenter.owners();
    while (m_owners.size() < owners.size()) {
        auto *action = new QAction(&m_menu);
        connect(action, &QAction::triggered, this, [this] { Q_EMIT openWanted(QStringLiteral("sessions")); });
        m_menu.insertAction(m_ownersEnd, action);
        m_owners.append(action);
    }
    while (m_owners.size() > owners.size()) {
        delete m_owners.takeLast();
    }
    for (int i = 0; i < m_owners.size(); ++i) {
        QString text = owners.at(i).text;
        m_owners.at(i)->setText(text.replace(u'&', QStringLiteral("&&"))); // a label is no mnemonic
    }
}

void TrayIcon::notify(NotificationKind kind, const QString &title, const QString &text)
{
    const bool good = kind == NotificationKind::Recovered;
    m_icon.showMessage(title, text, good ? QSystemTrayIcon::Information : QSystemTrayIcon::Warning);
}

} // namespace kv
