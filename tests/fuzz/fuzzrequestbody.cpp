// SPDX-License-Identifier: MIT
// What is made of a request's body: its members, its prompt, its session, the slot that is written into it.
#include "bodyedit.h"
#include "fuzztarget.h"
#include "sessionbook.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace kv;

namespace {

constexpr auto c_apis
    = { ApiKind::Completion, ApiKind::ChatCompletions, ApiKind::Responses, ApiKind::Messages };

void checkEdit(const QByteArray &body, const JsonMembers &members)
{
    const QByteArray edited = withTransport(body, members, Transport { 3, true });
    const auto again = skimObject(edited);
    require(again.has_value() && numberOf(*again, "id_slot") == 3.0, "the slot is written in");
    const QJsonDocument before = QJsonDocument::fromJson(body);
    if (!before.isObject()) {
        return; // the server refuses it, with and without us
    }
    QJsonObject expected = before.object();
    expected.insert(QStringLiteral("id_slot"), 3);
    if (!expected.contains(QStringLiteral("cache_prompt"))) {
        expected.insert(QStringLiteral("cache_prompt"), true);
    }
    require(QJsonDocument::fromJson(edited).object() == expected, "and nothing else is changed");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzzBytes(data, size);
    static_cast<void>(readTarget(bytes));
    const auto members = skimObject(bytes);
    require(
        members.has_value() || !QJsonDocument::fromJson(bytes).isObject() || bytes.startsWith("\xEF\xBB\xBF"),
        "an object is seen as one");
    if (!members) {
        return 0;
    }
    checkEdit(bytes, *members);
    SessionBook book;
    const SessionClaim claim = claimOf({}, *members, {});
    for (const ApiKind api : c_apis) {
        const PromptChain chain = readChain(api, *members);
        require(chain.shared(chain) == chain.parts.size() && chain.opening <= chain.parts.size(),
            "a prompt is like itself");
        const Sighting first = book.see(claim, chain);
        const Sighting again = book.see(claim, chain);
        require(again.session == first.session && !again.drift, "said again it is the same session");
    }
    return 0;
}
