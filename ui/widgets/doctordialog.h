// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

class QLabel;
class QProgressBar;

namespace kv {

class DoctorPresenter;

/// What a doctor finds, in a window of its own. Closing it ends the doctor.
class DoctorDialog final : public QDialog {
    Q_OBJECT

public:
    /// The presenter outlives the dialog.
    DoctorDialog(DoctorPresenter &doctor, const QString &title, QWidget *parent = nullptr);

private:
    void showState();

    DoctorPresenter &m_doctor;
    QLabel *m_summary;
    QProgressBar *m_progress;
};

} // namespace kv
