// SPDX-License-Identifier: MIT
#include "overviewprogressbar.h"

#include "localetext.h"

namespace kv {

namespace {

constexpr int c_whole = 1000; ///< permille

} // namespace

OverviewProgressBar::OverviewProgressBar(QWidget *parent)
    : QProgressBar(parent)
{
    setMaximumHeight(fontMetrics().height() + 2); // a row does not grow when it comes
    hide();
}

void OverviewProgressBar::setProgress(
    const QString &of, const std::optional<OverviewPresenter::Progress> &progress)
{
    setVisible(progress.has_value());
    if (!progress) {
        return;
    }
    setRange(0, progress->share ? c_whole : 0);
    setValue(progress->share ? qRound(*progress->share * c_whole) : 0);
    // Mirrored, Fusion (Qt 6.4) writes on the bar in the colour for beside it, and the other way round.
    setTextVisible(progress->share.has_value() && !isRightToLeft());
    setFormat(progress->share ? localePercent(*progress->share) : QString());
    setAccessibleName(of.isEmpty() ? progress->text : tr("Progress of %1").arg(of));
    setAccessibleDescription(progress->text);
    setToolTip(progress->text);
}

} // namespace kv
