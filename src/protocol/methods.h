// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>
#include <QStringView>

#include <optional>

namespace kv {

/// Version of the local API. The rule: it is raised only when a client written against the old number could
/// misunderstand the new daemon, that is when a method, a field or an error disappears or changes its meaning
/// or unit. New methods, new optional parameters, new result fields, new events and new error codes do not
/// raise it: both sides ignore what they do not know. A client may name the version it was written for in
/// `hello`; the daemon refuses any other than its own, and the client checks the number in the answer.
inline constexpr int c_protocolVersion = 1;

enum class ApiMethod {
    Hello,
    RequestBegin,
    RequestEnd,
    SessionEvent,
    Status,
    List,
    Get,
    Save,
    Restore,
    Invalidate,
    Purge,
    Pin,
    Erase,
    Flush,
    Gc,
    Pause,
    Resume,
    Reload,
    Metrics,
    Doctor,
    Config,
    History,
    Discover,
    Cancel,
    Subscribe,
};

struct ParamInfo {
    QString name;
    bool required = false;
};

struct MethodInfo {
    ApiMethod method = ApiMethod::Hello;
    QString name;
    /// It does its work when sent without an id. Any other method sent so is ignored: nobody could be told.
    bool mayNotify = false;
    QList<ParamInfo> params;
    QStringList results; ///< names at the top of the result object, optional ones included
};

/// All methods, in the order of ApiMethod.
const QList<MethodInfo> &allMethods();
const MethodInfo &methodInfo(ApiMethod method);
std::optional<ApiMethod> methodFromName(QStringView name);
QString methodName(ApiMethod method);

// Notifications of the daemon.
inline constexpr QStringView c_eventNotification = u"event";
inline constexpr QStringView c_doctorNotification = u"doctor.check";

// Topics of kv.subscribe that are not prefixes of event names; also the `name` of such an event.
inline constexpr QStringView c_statusTopic = u"status";
inline constexpr QStringView c_doctorTopic = u"doctor";

} // namespace kv
