// SPDX-License-Identifier: MIT
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <QVariant>

#include <optional>

namespace kv::test {

/// A tray as KDE's and GNOME's extension have it (StatusNotifierItem over D-Bus): the watcher at which items
/// register, and a host that reads them. See
/// https://www.freedesktop.org/wiki/Specifications/StatusNotifierItem for the items, and
/// com.canonical.dbusmenu (libdbusmenu) for their menus. Calls wait for their answer.
class SniHost final : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.kde.StatusNotifierWatcher")
    Q_PROPERTY(QStringList RegisteredStatusNotifierItems READ items)
    Q_PROPERTY(bool IsStatusNotifierHostRegistered READ isHost)
    Q_PROPERTY(int ProtocolVersion READ version)

public:
    struct MenuEntry {
        int id = 0;
        QString label; ///< without mnemonic
        bool enabled = true;
        bool visible = true;
        QString toggle; ///< "checkmark"; empty: it cannot be checked
        QList<MenuEntry> entries;
    };

    explicit SniHost(const QString &address);
    ~SniHost() override;
    Q_DISABLE_COPY_MOVE(SniHost)

    bool start(); ///< takes the watcher's name
    void stop(); ///< gives it away, as a panel does that ends
    [[nodiscard]] QString problem() const; ///< of the last call or of the bus
    /// Names on the bus, in the order in which they registered.
    [[nodiscard]] QStringList items() const { return m_items; }

    // Of the item that registered last.
    [[nodiscard]] QVariant property(const QString &name);
    [[nodiscard]] QList<QImage> pixmaps(); ///< IconPixmap
    /// Title and text of ToolTip.
    [[nodiscard]] QString toolTip();
    /// Activate, as a click does.
    bool activate();
    [[nodiscard]] std::optional<MenuEntry> menu();
    /// As a click on an entry of the menu does.
    bool click(int entry);
    /// Signals of the item that were seen: NewIcon, NewToolTip, ...
    [[nodiscard]] QStringList seen() const { return m_seen; }
    void forgetSeen() { m_seen.clear(); }

public Q_SLOTS:
    Q_SCRIPTABLE void RegisterStatusNotifierItem(const QString &service); // NOLINT: the name is the bus's
    Q_SCRIPTABLE void RegisterStatusNotifierHost(const QString & /*service*/) { } // NOLINT: likewise

private Q_SLOTS:
    void onSignal(const QDBusMessage &message) { m_seen.append(message.member()); }

private:
    [[nodiscard]] bool isHost() const { return true; }
    [[nodiscard]] int version() const { return 0; }
    QDBusMessage call(
        const QString &path, const QString &interface, const QString &method, const QVariantList &arguments);

    QDBusConnection m_bus;
    QStringList m_items;
    QStringList m_seen;
    QString m_problem;
};

} // namespace kv::test
