// SPDX-License-Identifier: MIT
#include "snihost.h"

#include <QDBusArgument>
#include <QDBusObjectPath>
#include <QDBusVariant>

namespace kv::test {

namespace {

QString watcherName() { return QStringLiteral("org.kde.StatusNotifierWatcher"); }
QString watcherPath() { return QStringLiteral("/StatusNotifierWatcher"); }
QString itemName() { return QStringLiteral("org.kde.StatusNotifierItem"); }
QString itemPath() { return QStringLiteral("/StatusNotifierItem"); }
QString menuName() { return QStringLiteral("com.canonical.dbusmenu"); }

/// (ia{sv}av): id, properties, children.
SniHost::MenuEntry entryOf(const QDBusArgument &from)
{
    SniHost::MenuEntry entry;
    QVariantMap properties;
    from.beginStructure();
    from >> entry.id >> properties;
    entry.label = properties.value(QStringLiteral("label")).toString().remove(u'_');
    entry.enabled = properties.value(QStringLiteral("enabled"), true).toBool();
    entry.visible = properties.value(QStringLiteral("visible"), true).toBool();
    entry.toggle = properties.value(QStringLiteral("toggle-type")).toString();
    from.beginArray();
    while (!from.atEnd()) {
        QDBusVariant child;
        from >> child;
        entry.entries.append(entryOf(child.variant().value<QDBusArgument>()));
    }
    from.endArray();
    from.endStructure();
    return entry;
}

/// a(iiay): width, height, pixels as ARGB32 in network byte order.
QList<QImage> imagesOf(const QDBusArgument &from)
{
    QList<QImage> images;
    from.beginArray();
    while (!from.atEnd()) {
        int width = 0;
        int height = 0;
        QByteArray bytes;
        from.beginStructure();
        from >> width >> height >> bytes;
        from.endStructure();
        if (width <= 0 || height <= 0 || bytes.size() != qsizetype { 4 } * width * height) {
            return {};
        }
        QImage image(width, height, QImage::Format_ARGB32);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const qsizetype at = 4 * (qsizetype { y } * width + x);
                const auto byte = [&bytes, at](int n) { return static_cast<quint8>(bytes.at(at + n)); };
                image.setPixel(x, y, qRgba(byte(1), byte(2), byte(3), byte(0)));
            }
        }
        images.append(image);
    }
    from.endArray();
    return images;
}

} // namespace

SniHost::SniHost(const QString &address)
    : m_bus(QDBusConnection::connectToBus(address, QStringLiteral("snihost")))
{
}

SniHost::~SniHost() { QDBusConnection::disconnectFromBus(QStringLiteral("snihost")); }

bool SniHost::start()
{
    m_items.clear();
    const bool there = m_bus.registerObject(
        watcherPath(), this, QDBusConnection::ExportScriptableSlots | QDBusConnection::ExportAllProperties);
    return there && m_bus.registerService(watcherName());
}

void SniHost::stop()
{
    m_bus.unregisterService(watcherName());
    m_bus.unregisterObject(watcherPath());
}

QString SniHost::problem() const { return m_problem.isEmpty() ? m_bus.lastError().message() : m_problem; }

void SniHost::RegisterStatusNotifierItem(const QString &service)
{
    m_items.append(service);
    m_bus.connect(service, itemPath(), itemName(), QString(), this, SLOT(onSignal(QDBusMessage)));
}

QDBusMessage SniHost::call(
    const QString &path, const QString &interface, const QString &method, const QVariantList &arguments)
{
    QDBusMessage message
        = QDBusMessage::createMethodCall(m_items.value(m_items.size() - 1), path, interface, method);
    message.setArguments(arguments);
    // The event loop runs meanwhile: the item may itself ask the watcher.
    const QDBusMessage answer = m_bus.call(message, QDBus::BlockWithGui);
    m_problem = answer.errorMessage();
    return answer;
}

QVariant SniHost::property(const QString &name)
{
    const QDBusMessage answer = call(itemPath(), QStringLiteral("org.freedesktop.DBus.Properties"),
        QStringLiteral("Get"), { itemName(), name });
    return answer.arguments().value(0).value<QDBusVariant>().variant();
}

QList<QImage> SniHost::pixmaps()
{
    const QVariant value = property(QStringLiteral("IconPixmap"));
    return value.canConvert<QDBusArgument>() ? imagesOf(value.value<QDBusArgument>()) : QList<QImage>();
}

/// (sa(iiay)ss): icon's name, icon, title, text.
QString SniHost::toolTip()
{
    const QVariant value = property(QStringLiteral("ToolTip"));
    if (!value.canConvert<QDBusArgument>()) {
        return {};
    }
    const auto from = value.value<QDBusArgument>();
    QString icon;
    QString title;
    QString text;
    from.beginStructure();
    from >> icon;
    static_cast<void>(imagesOf(from));
    from >> title >> text;
    from.endStructure();
    return title + u'\n' + text;
}

bool SniHost::activate()
{
    return call(itemPath(), itemName(), QStringLiteral("Activate"), { 0, 0 }).type()
        == QDBusMessage::ReplyMessage;
}

std::optional<SniHost::MenuEntry> SniHost::menu()
{
    const QString path = property(QStringLiteral("Menu")).value<QDBusObjectPath>().path();
    const QDBusMessage answer = call(path, menuName(), QStringLiteral("GetLayout"), { 0, -1, QStringList() });
    if (answer.type() != QDBusMessage::ReplyMessage || answer.arguments().size() != 2) {
        return std::nullopt;
    }
    return entryOf(answer.arguments().at(1).value<QDBusArgument>());
}

bool SniHost::click(int entry)
{
    const QString path = property(QStringLiteral("Menu")).value<QDBusObjectPath>().path();
    const QVariant nothing = QVariant::fromValue(QDBusVariant(QString()));
    return call(path, menuName(), QStringLiteral("Event"),
               { entry, QStringLiteral("clicked"), nothing, QVariant::fromValue(0U) })
               .type()
        == QDBusMessage::ReplyMessage;
}

} // namespace kv::test
