// SPDX-License-Identifier: MIT
#include "sessionspage.h"

#include "sessiondetailsdialog.h"
#include "ui_sessionspage.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QTimer>
#include <QToolButton>

#include <array>

namespace kv {

namespace {

QString headerKey() { return QStringLiteral("sessions/header"); }

} // namespace

SessionsPage::SessionsPage(Daemon &daemon, const Clock &clock, QSettings &settings, QWidget *parent)
    : Page(parent)
    , m_daemon(daemon)
    , m_clock(clock)
    , m_settings(settings)
    , m_model(daemon, clock)
    , m_selection(daemon, m_model)
    , m_presenter(daemon, m_model, m_selection)
    , m_ui(std::make_unique<Ui::SessionsPage>())
{
    m_ui->setupUi(this);
    m_ui->choice->addItems({ tr("All"), tr("Valid"), tr("Suspect"), tr("Hidden"), tr("Invalid"), tr("Pinned"),
        tr("Shared beginnings") });
    m_ui->progress->setMaximumWidth(fontMetrics().averageCharWidth() * 20);
    setUpTable();
    setUpHeader();
    addActions();
    addActionButtons();
    connect(m_ui->filter, &QLineEdit::textChanged, &m_presenter, &SessionsPresenter::setText);
    connect(m_ui->choice, &QComboBox::currentIndexChanged, this,
        [this](int at) { m_presenter.setChoice(static_cast<SessionsPresenter::Choice>(at)); });
    connect(m_ui->clearFilter, &QPushButton::clicked, this, [this] {
        m_ui->filter->clear();
        m_ui->choice->setCurrentIndex(0);
        m_ui->filter->setFocus();
    });
    connect(m_ui->cancel, &QPushButton::clicked, this, [this] {
        if (m_exporting) {
            m_exporting->cancel();
        } else {
            m_presenter.cancel();
        }
    });
    auto *find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, [this] {
        m_ui->filter->setFocus(Qt::ShortcutFocusReason);
        m_ui->filter->selectAll();
    });
    connect(&m_presenter, &SessionsPresenter::changed, this, &SessionsPage::refresh);
    refresh();
}

SessionsPage::~SessionsPage()
{
    m_settings.setValue(headerKey(), m_ui->table->horizontalHeader()->saveState());
    // The table lets go of the model before that is gone.
    m_ui->table->setModel(nullptr);
}

void SessionsPage::setShown(bool shown)
{
    m_model.setShown(shown);
    if (shown && !m_fitted) {
        QTimer::singleShot(0, this, &SessionsPage::fitHeader); // when the page has its size
    }
    tellVisible();
}

void SessionsPage::setUpTable()
{
    QTableView *table = m_ui->table;
    table->horizontalHeader()->setSortIndicator(SessionsModel::Age, Qt::AscendingOrder);
    table->setModel(&m_model);
    const std::unique_ptr<QItemSelectionModel> itsOwn(table->selectionModel());
    table->setSelectionModel(&m_selection);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    connect(table->verticalScrollBar(), &QScrollBar::valueChanged, this, &SessionsPage::tellVisible);
}

void SessionsPage::setUpHeader()
{
    QHeaderView *header = m_ui->table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setStretchLastSection(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int column = 0; column < SessionsModel::c_columns; ++column) {
        header->resizeSection(column, widthOf(column));
    }
    header->hideSection(SessionsModel::Session);
    m_fitted = header->restoreState(m_settings.value(headerKey()).toByteArray());
    header->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (int column = 1; column < SessionsModel::c_columns; ++column) {
        auto *shown
            = new QAction(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), header);
        shown->setCheckable(true);
        shown->setChecked(!header->isSectionHidden(column));
        connect(shown, &QAction::toggled, header,
            [header, column](bool on) { header->setSectionHidden(column, !on); });
        header->addAction(shown);
    }
}

/// As wide as the header and what usually stands in it, in this language.
int SessionsPage::widthOf(int column) const
{
    constexpr std::array letters { 28, 9, 26, 21, 6, 10, 13, 13, 13, 6, 6 };
    int wide = fontMetrics().averageCharWidth() * letters.at(static_cast<std::size_t>(column));
    QStringList words;
    if (column == SessionsModel::State) {
        for (const char *state : { "valid", "suspect", "hidden", "invalid" }) {
            words.append(snapshotStateText(QLatin1String(state)));
        }
    } else if (column == SessionsModel::Verdict) {
        for (const char *verdict : { "verified", "partial", "none" }) {
            words.append(reuseVerdictText(QLatin1String(verdict)));
        }
    }
    const int margin = fontMetrics().averageCharWidth() * 2;
    for (const QString &word : std::as_const(words)) {
        wide = std::max(wide, fontMetrics().horizontalAdvance(word) + margin);
    }
    return std::max(wide, m_ui->table->horizontalHeader()->sectionSizeHint(column));
}

/// What is too wide for the window is taken from names, which are shortened without harm; once, and only
/// where nobody has set the widths.
void SessionsPage::fitHeader()
{
    QHeaderView *header = m_ui->table->horizontalHeader();
    int excess = m_ui->table->verticalScrollBar()->sizeHint().width() - m_ui->table->contentsRect().width();
    for (int column = 0; column < SessionsModel::c_columns; ++column) {
        excess += header->isSectionHidden(column) ? 0 : widthOf(column); // the last one is stretched
    }
    m_fitted = true;
    if (excess <= 0) {
        return;
    }
    constexpr std::array names { SessionsModel::Label, SessionsModel::Model, SessionsModel::Server };
    const int all = widthOf(names[0]) + widthOf(names[1]) + widthOf(names[2]);
    constexpr double atMost = 0.4;
    const double share = std::min(static_cast<double>(excess) / all, atMost);
    for (const int column : names) {
        header->resizeSection(column, static_cast<int>(widthOf(column) * (1 - share)));
    }
}

QAction *SessionsPage::addAction(const QString &text, const QKeySequence &key, const QString &tip)
{
    auto *action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setToolTip(key.isEmpty() ? tip : tr("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    m_ui->table->addAction(action);
    return action;
}

void SessionsPage::addRun(
    SessionsPresenter::Action run, const QString &text, const QKeySequence &key, const QString &tip)
{
    QAction *action = addAction(text, key, tip);
    m_runs.append({ run, action });
    if (run == SessionsPresenter::Action::Forget) {
        connect(action, &QAction::triggered, this, &SessionsPage::askForget);
    } else {
        connect(action, &QAction::triggered, this, [this, run] { m_presenter.run(run); });
    }
}

void SessionsPage::addActions()
{
    using Action = SessionsPresenter::Action;
    addRun(Action::Save, tr("Sa&ve now"), Qt::CTRL | Qt::Key_S, tr("Saves what the session has in its slot"));
    addRun(Action::Restore, tr("&Restore now"), Qt::CTRL | Qt::Key_R,
        tr("Brings the session into a slot before it is needed; waits for a free one"));
    addRun(Action::Pin, tr("&Pin"), Qt::CTRL | Qt::Key_P, tr("Keeps the snapshot whatever its age and size"));
    addRun(Action::Unpin, tr("&Unpin"), Qt::CTRL | Qt::SHIFT | Qt::Key_P,
        tr("Lets the snapshot go when its time comes"));
    addRun(Action::Invalidate, tr("&Invalidate"), Qt::CTRL | Qt::Key_I,
        tr("The snapshot is not restored any more; the next request starts cold"));
    addRun(Action::Forget, tr("&Forget…"), QKeySequence::Delete,
        tr("Removes the snapshot and its file; asks first"));
    m_details = addAction(tr("&Details…"), Qt::Key_Return, tr("All that is known about the session"));
    connect(m_details, &QAction::triggered, this, &SessionsPage::showDetails);
    connect(m_ui->table, &QTableView::doubleClicked, this, &SessionsPage::showDetails);
    m_copy = addAction(tr("Cop&y"), QKeySequence::Copy, tr("Copies the selected rows as text"));
    connect(m_copy, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(m_presenter.copyText()); });
    m_export = addAction(
        tr("&Export…"), Qt::CTRL | Qt::Key_E, tr("Writes all rows that match to a JSON or CSV file"));
    connect(m_export, &QAction::triggered, this, &SessionsPage::askExport);
}

void SessionsPage::addActionButtons()
{
    const QList<QAction *> actions = m_ui->table->actions();
    for (QAction *action : actions) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAutoRaise(true);
        m_ui->actionRow->addWidget(button);
    }
    m_ui->actionRow->addStretch();
}

void SessionsPage::refresh()
{
    for (const RunAction &run : std::as_const(m_runs)) {
        run.shown->setEnabled(m_presenter.can(run.action));
    }
    const bool exporting = m_exporting != nullptr;
    m_details->setEnabled(m_selection.count() == 1 && !m_selection.isReading());
    m_copy->setEnabled(!m_selection.isEmpty() && !m_selection.isReading());
    m_export->setEnabled(!exporting && m_model.rowCount() > 0);
    m_ui->status->setText(exporting ? tr("Exporting…") : m_presenter.statusText());
    showProgress();
    const SessionsPresenter::Empty empty = m_presenter.empty();
    const bool table = empty == SessionsPresenter::Empty::No;
    m_ui->stack->setCurrentWidget(table ? m_ui->tablePage : m_ui->emptyPage);
    m_ui->emptyText->setText(m_presenter.emptyText());
    m_ui->clearFilter->setVisible(empty == SessionsPresenter::Empty::NoMatch);
}

/// Of the export, which has its own text, before all else.
void SessionsPage::showProgress()
{
    const bool busy = m_exporting != nullptr || m_presenter.isBusy();
    m_ui->progress->setVisible(busy);
    m_ui->cancel->setVisible(busy);
    if (busy) {
        const SessionsPresenter::Progress progress = m_exporting ? m_exported : m_presenter.progress();
        m_ui->progress->setRange(0, progress.total);
        m_ui->progress->setValue(progress.done);
    }
}

void SessionsPage::tellVisible()
{
    const int first = m_ui->table->rowAt(0);
    const int last = m_ui->table->rowAt(m_ui->table->viewport()->height() - 1);
    m_model.setVisibleRows(first, last < 0 ? m_model.rowCount() - 1 : last);
}

void SessionsPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    tellVisible();
}

void SessionsPage::askForget()
{
    if (!m_presenter.can(SessionsPresenter::Action::Forget)) {
        return;
    }
    auto *box = new QMessageBox(
        QMessageBox::Question, tr("Forget"), m_presenter.forgetQuestion(), QMessageBox::NoButton, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(m_presenter.forgetLoss());
    QPushButton *yes = box->addButton(tr("&Forget"), QMessageBox::DestructiveRole);
    QPushButton *no = box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    // What was asked about is what is forgotten, whatever the list does meanwhile.
    connect(yes, &QPushButton::clicked, this,
        [this, rows = m_selection.rows()] { m_presenter.run(SessionsPresenter::Action::Forget, rows); });
    box->open();
}

void SessionsPage::askExport()
{
    auto *dialog = new QFileDialog(this, tr("Export"), QString(), tr("JSON (*.json);;CSV (*.csv)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) {
        dialog->setDefaultSuffix(
            filter.contains(QStringLiteral("*.csv")) ? QStringLiteral("csv") : QStringLiteral("json"));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        exportTo(path,
            path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? SessionExport::Format::Csv
                                                                       : SessionExport::Format::Json);
    });
    dialog->open();
}

void SessionsPage::exportTo(const QString &path, SessionExport::Format format)
{
    m_exporting = std::make_unique<SessionExport>(m_daemon, m_model.listParams(), path, format);
    connect(m_exporting.get(), &SessionExport::progressed, this, [this](int done, int total) {
        m_exported = { done, total };
        showProgress();
    });
    connect(m_exporting.get(), &SessionExport::finished, this, [this](const QString &sentence) {
        m_exporting.release()->deleteLater();
        m_presenter.tell(sentence);
    });
    m_exported = {};
    refresh();
    m_exporting->start();
}

void SessionsPage::showDetails()
{
    if (m_details->isEnabled()) {
        auto *dialog = new SessionDetailsDialog(m_daemon, m_clock, m_selection.first(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

} // namespace kv
