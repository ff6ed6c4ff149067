// SPDX-License-Identifier: MIT
#include "mainwindow.h"

#include "daemonport.h"
#include "daemonstarter.h"
#include "mainwindowicons.h"
#include "mainwindowstrip.h"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QFrame>
#include <QSettings>
#include <QShortcut>
#include <QToolButton>

namespace kv {

namespace {

constexpr int c_numberedPages = 9;

QString geometryKey() { return QStringLiteral("window/geometry"); }
QString pageKey() { return QStringLiteral("window/page"); }

} // namespace

MainWindow::MainWindow(
    Daemon &daemon, DaemonStarter &starter, QSettings &settings, const QList<Page *> &pages, QWidget *parent)
    : QWidget(parent)
    , m_daemon(daemon)
    , m_starter(starter)
    , m_settings(settings)
    , m_pages(pages)
    , m_stack(new QStackedWidget(this))
    , m_away(new MainWindowStrip(QStyle::SP_MessageBoxWarning, tr("Start &it"), this))
    , m_notice(new MainWindowStrip(QStyle::SP_MessageBoxInformation, tr("&Close"), this))
{
    setWindowTitle(tr("kv-persist"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_away);
    column->addWidget(m_notice);
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(makeList());
    auto *line = new QFrame(this);
    line->setFrameStyle(QFrame::VLine | QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    row->addWidget(line);
    row->addWidget(m_stack, 1);
    column->addLayout(row, 1);

    connect(m_away, &MainWindowStrip::clicked, this, [this] { m_starter.start(); });
    connect(m_notice, &MainWindowStrip::clicked, this, [this] { setNotice({}); });
    connect(&daemon, &Daemon::linkChanged, this, &MainWindow::showLink);
    connect(&starter, &DaemonStarter::changed, this, &MainWindow::showLink);
    showLink();

    const QFontMetrics metrics = fontMetrics();
    resize(metrics.averageCharWidth() * 150, metrics.height() * 42);
    restoreGeometry(m_settings.value(geometryKey()).toByteArray());
    select(0);
    showPage(m_settings.value(pageKey()).toString());
}

MainWindow::~MainWindow()
{
    if (isVisible()) {
        remember();
    }
}

QWidget *MainWindow::makeList()
{
    auto *list = new QWidget(this);
    list->setAutoFillBackground(true);
    list->setBackgroundRole(QPalette::AlternateBase);
    list->setAccessibleName(tr("Pages"));
    auto *column = new QVBoxLayout(list);
    column->setSpacing(2);
    m_buttons.setExclusive(true);
    for (Page *page : qAsConst(m_pages)) {
        addPage(page, column);
    }
    column->addStretch();
    connect(&m_buttons, &QButtonGroup::idToggled, this, [this](int index, bool checked) {
        if (checked) {
            select(index);
        }
    });
    return list;
}

void MainWindow::addPage(Page *page, QBoxLayout *list)
{
    const int index = m_stack->addWidget(page);
    auto *button = new QToolButton(this);
    const int extent = fontMetrics().height() * 5 / 4;
    button->setText(page->title());
    button->setIcon(pageIcon(page->key()));
    button->setIconSize({ extent, extent });
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setMinimumSize(fontMetrics().averageCharWidth() * 18, fontMetrics().height() * 2);
    m_buttons.addButton(button, index);
    list->addWidget(button);
    if (index < c_numberedPages) {
        const QKeySequence keys(QStringLiteral("Ctrl+%1").arg(index + 1));
        button->setToolTip(keys.toString(QKeySequence::NativeText));
        auto *shortcut = new QShortcut(keys, this);
        connect(shortcut, &QShortcut::activated, this, [this, index] { select(index); });
    }
}

void MainWindow::select(int index)
{
    if (QAbstractButton *button = m_buttons.button(index); button != nullptr) {
        button->setChecked(true);
        m_stack->setCurrentIndex(index);
        tellPages();
    }
}

void MainWindow::showPage(const QString &key)
{
    for (int i = 0; i < m_pages.size(); ++i) {
        if (m_pages.at(i)->key() == key) {
            select(i);
        }
    }
}

QString MainWindow::currentPage() const
{
    const auto *page = qobject_cast<const Page *>(m_stack->currentWidget());
    return page == nullptr ? QString() : page->key();
}

void MainWindow::setNotice(const QString &text) { m_notice->setText(text); }

void MainWindow::present()
{
    setWindowState(windowState() & ~Qt::WindowMinimized);
    show();
    raise();
    activateWindow();
}

/// Exactly one page is shown while the window is, none while it is hidden or minimised.
void MainWindow::tellPages()
{
    auto *shown = isVisible() && !isMinimized() ? qobject_cast<Page *>(m_stack->currentWidget()) : nullptr;
    if (shown == m_told) {
        return;
    }
    if (m_told != nullptr) {
        m_told->setShown(false);
    }
    m_told = shown;
    if (m_told != nullptr) {
        m_told->setShown(true);
    }
}

void MainWindow::showLink()
{
    if (m_daemon.link() != Daemon::Link::Away) {
        m_away->setText({});
        return;
    }
    m_away->setButtonEnabled(!m_starter.isStarting());
    if (m_starter.isStarting()) {
        m_away->setText(tr("The daemon is being started …"));
    } else if (!m_starter.trouble().isEmpty()) {
        m_away->setText(m_starter.trouble());
    } else {
        m_away->setText(tr("The daemon is away: sessions are neither saved nor restored. %1")
                            .arg(m_daemon.linkReason())
                            .trimmed());
    }
}

void MainWindow::remember()
{
    m_settings.setValue(geometryKey(), saveGeometry());
    m_settings.setValue(pageKey(), currentPage());
}

void MainWindow::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    tellPages();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    if (!event->spontaneous()) {
        remember();
    }
    tellPages();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    QWidget::closeEvent(event);
    Q_EMIT closed();
}

void MainWindow::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) {
        tellPages();
    }
}

} // namespace kv
