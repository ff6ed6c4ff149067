// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QString>

#include <array>
#include <string_view>

namespace kv {

/// What of a text a journal on disk may hold. A user hands a journal to strangers, so nothing of it may say
/// who they are or what they worked on. Whatever is done to a text, equal texts stay equal, different ones
/// stay different where that could matter to a decision, and an empty one stays empty: the replay of what was
/// written decides as the coordinator did.
enum class TextPrivacy {
    Unsaid, ///< does not compile, see fieldlist.h
    /// Ids of sessions and calls: the first 16 hex digits of their sha256, of which `list` shows six.
    Hashed,
    /// Names and words: as they are while they look like one; of a path its last part behind a hash; else a
    /// hash.
    Name,
    Sentence, ///< without keys, URLs and paths, and cut to a bearable length; decides nothing
    Dropped, ///< a label is the beginning of a conversation; decides nothing
};

namespace journalprivacy {

struct Rule {
    std::string_view field;
    TextPrivacy privacy;
};

/// By the field's name, in whatever struct. Texts that are compared with each other need the same rule.
inline constexpr std::array c_rules {
    Rule { "call", TextPrivacy::Hashed }, Rule { "session", TextPrivacy::Hashed },
    Rule { "parent", TextPrivacy::Hashed }, Rule { "base", TextPrivacy::Hashed },
    Rule { "fork", TextPrivacy::Hashed }, Rule { "lastOwner", TextPrivacy::Hashed },
    Rule { "source", TextPrivacy::Hashed }, Rule { "basedOn", TextPrivacy::Hashed },
    Rule { "m_bases", TextPrivacy::Hashed }, // like sessions
    Rule { "m_wrongBases", TextPrivacy::Hashed }, Rule { "m_leftFails", TextPrivacy::Hashed },
    Rule { "endpointHash", TextPrivacy::Hashed }, Rule { "boot", TextPrivacy::Hashed },
    Rule { "m_rows", TextPrivacy::Hashed }, // by session
    Rule { "m_epochs", TextPrivacy::Hashed }, // by session
    Rule { "m_suspectBoots", TextPrivacy::Hashed }, // session → boot
    Rule { "m_purged", TextPrivacy::Hashed }, // file → session
    Rule { "m_stable", TextPrivacy::Hashed }, // sessions
    Rule { "m_reusedNothing", TextPrivacy::Hashed }, // sessions
    Rule { "m_drifting", TextPrivacy::Hashed }, // sessions
    Rule { "fingerprintHash", TextPrivacy::Name },
    Rule { "m_proofs", TextPrivacy::Name }, // by fingerprint hash
    Rule { "m_keptRates", TextPrivacy::Name }, // likewise
    Rule { "m_nudgeBuilds", TextPrivacy::Name }, // by build, as fingerprints name it
    Rule { "expectedChecksum", TextPrivacy::Name }, Rule { "what", TextPrivacy::Name },
    Rule { "checksum", TextPrivacy::Name }, Rule { "provider", TextPrivacy::Name },
    Rule { "model", TextPrivacy::Name }, Rule { "slotModel", TextPrivacy::Name },
    Rule { "purpose", TextPrivacy::Name }, Rule { "origin", TextPrivacy::Name },
    Rule { "server", TextPrivacy::Name }, Rule { "serverInstanceKey", TextPrivacy::Name },
    Rule { "reason", TextPrivacy::Name }, Rule { "name", TextPrivacy::Name }, // of a Notice
    Rule { "outcome", TextPrivacy::Name }, // likewise
    Rule { "code", TextPrivacy::Name }, // likewise
    Rule { "skipped", TextPrivacy::Name }, Rule { "cause", TextPrivacy::Sentence },
    Rule { "message", TextPrivacy::Sentence }, Rule { "slotsMessage", TextPrivacy::Sentence },
    Rule { "detail", TextPrivacy::Sentence }, Rule { "failure", TextPrivacy::Sentence }, // of a Job
    Rule { "m_unsupported", TextPrivacy::Sentence }, Rule { "m_trouble", TextPrivacy::Sentence },
    Rule { "label", TextPrivacy::Dropped }, Rule { "data", TextPrivacy::Dropped }, // of an Error
};

} // namespace journalprivacy

constexpr TextPrivacy textPrivacyOf(std::string_view field)
{
    for (const journalprivacy::Rule &rule : journalprivacy::c_rules) {
        if (rule.field == field) {
            return rule.privacy;
        }
    }
    return TextPrivacy::Unsaid;
}

/// Makes texts fit for a journal; remembers the last few thousand hashes. Not thread-safe.
class TextRedactor final {
public:
    [[nodiscard]] QString shown(TextPrivacy privacy, const QString &text);

private:
    [[nodiscard]] QString hashed(const QString &text);
    QHash<QString, QString> m_hashes;
};

/// A text for people without keys, URLs and paths, at most 300 characters long.
QString withoutPrivateParts(const QString &sentence);

} // namespace kv
