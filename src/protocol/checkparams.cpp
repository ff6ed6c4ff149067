// SPDX-License-Identifier: MIT
#include "params.h"

namespace kv {

namespace {

template <typename T> Result<Done> verdict(const Result<T> &decoded)
{
    if (!decoded) {
        return decoded.error();
    }
    return Done {};
}

} // namespace

Result<Done> checkParams(ApiMethod method, const QJsonObject &params)
{
    switch (method) {
    case ApiMethod::Hello:
        return verdict(decodeHello(params));
    case ApiMethod::RequestBegin:
        return verdict(decodeBegin(params));
    case ApiMethod::RequestEnd:
        return verdict(decodeEnd(params));
    case ApiMethod::SessionEvent:
        return verdict(decodeSessionEvent(params));
    case ApiMethod::List:
        return verdict(decodeList(params));
    case ApiMethod::Get:
    case ApiMethod::Save:
    case ApiMethod::Restore:
    case ApiMethod::Invalidate:
    case ApiMethod::Purge:
    case ApiMethod::Pin:
        return verdict(decodeSession(params));
    case ApiMethod::Erase:
        return verdict(decodeErase(params));
    case ApiMethod::Gc:
        return verdict(decodeGc(params));
    case ApiMethod::Pause:
    case ApiMethod::Resume:
        return verdict(decodePause(params));
    case ApiMethod::Doctor:
        return verdict(decodeDoctor(params));
    case ApiMethod::Config:
        return verdict(decodeConfig(params));
    case ApiMethod::History:
        return verdict(decodeHistory(params));
    case ApiMethod::Cancel:
        return verdict(decodeCancel(params));
    case ApiMethod::Subscribe:
        return verdict(decodeSubscribe(params));
    case ApiMethod::Status:
    case ApiMethod::Flush:
    case ApiMethod::Reload:
    case ApiMethod::Metrics:
    case ApiMethod::Discover:
        break;
    }
    return Done {};
}

} // namespace kv
