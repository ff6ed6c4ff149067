// SPDX-License-Identifier: MIT
#pragma once

#include <QScrollArea>

class QVBoxLayout;

namespace kv {

class DoctorModel;

/// The checks of a doctor as cards, grouped by server. Keeps the latest in sight while they come.
class DoctorList final : public QScrollArea {
    Q_OBJECT

public:
    explicit DoctorList(QWidget *parent = nullptr);

    /// The model outlives the list. Once.
    void setModel(DoctorModel *model);

private:
    void rebuild();
    void add(int row);

    DoctorModel *m_model = nullptr;
    QVBoxLayout *m_column = nullptr;
    QString m_server; ///< of the last card
};

} // namespace kv
