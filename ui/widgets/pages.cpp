// SPDX-License-Identifier: MIT
#include "pages.h"

#include "overviewpage.h"

namespace kv {

QList<Page *> makePages(const PageNeeds &needs) { return { new OverviewPage(needs.overview) }; }

} // namespace kv
