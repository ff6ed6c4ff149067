// SPDX-License-Identifier: MIT
#pragma once

#include "firststartpresenter.h"

#include <QWizard>

#include <memory>

namespace kv {

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class FirstStartDialog;
}

/// The assistant of the first start: find a server, check it, name it, done. Can be left at any time; nothing
/// is written before the page of the names is left forwards. Show it with open().
class FirstStartDialog final : public QWizard {
    Q_OBJECT

public:
    /// Daemon and store outlive it.
    FirstStartDialog(Daemon &daemon, QSettings &store, const Autostart &autostart, QWidget *parent = nullptr);
    ~FirstStartDialog() override;
    Q_DISABLE_COPY_MOVE(FirstStartDialog)

private:
    void onPage(int id);
    void showFound();
    void showCheck();
    void showWriting();
    void showComplete();
    bool writeFirst();
    bool finishAutostart();
    [[nodiscard]] QString address() const;

    FirstStartPresenter m_presenter;
    std::unique_ptr<Ui::FirstStartDialog> m_ui;
};

} // namespace kv
