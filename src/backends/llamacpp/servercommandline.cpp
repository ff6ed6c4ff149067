// SPDX-License-Identifier: MIT
#include "servercommandline.h"

#include "fingerprint.h"

#include <algorithm>
#include <array>
#include <map>

namespace kv {

namespace {

constexpr qint64 c_longestSleepSeconds = 10LL * 365 * 24 * 3600;

enum class What {
    TypeK,
    TypeV,
    Flash,
    Rope,
    Draft,
    SwaFull,
    Unified,
    Streams,
    SavePath,
    Port,
    Sleep,
    Host,
    Key,
    IdleSlots,
    CacheRam,
    Media,
    SlotsDebug,
};

struct Option {
    QStringView name;
    What what;
    bool takesValue;
    QStringView fixed; ///< without a value: what it means
};

constexpr std::array<Option, 49> c_options { {
    { u"-ctk", What::TypeK, true, {} },
    { u"--cache-type-k", What::TypeK, true, {} },
    { u"-ctv", What::TypeV, true, {} },
    { u"--cache-type-v", What::TypeV, true, {} },
    { u"-fa", What::Flash, false, u"on" }, // the value is optional: older builds had none
    { u"--flash-attn", What::Flash, false, u"on" },
    { u"--no-flash-attn", What::Flash, false, u"off" },
    { u"--rope-scaling", What::Rope, true, {} },
    { u"--rope-scale", What::Rope, true, {} },
    { u"--rope-freq-base", What::Rope, true, {} },
    { u"--rope-freq-scale", What::Rope, true, {} },
    { u"--yarn-orig-ctx", What::Rope, true, {} },
    { u"--yarn-ext-factor", What::Rope, true, {} },
    { u"--yarn-attn-factor", What::Rope, true, {} },
    { u"--yarn-beta-slow", What::Rope, true, {} },
    { u"--yarn-beta-fast", What::Rope, true, {} },
    { u"--override-kv", What::Rope, true, {} },
    { u"-md", What::Draft, true, {} },
    { u"--model-draft", What::Draft, true, {} },
    { u"--spec-draft-model", What::Draft, true, {} },
    { u"-hfd", What::Draft, true, {} },
    { u"-hfrd", What::Draft, true, {} },
    { u"--hf-repo-draft", What::Draft, true, {} },
    { u"--spec-draft-hf", What::Draft, true, {} },
    { u"--swa-full", What::SwaFull, false, u"on" },
    { u"--no-swa-full", What::SwaFull, false, u"off" },
    { u"-kvu", What::Unified, false, u"on" },
    { u"--kv-unified", What::Unified, false, u"on" },
    { u"-no-kvu", What::Unified, false, u"off" },
    { u"--no-kv-unified", What::Unified, false, u"off" },
    { u"-np", What::Streams, true, {} },
    { u"--parallel", What::Streams, true, {} },
    { u"--n-parallel", What::Streams, true, {} },
    { u"--slot-save-path", What::SavePath, true, {} },
    { u"--port", What::Port, true, {} },
    { u"--sleep-idle-seconds", What::Sleep, true, {} },
    { u"--kv-unified-per-slot", What::Rope, true, {} },
    { u"--host", What::Host, true, {} },
    { u"--api-key", What::Key, true, {} },
    { u"--api-key-file", What::Key, true, {} },
    { u"--cache-idle-slots", What::IdleSlots, false, u"on" },
    { u"--no-cache-idle-slots", What::IdleSlots, false, u"off" },
    { u"-cram", What::CacheRam, true, {} },
    { u"--cache-ram", What::CacheRam, true, {} },
    { u"-mm", What::Media, true, {} },
    { u"--mmproj", What::Media, true, {} },
    { u"-mmu", What::Media, true, {} },
    { u"--mmproj-url", What::Media, true, {} },
    { u"--no-mmproj", What::Media, false, u"" },
} };

struct Variable {
    QStringView name;
    What what;
    QStringView option; ///< Rope: the option it stands for
};

constexpr std::array<Variable, 27> c_variables { {
    { u"LLAMA_ARG_CACHE_TYPE_K", What::TypeK, {} },
    { u"LLAMA_ARG_CACHE_TYPE_V", What::TypeV, {} },
    { u"LLAMA_ARG_FLASH_ATTN", What::Flash, {} },
    { u"LLAMA_ARG_ROPE_SCALING_TYPE", What::Rope, u"--rope-scaling" },
    { u"LLAMA_ARG_ROPE_SCALE", What::Rope, u"--rope-scale" },
    { u"LLAMA_ARG_ROPE_FREQ_BASE", What::Rope, u"--rope-freq-base" },
    { u"LLAMA_ARG_ROPE_FREQ_SCALE", What::Rope, u"--rope-freq-scale" },
    { u"LLAMA_ARG_YARN_ORIG_CTX", What::Rope, u"--yarn-orig-ctx" },
    { u"LLAMA_ARG_YARN_EXT_FACTOR", What::Rope, u"--yarn-ext-factor" },
    { u"LLAMA_ARG_YARN_ATTN_FACTOR", What::Rope, u"--yarn-attn-factor" },
    { u"LLAMA_ARG_YARN_BETA_SLOW", What::Rope, u"--yarn-beta-slow" },
    { u"LLAMA_ARG_YARN_BETA_FAST", What::Rope, u"--yarn-beta-fast" },
    { u"LLAMA_ARG_SPEC_DRAFT_MODEL", What::Draft, {} },
    { u"LLAMA_ARG_MODEL_DRAFT", What::Draft, {} },
    { u"LLAMA_ARG_SPEC_DRAFT_HF_REPO", What::Draft, {} },
    { u"LLAMA_ARG_SWA_FULL", What::SwaFull, {} },
    { u"LLAMA_ARG_KV_UNIFIED", What::Unified, {} },
    { u"LLAMA_ARG_N_PARALLEL", What::Streams, {} },
    { u"LLAMA_ARG_SLOT_SAVE_PATH", What::SavePath, {} },
    { u"LLAMA_ARG_PORT", What::Port, {} },
    { u"LLAMA_ARG_SLEEP_IDLE_SECONDS", What::Sleep, {} },
    { u"LLAMA_ARG_HOST", What::Host, {} },
    { u"LLAMA_ARG_CACHE_IDLE_SLOTS", What::IdleSlots, {} },
    { u"LLAMA_ARG_CACHE_RAM", What::CacheRam, {} },
    { u"LLAMA_ARG_MMPROJ", What::Media, {} },
    { u"LLAMA_ARG_MMPROJ_URL", What::Media, {} },
    { u"LLAMA_SERVER_SLOTS_DEBUG", What::SlotsDebug, {} },
} };

/// "on", "off" or "auto" for the ways a switch is spelt; empty: none of them.
QString switchValue(const QString &text)
{
    const QString lower = text.toLower();
    if (lower == QStringView(u"on") || lower == QStringView(u"1") || lower == QStringView(u"true")
        || lower == QStringView(u"enabled")) {
        return QStringLiteral("on");
    }
    if (lower == QStringView(u"off") || lower == QStringView(u"0") || lower == QStringView(u"false")
        || lower == QStringView(u"disabled")) {
        return QStringLiteral("off");
    }
    if (lower == QStringView(u"auto") || lower == QStringView(u"-1")) {
        return QStringLiteral("auto");
    }
    return {};
}

class Collector final {
public:
    void set(What what, QStringView option, const QString &value)
    {
        switch (what) {
        case What::TypeK:
            m_out.typeK = value.toLower();
            break;
        case What::TypeV:
            m_out.typeV = value.toLower();
            break;
        case What::Flash:
            assignSwitch(m_out.flashAttention, value);
            break;
        case What::Rope:
            m_rope[option.mid(2).toString()] = value;
            break;
        case What::Draft:
            m_out.draftModel = value;
            break;
        case What::SwaFull:
            assignSwitch(m_out.swaFull, value);
            break;
        case What::Unified:
            assignSwitch(m_out.kvUnified, value);
            break;
        case What::Streams:
            m_out.streams = value.toInt() > 0 ? QString::number(value.toInt()) : QStringLiteral("auto");
            break;
        case What::SavePath:
            m_out.slotSavePath = value;
            break;
        case What::Port:
            m_out.port = std::clamp(value.toInt(), 0, 65535);
            break;
        case What::Sleep:
            m_out.sleepIdleMs = 1000 * std::clamp<qint64>(value.toLongLong(), 0, c_longestSleepSeconds);
            break;
        case What::Host:
            m_out.host = value;
            break;
        case What::Key:
            m_out.apiKey = !value.isEmpty();
            break;
        case What::IdleSlots:
            assignSwitch(m_out.cacheIdleSlots, value);
            break;
        case What::CacheRam:
            m_out.cacheRamMiB = value.toLongLong();
            break;
        case What::Media:
            m_out.multimodal = !value.isEmpty();
            break;
        case What::SlotsDebug:
            m_out.slotsDebug = value.toInt() != 0;
            break;
        }
    }

    ServerCommandLine take()
    {
        QStringList parts;
        for (const auto &[name, value] : m_rope) {
            parts.append(name + u'=' + value);
        }
        if (!parts.isEmpty()) {
            m_out.rope = parts.join(QStringLiteral(", "));
        }
        return m_out;
    }

private:
    static void assignSwitch(QString &to, const QString &value)
    {
        const QString meant = switchValue(value);
        to = meant.isEmpty() ? value : meant;
    }
    ServerCommandLine m_out;
    std::map<QString, QString> m_rope; // sorted, so that the order of options does not matter
};

} // namespace

FieldList ServerCommandLine::compared() const
{
    return {
        { field::typeK.toString(), typeK },
        { field::typeV.toString(), typeV },
        { field::flashAttention.toString(), flashAttention },
        { field::rope.toString(), rope },
        { field::draftModel.toString(), draftModel },
        { field::swaFull.toString(), swaFull },
        { field::kvUnified.toString(), kvUnified },
        { field::streams.toString(), streams },
    };
}

ServerCommandLine parseServerCommandLine(const QStringList &argv, const QHash<QString, QString> &environment)
{
    Collector collector;
    for (const Variable &variable : c_variables) {
        const QString value = environment.value(variable.name.toString());
        if (!value.isEmpty()) {
            collector.set(variable.what, variable.option, value);
        }
    }
    for (qsizetype i = 0; i < argv.size(); ++i) {
        const QString &word = argv.at(i);
        const auto *const option = std::find_if(
            c_options.begin(), c_options.end(), [&word](const Option &each) { return each.name == word; });
        if (option == c_options.end()) {
            continue;
        }
        const bool more = i + 1 < argv.size();
        if (option->takesValue) {
            if (more) {
                collector.set(option->what, option->name, argv.at(++i));
            }
        } else if (option->what == What::Flash && more && !switchValue(argv.at(i + 1)).isEmpty()) {
            collector.set(option->what, option->name, argv.at(++i));
        } else {
            collector.set(option->what, option->name, option->fixed.toString());
        }
    }
    ServerCommandLine out = collector.take();
    // Not an option, but it changes how K and V are stored, and a state of the other kind restores with 200.
    const QString rotation = environment.value(QStringLiteral("LLAMA_ATTN_ROT_DISABLE"));
    if (!rotation.isEmpty() && rotation.toInt() != 0) {
        out.typeK += QStringLiteral(" unrotated");
        out.typeV += QStringLiteral(" unrotated");
    }
    return out;
}

bool isLlamaServer(const QStringList &argv)
{
    // The second word counts too: a loader or a wrapper may stand in front.
    for (qsizetype i = 0; i < std::min<qsizetype>(argv.size(), 2); ++i) {
        const QString name = argv.at(i).section(u'/', -1);
        if (name.startsWith(QStringLiteral("llama-server"))) {
            return true;
        }
        if (name == QStringView(u"llama") && i + 1 < argv.size() && argv.at(i + 1) == QStringView(u"serve")) {
            return true;
        }
    }
    return false;
}

} // namespace kv
