// SPDX-License-Identifier: MIT
#pragma once

#include "doctormodel.h"

#include <QFrame>

class QLabel;

namespace kv {

/// One check: its verdict as a shape, a word and a colour, what was found, and what to do, with a button that
/// copies what has to be typed.
class DoctorCard final : public QFrame {
    Q_OBJECT

public:
    explicit DoctorCard(const DoctorCheck &check, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeRemedy();
    void paintVerdict();

    DoctorCheck m_check;
    QLabel *m_glyph = nullptr;
    QLabel *m_word = nullptr;
};

} // namespace kv
