// SPDX-License-Identifier: MIT
#pragma once

#include "doctorpresenter.h"
#include "page.h"

#include <memory>

namespace kv {

// NOLINTNEXTLINE(readability-identifier-naming): the name that uic gives
namespace Ui {
class DoctorPage;
}

/// Runs the doctor on a server and shows each check as it is done.
class DoctorPage final : public Page {
    Q_OBJECT

public:
    /// The daemon outlives the page.
    explicit DoctorPage(Daemon &daemon, QWidget *parent = nullptr);
    ~DoctorPage() override;
    Q_DISABLE_COPY_MOVE(DoctorPage)

    [[nodiscard]] QString title() const override { return tr("&Doctor"); }
    [[nodiscard]] QString key() const override { return QStringLiteral("doctor"); }
    void setShown(bool shown) override;
    /// Starts the checks of a configured server, or of all; for menus.
    void run(const QString &server = {});

protected:
    void changeEvent(QEvent *event) override;

private:
    void fillTargets();
    void start();
    void showState();
    [[nodiscard]] bool otherAddress() const;

    DoctorPresenter m_doctor;
    std::unique_ptr<Ui::DoctorPage> m_ui;
};

} // namespace kv
