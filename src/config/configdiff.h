// SPDX-License-Identifier: MIT
#pragma once

#include "config.h"

namespace kv {

/// What a reload has to do.
struct ConfigChange {
    QStringList addedServers;
    QStringList removedServers;
    QStringList changedServers; ///< same name, other settings; a new API key is one
    QStringList sections; ///< other top-level keys whose values differ, as the file spells them

    [[nodiscard]] bool isEmpty() const
    {
        return addedServers.isEmpty() && removedServers.isEmpty() && changedServers.isEmpty()
            && sections.isEmpty();
    }
};

ConfigChange whatChanged(const Config &before, const Config &after);

} // namespace kv
