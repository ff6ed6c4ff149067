// SPDX-License-Identifier: MIT
#include "pages.h"

#include "doctorpage.h"
#include "overviewpage.h"
#include "settingspage.h"

namespace kv {

QList<Page *> makePages(const PageNeeds &needs)
{
    return { new OverviewPage(needs.overview), new DoctorPage(needs.daemon),
        new SettingsPage(needs.daemon, needs.settings, needs.autostart) };
}

} // namespace kv
