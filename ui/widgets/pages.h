// SPDX-License-Identifier: MIT
#pragma once

#include <QList>

class QSettings;

namespace kv {

class Autostart;
class Clock;
class Daemon;
class OverviewPresenter;
class Page;
class StatusFeed;

/// What pages are made of; all of it outlives them.
struct PageNeeds {
    Daemon &daemon;
    StatusFeed &feed;
    OverviewPresenter &overview;
    const Clock &clock;
    QSettings &settings;
    const Autostart &autostart;
};

/// All pages of the window, in their order; the caller takes them over.
QList<Page *> makePages(const PageNeeds &needs);

} // namespace kv
