// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace kv {

/// One page of the main window.
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Name in the list of pages, translated, with a mnemonic ("&Sessions").
    [[nodiscard]] virtual QString title() const = 0;
    /// A stable key for settings, screenshots and `--page`: "sessions".
    [[nodiscard]] virtual QString key() const = 0;
    /// Shown or hidden: a page that is not shown keeps no timers and fetches nothing.
    virtual void setShown(bool shown) = 0;
};

} // namespace kv
