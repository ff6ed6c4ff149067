// SPDX-License-Identifier: MIT
#pragma once

#include "overviewpresenter.h"

#include <QProgressBar>

namespace kv {

/// How far something is: busy when that is not known, hidden when there is nothing.
class OverviewProgressBar final : public QProgressBar {
    Q_OBJECT

public:
    explicit OverviewProgressBar(QWidget *parent = nullptr);

    /// `of`, whose progress it is, names the bar for screen readers; empty: the progress itself says it.
    void setProgress(const QString &of, const std::optional<OverviewPresenter::Progress> &progress);
};

} // namespace kv
