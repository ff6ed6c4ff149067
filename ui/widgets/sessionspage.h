// SPDX-License-Identifier: MIT
#pragma once

#include "page.h"
#include "sessionexport.h"
#include "sessionspresenter.h"

#include <QAction>

#include <memory>

class QSettings;

namespace kv {

namespace Ui {
class SessionsPage;
}

/// Every snapshot in a table, and what can be done with it by hand.
class SessionsPage final : public Page {
    Q_OBJECT

public:
    /// All outlive the page. The table's header is remembered in `settings`.
    SessionsPage(Daemon &daemon, const Clock &clock, QSettings &settings, QWidget *parent = nullptr);
    ~SessionsPage() override;
    Q_DISABLE_COPY_MOVE(SessionsPage)

    [[nodiscard]] QString title() const override { return tr("&Sessions"); }
    [[nodiscard]] QString key() const override { return QStringLiteral("sessions"); }
    void setShown(bool shown) override;
    [[nodiscard]] const SessionsModel &model() const { return m_model; }
    /// Writes what the filter lets through, in the table's order.
    void exportTo(const QString &path, SessionExport::Format format);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void setUpTable();
    void setUpHeader();
    void fitHeader();
    [[nodiscard]] int widthOf(int column) const;
    void addActions();
    void addActionButtons();
    QAction *addAction(const QString &text, const QKeySequence &key, const QString &tip);
    void addRun(
        SessionsPresenter::Action action, const QString &text, const QKeySequence &key, const QString &tip);
    void refresh();
    void showProgress();
    void tellVisible();
    void askForget();
    void askExport();
    void showDetails();

    Daemon &m_daemon;
    const Clock &m_clock;
    QSettings &m_settings;
    SessionsModel m_model;
    SessionsSelection m_selection;
    SessionsPresenter m_presenter;
    std::unique_ptr<Ui::SessionsPage> m_ui;
    struct RunAction {
        SessionsPresenter::Action action;
        QAction *shown;
    };
    QList<RunAction> m_runs;
    bool m_fitted = false; ///< the columns to the window, or by somebody
    QAction *m_details = nullptr;
    QAction *m_copy = nullptr;
    QAction *m_export = nullptr;
    std::unique_ptr<SessionExport> m_exporting;
    SessionsPresenter::Progress m_exported;
};

} // namespace kv
