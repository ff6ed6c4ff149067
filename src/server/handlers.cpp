// SPDX-License-Identifier: MIT
#include "handlers.h"

#include "handlerfamilies.h"

#include <QCoreApplication>

#include <array>

namespace kv {

namespace {

enum class Stopping { Serve, Refuse };

struct Entry {
    ApiMethod method;
    RequestId (*handler)(const HandlerContext &, Caller &, const QJsonObject &, const HandlerReply &);
    Stopping whileStopping;
};

constexpr std::array<Entry, 25> c_entries { {
    { ApiMethod::Hello, handler::hello, Stopping::Serve },
    { ApiMethod::RequestBegin, handler::begin, Stopping::Refuse },
    { ApiMethod::RequestEnd, handler::end, Stopping::Serve },
    { ApiMethod::SessionEvent, handler::sessionEvent, Stopping::Serve },
    { ApiMethod::Status, handler::status, Stopping::Serve },
    { ApiMethod::List, handler::list, Stopping::Serve },
    { ApiMethod::Get, handler::get, Stopping::Serve },
    { ApiMethod::Save, handler::save, Stopping::Refuse },
    { ApiMethod::Restore, handler::restore, Stopping::Refuse },
    { ApiMethod::Invalidate, handler::invalidate, Stopping::Refuse },
    { ApiMethod::Purge, handler::purge, Stopping::Refuse },
    { ApiMethod::Pin, handler::pin, Stopping::Refuse },
    { ApiMethod::Erase, handler::erase, Stopping::Refuse },
    { ApiMethod::Flush, handler::flush, Stopping::Refuse },
    { ApiMethod::Gc, handler::gc, Stopping::Refuse },
    { ApiMethod::Pause, handler::pause, Stopping::Refuse },
    { ApiMethod::Resume, handler::resume, Stopping::Refuse },
    { ApiMethod::Reload, handler::reload, Stopping::Refuse },
    { ApiMethod::Metrics, handler::metrics, Stopping::Serve },
    { ApiMethod::Doctor, handler::doctor, Stopping::Refuse },
    { ApiMethod::Config, handler::config, Stopping::Refuse },
    { ApiMethod::History, handler::history, Stopping::Serve },
    { ApiMethod::Discover, handler::discover, Stopping::Refuse },
    { ApiMethod::Cancel, handler::cancel, Stopping::Serve },
    { ApiMethod::Subscribe, handler::subscribe, Stopping::Serve },
} };

/// So that the table can be indexed; a method added to the enum alone fails the second check.
consteval bool inOrder()
{
    for (std::size_t i = 0; i < c_entries.size(); ++i) {
        if (c_entries[i].method != static_cast<ApiMethod>(i)) {
            return false;
        }
    }
    return true;
}
static_assert(inOrder(), "the entries stand in the order of ApiMethod");
static_assert(c_entries.back().method == ApiMethod::Subscribe, "every method has a handler");

} // namespace

RequestId Handlers::call(
    Caller &caller, ApiMethod method, const QJsonObject &params, const HandlerReply &reply) const
{
    const Entry &entry = c_entries.at(static_cast<std::size_t>(method));
    if (m_stopping && entry.whileStopping == Stopping::Refuse) {
        return handler::fail(reply,
            { ErrorCode::BackendUnavailable,
                QCoreApplication::translate("Handlers",
                    "kv-persistd is stopping and takes no new work. Go on without it, or ask again when it "
                    "runs."),
                {} });
    }
    return entry.handler(m_context, caller, params, reply);
}

RpcError handler::toRpcError(const Error &error) { return rpcError(error, error.data); }

HandlerResult handler::toHandlerResult(const Result<QJsonObject> &result)
{
    if (!result) {
        return toRpcError(result.error());
    }
    return result.value();
}

RequestId handler::fail(const HandlerReply &reply, const Error &error)
{
    reply(toRpcError(error));
    return 0;
}

} // namespace kv
