// SPDX-License-Identifier: MIT
#pragma once

#include "eventsmodel.h"
#include "page.h"

#include <QSortFilterProxyModel>

namespace kv {

/// What the daemon does, as it happens.
class ActivityPage final : public Page {
    Q_OBJECT

public:
    /// `daemon` outlives it.
    explicit ActivityPage(Daemon &daemon, QWidget *parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("&Activity"); }
    [[nodiscard]] QString key() const override { return QStringLiteral("activity"); }
    void setShown(bool /*shown*/) override { } // it keeps no timer and fetches nothing

private:
    EventsModel m_events;
    QSortFilterProxyModel m_filtered;
};

} // namespace kv
