// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

namespace kv {

/// A sheet with round corners on the window's ground.
class OverviewPanel final : public QFrame {
    Q_OBJECT

public:
    enum class Kind {
        Plain,
        Attention, ///< with a bar of the warning colour at its beginning
    };

    explicit OverviewPanel(QWidget *parent = nullptr)
        : QFrame(parent)
    {
    }
    OverviewPanel(Kind kind, QWidget *parent)
        : QFrame(parent)
        , m_kind(kind)
    {
    }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Kind m_kind = Kind::Plain;
};

} // namespace kv
