// SPDX-License-Identifier: MIT
#pragma once

#include "fakeservice.h"
#include "fakeupstream.h"
#include "proxyserver.h"

#include <QtTest>

namespace kv::test {

inline constexpr int c_patienceMs = 30000; ///< on a busy machine

/// A proxy between a scripted server and a scripted service.
class ProxyStage final {
public:
    explicit ProxyStage(const HttpListenerLimits &limits = {})
        : proxy(service, limits)
    {
        config.servers.emplace_back();
        config.servers.back().name = QStringLiteral("local");
        config.servers.back().baseUrl = upstream.url();
        config.providers.push_back(
            { QStringLiteral("other"), { { QStringLiteral("*"), QStringLiteral("elsewhere") } } });
        config.providers.push_back(
            { QStringLiteral("local-qwen"), { { QStringLiteral("*"), QStringLiteral("local") } } });
        config.proxy = ProxyConfig { { QStringLiteral("127.0.0.1"), 0 }, QStringLiteral("local") };
        up = proxy.configure(config).ok() && upstream.listening;
    }

    [[nodiscard]] bool waitRequests(qsizetype count)
    {
        return QTest::qWaitFor([&] { return upstream.requests.size() >= count; }, c_patienceMs);
    }
    [[nodiscard]] bool waitOver()
    {
        return QTest::qWaitFor([&] { return proxy.exchanges() == 0; }, c_patienceMs);
    }

    static BeginAnswer grant(std::optional<Transport> transport = Transport { 3, true })
    {
        BeginAnswer answer = FakeService::residentGrant();
        answer.grant.transport = transport;
        return answer;
    }

    FakeUpstream upstream;
    FakeService service;
    Config config;
    ProxyServer proxy;
    bool up = false;
};

inline const QByteArray c_chatBody
    = "{\"model\":\"m\", \"messages\":[{\"role\":\"user\",\"content\":\"hi\"}] }";

} // namespace kv::test
