// SPDX-License-Identifier: MIT
#include "overviewtext.h"

#include "localetext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>

namespace kv {

namespace {

class OverviewText final {
    Q_DECLARE_TR_FUNCTIONS(kv::OverviewText)

public:
    static QString backend(BackendView::State state)
    {
        using State = BackendView::State;
        switch (state) {
        case State::Healthy:
            return tr("Ready");
        case State::Degraded:
            return tr("The last calls failed");
        case State::Open:
            return tr("Resting after too many failures");
        case State::HalfOpen:
            return tr("Trying again after failures");
        case State::Unreachable:
            return tr("Does not answer");
        case State::Unsupported:
            return tr("Cannot save as it was started");
        case State::Sleeping:
            return tr("Sleeping: its model is unloaded");
        case State::Other:
            break;
        }
        return tr("State not known");
    }

    static QString server(const ServerView &server)
    {
        const BackendView::State state = server.backend.state;
        const bool well = state == BackendView::State::Healthy || state == BackendView::State::Sleeping;
        if (well && server.compatibility == ServerView::Compatibility::Broken) {
            return tr("Does not reuse restored sessions");
        }
        if (well && server.paused) {
            const QString until = untilText(server.pausedUntilMs);
            return until.isEmpty() ? tr("Paused until resumed") : tr("Paused %1", "until a time").arg(until);
        }
        return backend(state);
    }

    static QString slotState(SlotView::State state)
    {
        using State = SlotView::State;
        switch (state) {
        case State::Unknown:
            return tr("content not known");
        case State::Idle:
            return tr("empty");
        case State::Restoring:
            return tr("being restored");
        case State::Ready:
            return tr("saved");
        case State::Inference:
            return tr("answering");
        case State::Dirty:
            return tr("not saved yet");
        case State::Saving:
            return tr("being saved");
        case State::Broken:
            return tr("out of use after an error");
        case State::Late:
            return tr("late: an operation may still run");
        case State::Other:
            break;
        }
        return {};
    }

    static QString running(RunningView::Kind kind)
    {
        using Kind = RunningView::Kind;
        switch (kind) {
        case Kind::Inference:
            return tr("Answering");
        case Kind::Save:
            return tr("Saving");
        case Kind::Restore:
            return tr("Restoring");
        case Kind::Erase:
            return tr("Emptying");
        case Kind::Inspect:
            return tr("Looking");
        case Kind::Other:
            break;
        }
        return tr("Busy");
    }

    static QString context(const SlotView &slot)
    {
        if (!slot.tokens) {
            return {};
        }
        if (!slot.context) {
            return tr("%1 tokens").arg(localeTokens(*slot.tokens));
        }
        return tr("%1 of %2 tokens").arg(localeTokens(*slot.tokens), localeTokens(*slot.context));
    }

    static QString progress(const OverviewProgress::Work &work)
    {
        const QString percent = localePercent(work.permille / 1000.0);
        const QString share
            = work.bytes ? tr("%1 of %2", "percent, size").arg(percent, localeBytes(*work.bytes)) : percent;
        if (work.slot >= 0) {
            return work.what == OverviewProgress::What::Check ? tr("Checking its file: %1").arg(share)
                                                              : tr("Working on its file: %1").arg(share);
        }
        return work.what == OverviewProgress::What::Checksum
            ? tr("Checksum of %1: %2", "session, how far").arg(work.name(), share)
            : tr("Working on the file of %1: %2", "session, how far").arg(work.name(), share);
    }

    static QString rates(const RatesView &rates)
    {
        if (rates.prefill && rates.generate) {
            return tr("prefill %1, generating %2")
                .arg(localeRate(*rates.prefill), localeRate(*rates.generate));
        }
        if (rates.prefill) {
            return tr("prefill %1").arg(localeRate(*rates.prefill));
        }
        return rates.generate ? tr("generating %1").arg(localeRate(*rates.generate)) : QString();
    }

    static QString nobody() { return tr("Nobody"); }
    static QString until(const QString &time) { return tr("until %1").arg(time); }
};

} // namespace

QString serverStateText(const ServerView &server) { return OverviewText::server(server); }
QString slotStateText(const SlotView &slot) { return OverviewText::slotState(slot.state); }

QString runningText(const SlotView &slot)
{
    return slot.running ? OverviewText::running(slot.running->kind) : QString();
}

QString contextText(const SlotView &slot) { return OverviewText::context(slot); }

std::optional<double> contextShare(const SlotView &slot)
{
    if (!slot.tokens || slot.context.value_or(0) <= 0) {
        return std::nullopt;
    }
    return std::clamp(static_cast<double>(*slot.tokens) / static_cast<double>(*slot.context), 0.0, 1.0);
}

QString progressText(const OverviewProgress::Work &work) { return OverviewText::progress(work); }

QString ratesText(const RatesView &rates) { return OverviewText::rates(rates); }

QString slotOwnerText(const SlotView &slot)
{
    return slot.isOwned() ? slot.ownerName() : OverviewText::nobody();
}

bool isWarm(const SlotView &slot)
{
    using State = SlotView::State;
    return slot.isOwned()
        && (slot.state == State::Ready || slot.state == State::Dirty || slot.state == State::Saving
            || slot.state == State::Inference);
}

QString untilText(std::optional<qint64> untilMs)
{
    if (!untilMs) {
        return {};
    }
    const QDateTime until = QDateTime::fromMSecsSinceEpoch(*untilMs);
    const bool today = until.date() == QDate::currentDate();
    return OverviewText::until(today ? QLocale().toString(until.time(), QLocale::ShortFormat)
                                     : QLocale().toString(until, QLocale::ShortFormat));
}

QString copyableIn(const QString &advice)
{
    static const QRegularExpression flag(
        QStringLiteral("(?<![\\w-])--[a-z][a-z0-9-]*(?: (?:[A-Z]+|[0-9]+)(?![\\w]))?"));
    const QRegularExpressionMatch found = flag.match(advice);
    if (found.hasMatch()) {
        return found.captured();
    }
    static const QRegularExpression command(QStringLiteral("“(kv-persist [^”]+)”"));
    return command.match(advice).captured(1);
}

} // namespace kv
