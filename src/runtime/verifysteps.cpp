// SPDX-License-Identifier: MIT
// The proof of `doctor --verify`: what it does in the slot that it holds. All of it with one token generated,
// so that the slot holds the prompt and nothing else, and a longer prompt that begins with it only appends.
#include "bytesize.h"
#include "reuse.h"
#include "verifyrun.h"

#include <QRandomGenerator>

#include <algorithm>
#include <array>
#include <utility>

namespace kv {

namespace {

constexpr qint64 c_leastCharacters = 240;
constexpr qint64 c_mostCharacters = 1600; ///< some 400 tokens; a tokenizer of bytes makes 1600 of it
constexpr qint64 c_guessCharacters = 1000;
constexpr double c_prefillSeconds = 10; ///< at most, where the server's speed is known

constexpr std::array c_words { u"river", u"stone", u"window", u"paper", u"garden", u"silver", u"morning",
    u"letter", u"bridge", u"winter", u"number", u"market", u"yellow", u"forest", u"engine", u"harbour" };

QString words(qint64 characters)
{
    QString out;
    while (out.size() < characters) {
        const auto at = QRandomGenerator::system()->bounded(static_cast<int>(c_words.size()));
        out += QString::fromUtf16(c_words.at(static_cast<std::size_t>(at))) + QLatin1Char(' ');
    }
    return out;
}

QString milliseconds(double ms) { return QStringLiteral("%1 ms").arg(ms, 0, 'f', ms < 10 ? 1 : 0); }

Usage usageOf(const PromptAnswer &answer)
{
    return { answer.promptTokens, answer.completionTokens, answer.cachedTokens };
}

/// Whether who told `facts` can be the one that the slot was granted for.
bool isOf(const ServerFacts &facts, const Identity &identity)
{
    return std::all_of(facts.compared.begin(), facts.compared.end(), [&](const auto &field) {
        const QString granted = identity.fingerprint->value(field.first);
        return granted.isEmpty() || granted == field.second;
    });
}

const SlotObservation *slotIn(const BackendReply &look, int id) { return findSlot(look.slotList, id); }

} // namespace

void VerifyRun::makeTexts()
{
    const qint64 context = m_runtime->facts().slotContext;
    qint64 characters = context > 0 ? context / 2 : c_guessCharacters;
    const double perSecond = m_runtime->coordinator().rates().prefillPerSecond;
    if (perSecond > 0) {
        characters = std::min(characters, static_cast<qint64>(3 * perSecond * c_prefillSeconds)); // 3 a token
    }
    characters = std::clamp(characters, c_leastCharacters, c_mostCharacters);
    // Random from its first word on: no server has ever seen it.
    const quint64 nonce = QRandomGenerator::system()->generate64();
    m_text = QStringLiteral("%1 ").arg(nonce, 16, 16, QLatin1Char('0')) + words(characters).trimmed()
        + QLatin1Char('\n');
    m_more = QStringLiteral("And then: ") + words(c_leastCharacters / 4);
}

void VerifyRun::cold()
{
    ask(m_text, [this](const PromptAnswer &answer) {
        m_numbers.cold = usageOf(answer);
        say(passed(QStringLiteral("verify cold"),
            QStringLiteral("A prompt of %1 tokens that the server has never seen: %2 reused, %3.")
                .arg(answer.promptTokens)
                .arg(answer.cachedTokens)
                .arg(milliseconds(answer.promptMs >= 0 ? answer.promptMs : answer.wallMs))));
        look([this](const BackendReply &reply) { save(reply); });
    });
}

void VerifyRun::save(const BackendReply &look)
{
    const SlotObservation *shown = slotIn(look, m_slot.id);
    const qint64 tokens = shown != nullptr ? shown->promptTokens.value_or(-1) : -1;
    if (tokens < 0 || looksForeign(tokens, m_numbers.cold.promptTokens)) {
        stop(QStringLiteral(
                 "slot %1 does not hold the prompt that was sent to it (it shows %2 tokens instead of "
                 "%3)")
                 .arg(m_slot.id)
                 .arg(tokens)
                 .arg(m_numbers.cold.promptTokens),
            QStringLiteral(
                "If another program uses this server, let it use kv-persist too, then verify again."));
        return;
    }
    m_fileWritten = true;
    mustAct(OpKind::Save, [this](const BackendReply &reply) { onSaved(reply); });
}

void VerifyRun::onSaved(const BackendReply &reply)
{
    if (reply.tokens <= 0 || reply.bytes <= 0 || looksForeign(reply.tokens, m_numbers.cold.promptTokens)) {
        stop(QStringLiteral("the server says that it saved %1 tokens in %2 bytes of a prompt of %3 tokens")
                 .arg(reply.tokens)
                 .arg(reply.bytes)
                 .arg(m_numbers.cold.promptTokens),
            QStringLiteral("Look at the server's log and at the space on its disk."), true);
        return;
    }
    m_numbers.saved = reply.tokens;
    m_savedBytes = reply.bytes;
    say(passed(QStringLiteral("verify save"),
        QStringLiteral("%1 tokens saved, %2, in %3.")
            .arg(reply.tokens)
            .arg(formatBytes(reply.bytes), milliseconds(reply.wallMs))));
    resident();
}

void VerifyRun::resident()
{
    // What the server reuses of a slot that was never saved or restored: more cannot be asked of a restore.
    ask(m_text, [this](const PromptAnswer &again) {
        m_numbers.residentSame = usageOf(again);
        ask(m_text + m_more, [this](const PromptAnswer &longer) {
            m_numbers.residentContinued = usageOf(longer);
            say(passed(QStringLiteral("verify resident"),
                QStringLiteral(
                    "Still in the slot, %1 of its tokens are reused by the same prompt, %2 by a longer "
                    "one.")
                    .arg(m_numbers.residentSame.cachedTokens)
                    .arg(m_numbers.residentContinued.cachedTokens)));
            control();
        });
    });
}

void VerifyRun::control()
{
    // If the server's own cache in memory gave the prompt back, what is seen after a restore would prove
    // nothing.
    mustAct(OpKind::Erase, [this](const BackendReply &) {
        ask(m_text, [this](const PromptAnswer &answer) {
            m_numbers.control = usageOf(answer);
            say(passed(QStringLiteral("verify control"),
                QStringLiteral("Erased and not restored: %1 of %2 tokens reused.")
                    .arg(answer.cachedTokens)
                    .arg(answer.promptTokens)));
            if (!m_settings.acrossRestart) {
                restoreThen(&VerifyRun::same);
                return;
            }
            mustAct(OpKind::Erase, [this](const BackendReply &) { giveBackForRestart(); });
        });
    });
}

void VerifyRun::giveBackForRestart()
{
    EndRequest end;
    end.connection = m_settings.connection;
    end.lease = std::exchange(m_lease, 0);
    end.more = false;
    m_house.end(end);
    m_gaveBack = true;
    m_restartWait.start();
    connect(&m_poll, &QTimer::timeout, this, &VerifyRun::pollForRestart);
    m_poll.start(m_settings.pollMs);
    say(passed(QStringLiteral("verify waiting"),
        QStringLiteral(
            "Restart the server now, as you always do; waiting up to %1 minutes for it. (Ctrl-C ends "
            "this, and nothing is left behind.)")
            .arg(std::max(1, m_settings.restartMs / 60'000))));
}

void VerifyRun::pollForRestart()
{
    if (m_restartWait.elapsed() > m_settings.restartMs) {
        stop(QStringLiteral("the server was not restarted within the time given"),
            QStringLiteral(
                "Run “kv-persist doctor --verify --restart” again, and restart the server when it asks."));
        return;
    }
    act(OpKind::Identity, [this](const BackendReply &reply) {
        const bool back = reply.failure == OpFailure::None && reply.facts.complete
            && !reply.facts.boot.isEmpty() && reply.facts.boot != m_boot && !reply.facts.sleeping;
        if (!back) {
            m_poll.start(m_settings.pollMs);
            return;
        }
        m_restarted = true;
        say(passed(QStringLiteral("verify restart"), QStringLiteral("The server was restarted.")));
        if (!m_stopping) {
            askForSlot();
        }
    });
    m_patience.stop(); // a server that is being restarted may be silent: the time for that is another
}

void VerifyRun::restoreThen(void (VerifyRun::*next)())
{
    look([this, next](const BackendReply &) {
        mustAct(OpKind::Erase, [this, next](const BackendReply &) {
            mustAct(OpKind::Restore, [this, next](const BackendReply &reply) { onRestored(reply, next); });
        });
    });
}

void VerifyRun::onRestored(const BackendReply &reply, void (VerifyRun::*next)())
{
    const bool whole = reply.tokens == m_numbers.saved && reply.bytes == m_savedBytes;
    m_numbers.whole = m_numbers.whole && whole;
    const QString told = QStringLiteral("%1 of %2 tokens and %3 of %4 bytes restored, in %5.")
                             .arg(reply.tokens)
                             .arg(m_numbers.saved)
                             .arg(reply.bytes)
                             .arg(m_savedBytes)
                             .arg(milliseconds(reply.wallMs));
    say(whole ? passed(QStringLiteral("verify restore"), told)
              : warned(QStringLiteral("verify restore"), told,
                  QStringLiteral("Look at the server's log and at the disk of its slot folder.")));
    look([this, next](const BackendReply &seen) {
        const SlotObservation *shown = slotIn(seen, m_slot.id);
        const std::optional<qint64> tokens = shown != nullptr ? shown->promptTokens : std::nullopt;
        const QString inspect = QStringLiteral("verify inspect");
        if (!tokens) {
            say(passed(inspect, QStringLiteral("A slot that was never used does not tell what it holds.")));
        } else if (looksForeign(*tokens, m_numbers.saved)) {
            say(warned(inspect,
                QStringLiteral("The slot shows %1 tokens instead of %2.").arg(*tokens).arg(m_numbers.saved),
                QStringLiteral("What that means is said at the end.")));
        } else {
            say(passed(inspect, QStringLiteral("The slot shows %1 tokens.").arg(*tokens)));
        }
        (this->*next)();
    });
}

void VerifyRun::same()
{
    ask(m_text, [this](const PromptAnswer &answer) {
        m_numbers.same = usageOf(answer);
        const bool needed = judgeReuse(m_numbers.saved, m_numbers.residentSame).verdict == Verdict::Verified;
        sayReuse(
            QStringLiteral("verify same"), QStringLiteral("The same prompt again"), m_numbers.same, needed);
        restoreThen(&VerifyRun::continued);
    });
}

void VerifyRun::continued()
{
    ask(m_text + m_more, [this](const PromptAnswer &answer) {
        m_numbers.continued = usageOf(answer);
        sayReuse(
            QStringLiteral("verify continued"), QStringLiteral("A longer prompt"), m_numbers.continued, true);
        look([this](const BackendReply &) { judge(); });
    });
}

void VerifyRun::judge()
{
    const ProofJudgement judgement = judgeProof(m_numbers);
    if (judgement.verdict == ProofVerdict::Broken && !std::exchange(m_secondRound, true)) {
        restoreThen(&VerifyRun::continued); // a bad word about a server is not said lightly
        return;
    }
    conclude(judgement);
}

void VerifyRun::sayReuse(const QString &name, const QString &what, const Usage &usage, bool needed)
{
    const QString told = QStringLiteral("%1: %2 of %3 tokens reused.")
                             .arg(what)
                             .arg(usage.cachedTokens)
                             .arg(usage.promptTokens);
    const bool reused = judgeReuse(m_numbers.saved, usage).verdict == Verdict::Verified;
    say(reused || !needed ? passed(name, told)
                          : warned(name, told, QStringLiteral("What that means is said at the end.")));
}

void VerifyRun::act(OpKind kind, OnReply then)
{
    Op op;
    op.id = m_op = m_nextOp++;
    op.kind = kind;
    op.slot = m_slot;
    m_onReply = std::move(then);
    if (!m_stopping) {
        m_patience.start(m_settings.stepMs);
    }
    const bool named = kind == OpKind::Save || kind == OpKind::Restore;
    m_backend->start(op, named ? m_settings.fileName : QString());
}

void VerifyRun::onReply(const BackendReply &reply)
{
    if (reply.id != m_op) {
        return;
    }
    m_op = 0;
    if (!m_stopping) {
        m_patience.stop();
    }
    if (const OnReply then = std::exchange(m_onReply, {})) {
        then(reply);
    }
}

void VerifyRun::mustAct(OpKind kind, OnReply then)
{
    if (!holdsLease()) {
        stop(QStringLiteral("the slot was taken away meanwhile"), QStringLiteral("Verify again later."));
        return;
    }
    act(kind, [this, kind, then = std::move(then)](const BackendReply &reply) {
        if (reply.failure == OpFailure::None) {
            then(reply);
            return;
        }
        const bool ofItself = kind != OpKind::Look && reply.failure != OpFailure::ConnectionRefused
            && reply.failure != OpFailure::ConnectionLost;
        stop(reply.message,
            reply.failure == OpFailure::Unsupported
                ? QStringLiteral("Start llama-server with --slot-save-path FOLDER.")
                : QStringLiteral("Look at the server's log, then verify again."),
            ofItself);
    });
}

void VerifyRun::look(OnReply then)
{
    mustAct(OpKind::Look, [this, then = std::move(then)](const BackendReply &reply) {
        const bool first = m_boot.isEmpty();
        if (!reply.slotsListed || slotIn(reply, m_slot.id) == nullptr) {
            stop(reply.slotsMessage.isEmpty() ? QStringLiteral("the server does not list its slots")
                                              : reply.slotsMessage,
                QStringLiteral("Start llama-server without --no-slots."));
        } else if (first ? !isOf(reply.facts, m_identity) : reply.facts.boot != m_boot) {
            stop(QStringLiteral("the server was restarted meanwhile"), QStringLiteral("Verify again."));
        } else {
            m_boot = reply.facts.boot;
            noteTasks(reply);
            then(reply);
        }
    });
}

void VerifyRun::noteTasks(const BackendReply &look)
{
    for (const SlotObservation &slot : look.slotList) {
        const qint64 task = slot.idTask.value_or(-1);
        const auto known = m_tasks.find(slot.id);
        const bool ours = slot.id == m_slot.id;
        const bool changed = known != m_tasks.end() && known->second != task && !(ours && m_ranSince);
        if (changed || slot.processing) {
            m_numbers.undisturbed = false;
        }
        m_tasks[slot.id] = task;
    }
    m_ranSince = false;
}

void VerifyRun::ask(const QString &prompt, OnPrompt then)
{
    if (!holdsLease()) {
        stop(QStringLiteral("the slot was taken away meanwhile"), QStringLiteral("Verify again later."));
        return;
    }
    m_onPrompt = std::move(then);
    m_ranSince = true;
    m_prompts.send(m_slot.id, prompt, m_settings.stepMs);
}

void VerifyRun::onPrompt(const PromptAnswer &answer)
{
    const OnPrompt then = std::exchange(m_onPrompt, {});
    if (!then) {
        return;
    }
    if (answer.failure != OpFailure::None) {
        stop(answer.message, QStringLiteral("Look at the server's log, then verify again."));
        return;
    }
    then(answer);
}

} // namespace kv
