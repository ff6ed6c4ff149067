// SPDX-License-Identifier: MIT
// SettingsPresenter: the setters.
#include "settingspresenter.h"
#include "settingsschema.h"

#include <algorithm>

namespace kv {

namespace {

QString valueOr(const SettingsValues &values, const QString &key, const SettingsField *field)
{
    const auto found = values.find(key);
    return found != values.end() ? found->second : field != nullptr ? field->standard : QString();
}

/// `saved`: what the file says, or nullptr.
void store(
    SettingsValues &values, const QString &key, const QString &value, const SettingsField *field, bool saved)
{
    const bool standard = field != nullptr && value == field->standard;
    if (value.isEmpty() || (standard && !saved)) {
        values.erase(key);
    } else {
        values[key] = value;
    }
}

template <typename T> bool isTaken(const std::vector<T> &all, const T &self, const QString &name)
{
    return std::any_of(
        all.begin(), all.end(), [&](const T &one) { return &one != &self && one.name == name; });
}

template <typename T> QString freeName(const std::vector<T> &all, const QString &wanted)
{
    QString name = wanted;
    for (int i = 2; std::any_of(all.begin(), all.end(), [&](const T &one) { return one.name == name; });
         ++i) {
        name = QStringLiteral("%1-%2").arg(wanted).arg(i);
    }
    return name;
}

} // namespace

QString SettingsPresenter::value(const QString &key) const
{
    return valueOr(m_draft.values, key, settingsField(settingsFields(), key));
}

QString SettingsPresenter::written(const QString &key) const { return valueOr(m_draft.values, key, nullptr); }

void SettingsPresenter::setValue(const QString &key, const QString &value)
{
    store(m_draft.values, key, value.trimmed(), settingsField(settingsFields(), key),
        m_saved.values.count(key) > 0);
    touched(key);
}

QString SettingsPresenter::serverKey(int row, const QString &key) const
{
    QStringList path = m_draft.serverPath(m_draft.servers.at(static_cast<std::size_t>(row)).name, key);
    return path.mid(m_draft.wrapper.size()).join(QLatin1Char('.'));
}

QString SettingsPresenter::serverValue(int row, const QString &key) const
{
    return valueOr(
        m_draft.servers.at(static_cast<std::size_t>(row)).values, key, settingsField(serverFields(), key));
}

QString SettingsPresenter::serverWritten(int row, const QString &key) const
{
    return valueOr(m_draft.servers.at(static_cast<std::size_t>(row)).values, key, nullptr);
}

void SettingsPresenter::setServerValue(int row, const QString &key, const QString &value)
{
    SettingsServer &server = m_draft.servers.at(static_cast<std::size_t>(row));
    const auto saved = std::find_if(m_saved.servers.begin(), m_saved.servers.end(),
        [&](const SettingsServer &one) { return one.original == server.original; });
    store(server.values, key, value.trimmed(), settingsField(serverFields(), key),
        saved != m_saved.servers.end() && saved->values.count(key) > 0);
    touched(serverKey(row, key));
}

bool SettingsPresenter::renameServer(int row, const QString &name)
{
    SettingsServer &server = m_draft.servers.at(static_cast<std::size_t>(row));
    if (name == server.name) {
        return true;
    }
    if (name.isEmpty() || m_draft.shortForm || isTaken(m_draft.servers, server, name)) {
        return false;
    }
    for (SettingsProvider &provider : m_draft.providers) {
        if (provider.routes.isEmpty() && provider.server == server.name) {
            provider.server = name;
        }
    }
    if (const auto proxy = m_draft.values.find(proxyServerKey());
        proxy != m_draft.values.end() && proxy->second == server.name) {
        proxy->second = name;
    }
    server.name = name;
    touched(QStringLiteral("servers.") + name);
    Q_EMIT listsChanged();
    return true;
}

int SettingsPresenter::addServer()
{
    SettingsServer server;
    server.name = freeName(m_draft.servers, QStringLiteral("local"));
    server.values[QStringLiteral("baseURL")] = QStringLiteral("http://127.0.0.1:8080");
    m_draft.servers.push_back(server);
    Q_EMIT listsChanged();
    Q_EMIT edited();
    return static_cast<int>(m_draft.servers.size()) - 1;
}

void SettingsPresenter::removeServer(int row)
{
    const QString name = m_draft.servers.at(static_cast<std::size_t>(row)).name;
    m_draft.servers.erase(m_draft.servers.begin() + row);
    std::erase_if(m_draft.providers, [&](const SettingsProvider &provider) {
        return provider.routes.isEmpty() && provider.server == name;
    });
    Q_EMIT listsChanged();
    Q_EMIT edited();
}

QStringList SettingsPresenter::serverNames() const
{
    QStringList names;
    for (const SettingsServer &server : m_draft.servers) {
        names.append(server.name);
    }
    return names;
}

QString SettingsPresenter::removalLoss(int row) const
{
    const QString name = m_draft.servers.at(static_cast<std::size_t>(row)).name;
    QStringList providers;
    for (const SettingsProvider &provider : m_draft.providers) {
        if (provider.routes.isEmpty() && provider.server == name) {
            providers.append(provider.name);
        }
    }
    const QString lost = tr("Its settings leave the configuration, and its sessions are not kept warm any "
                            "more. No conversation is lost, and nothing happens before you apply.");
    return providers.isEmpty()
        ? lost
        : tr("%n provider(s) that go to it are removed too: %1.", nullptr, static_cast<int>(providers.size()))
                .arg(providers.join(QStringLiteral(", ")))
            + QLatin1Char(' ') + lost;
}

int SettingsPresenter::addProvider()
{
    SettingsProvider provider;
    provider.name = freeName(m_draft.providers, QStringLiteral("my-provider"));
    provider.server = m_draft.servers.empty() ? QString() : m_draft.servers.front().name;
    m_draft.providers.push_back(provider);
    Q_EMIT listsChanged();
    Q_EMIT edited();
    return static_cast<int>(m_draft.providers.size()) - 1;
}

bool SettingsPresenter::setProvider(int row, const QString &name, const QString &server)
{
    SettingsProvider &provider = m_draft.providers.at(static_cast<std::size_t>(row));
    if (name.isEmpty() || isTaken(m_draft.providers, provider, name)) {
        return false;
    }
    provider.name = name;
    if (provider.routes.isEmpty()) {
        provider.server = server;
    }
    touched(QStringLiteral("providers.") + name);
    return true;
}

void SettingsPresenter::removeProvider(int row)
{
    m_draft.providers.erase(m_draft.providers.begin() + row);
    Q_EMIT listsChanged();
    Q_EMIT edited();
}

/// What was wrong with it may be right now.
void SettingsPresenter::touched(const QString &key)
{
    if (m_problems.removeIf([&](const Problem &problem) { return problem.key == key; }) > 0) {
        Q_EMIT problemsChanged();
    }
    Q_EMIT edited();
}

} // namespace kv
