// SPDX-License-Identifier: MIT
#pragma once

#include "statusfeed.h"
#include "trayiconstate.h"

namespace kv {

/// What the tray icon and its menu show and do.
class TrayIconPresenter final : public QObject {
    Q_OBJECT

public:
    /// A slot in the menu.
    struct Owner {
        QString text; ///< "my-project, 48.7K of 131.1K tokens, not saved yet"
        bool warm = false;

        bool operator==(const Owner &) const = default;
    };

    TrayIconPresenter(Daemon &daemon, StatusFeed &feed, QObject *parent = nullptr);

    [[nodiscard]] TrayState state() const { return trayStateOf(m_feed.status()); }
    [[nodiscard]] QString toolTip() const;
    [[nodiscard]] QList<Owner> owners() const;
    /// The first line of the menu.
    [[nodiscard]] QString headline() const;
    [[nodiscard]] bool canSave() const; ///< a slot holds something unsaved
    [[nodiscard]] bool canPause() const;
    [[nodiscard]] bool canResume() const;

    void saveNow();
    /// nullopt: until resumed.
    void pause(std::optional<qint64> ms);
    void resume();

Q_SIGNALS:
    void changed();
    /// A command came to nothing: a sentence for the user.
    void failed(const QString &sentence);

private:
    void order(const QString &method, const QJsonObject &params);

    Daemon &m_daemon;
    StatusFeed &m_feed;
};

} // namespace kv
