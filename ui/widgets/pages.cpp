// SPDX-License-Identifier: MIT
#include "pages.h"

#include "activitypage.h"
#include "doctorpage.h"
#include "overviewpage.h"
#include "sessionspage.h"
#include "settingspage.h"

namespace kv {

QList<Page *> makePages(const PageNeeds &needs)
{
    return { new OverviewPage(needs.overview), new SessionsPage(needs.daemon, needs.clock, needs.settings),
        new ActivityPage(needs.daemon, needs.clock), new DoctorPage(needs.daemon),
        new SettingsPage(needs.daemon, needs.settings, needs.autostart) };
}

} // namespace kv
