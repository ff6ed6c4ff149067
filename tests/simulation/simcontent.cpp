// SPDX-License-Identifier: MIT
#include "simcontent.h"

#include <algorithm>
#include <array>

namespace kv::sim {

namespace {
constexpr qint64 c_context = 65536;
constexpr int c_names = 26;
}

Streams::Streams() { m_streams.push_back({}); }

StreamId Streams::add(int owner, StreamId parent, qint64 fork)
{
    m_streams.push_back({ owner, parent, fork });
    return static_cast<StreamId>(m_streams.size() - 1);
}

qint64 Streams::common(StreamId a, qint64 tokensOfA, StreamId b, qint64 tokensOfB) const
{
    // A parent is older than its child, so the younger of the two is the one to climb from.
    while (a != b) {
        StreamId &younger = a > b ? a : b;
        qint64 &tokens = a > b ? tokensOfA : tokensOfB;
        const Stream &stream = m_streams[index(younger)];
        tokens = std::min(tokens, stream.fork);
        younger = stream.parent;
    }
    return std::min(tokensOfA, tokensOfB);
}

const FingerprintPtr &fingerprintOfModel(int model)
{
    static const auto make = [](int number) {
        return std::make_shared<const Fingerprint>(
            FieldList { { field::modelPath.toString(), QStringLiteral("model-%1.gguf").arg(number) } },
            FieldList {}, c_context);
    };
    static const std::array<FingerprintPtr, c_models> all { make(0), make(1), make(2) };
    return all.at(static_cast<std::size_t>(model));
}

int modelOf(const Fingerprint &fingerprint)
{
    for (int model = 0; model < c_models; ++model) {
        if (fingerprintOfModel(model)->hash() == fingerprint.hash()) {
            return model;
        }
    }
    return -1;
}

const QString &nameOfSession(int session)
{
    static const auto all = [] {
        std::array<QString, c_names> names;
        for (int i = 0; i < c_names; ++i) {
            names.at(static_cast<std::size_t>(i)) = QString(QChar(u'A' + static_cast<char16_t>(i)));
        }
        return names;
    }();
    return all.at(static_cast<std::size_t>(session));
}

int sessionOfName(const QString &name)
{
    return name.size() == 1 ? name.front().unicode() - u'A' : c_stranger;
}

} // namespace kv::sim
