// SPDX-License-Identifier: MIT
#include "dshtest.h"

#include <QDir>
#include <QJsonDocument>

namespace kv::test {

namespace {

/// The last number after `key` in a streamed answer; −1: it is not there.
int lastNumber(const QByteArray &reply, const QByteArray &key)
{
    const qsizetype at = reply.lastIndexOf('"' + key + "\":");
    if (at < 0) {
        return -1;
    }
    qsizetype from = at + key.size() + 3;
    int number = 0;
    for (; from < reply.size() && reply[from] >= '0' && reply[from] <= '9'; ++from) {
        number = number * 10 + (reply[from] - '0');
    }
    return number;
}

Spoken spokenOf(const RecordedCall &call)
{
    const QJsonObject body = QJsonDocument::fromJson(call.body).object();
    Spoken spoken;
    spoken.session = body[QStringLiteral("prompt_cache_key")].toString();
    spoken.cached = lastNumber(call.reply, "cache_n");
    spoken.prompt = spoken.cached + lastNumber(call.reply, "prompt_n");
    return spoken;
}

} // namespace

QString Spoken::text() const
{
    return QStringLiteral("%1 of %2 prompt tokens were cached (%3 %), %4 ms")
        .arg(cached)
        .arg(prompt)
        .arg(prompt > 0 ? 100.0 * cached / prompt : 0, 0, 'f', 1)
        .arg(ms, 0, 'f', 0);
}

StageOptions DshTest::dshStage()
{
    StageOptions options;
    options.model = QStringLiteral("tiny-long");
    options.serverFlags = { QStringLiteral("-np"), QStringLiteral("1"), QStringLiteral("--cache-ram"),
        QStringLiteral("0"), QStringLiteral("-c"), QStringLiteral("65536"), QStringLiteral("-ub"),
        QStringLiteral("2048"), QStringLiteral("-t"), QStringLiteral("2"), QStringLiteral("--temp"),
        QStringLiteral("0"), QStringLiteral("--ignore-eos") };
    return options;
}

QByteArray DshTest::noTitlePatch() { return "- id: session-title-llm\n  disabled: true\n"; }

bool DshTest::setStage(const StageOptions &options)
{
    m_stage = std::make_unique<Stage>(options);
    if (!m_stage->start()) {
        QTest::qFail("the stage does not come up", __FILE__, __LINE__);
        return false;
    }
    return true;
}

bool DshTest::newHome(const QByteArray &patch, bool plugin, const QByteArray &pluginConfig)
{
    useHome(plugin, patch);
    m_home->setPluginConfig(pluginConfig);
    return startDsh();
}

void DshTest::useHome(bool plugin, const QByteArray &patch)
{
    m_dsh.reset();
    if (m_home == nullptr) {
        m_home = std::make_unique<DshHome>();
    }
    m_home->clear(); // at the same path, which is part of the prompt
    m_home->setUp(m_stage->daemon().socketPath(), m_stage->proxy().url());
    m_home->setPatch(patch);
    m_home->setPlugin(plugin);
}

bool DshTest::startDsh()
{
    m_dsh = std::make_unique<DshProcess>(*m_home);
    return m_dsh->start();
}

QJsonObject DshTest::tell(const char *verb, const QJsonArray &arguments)
{
    return m_dsh->call(QString::fromLatin1(verb), arguments);
}

Spoken DshTest::ask(const QString &session, const QString &text, const QJsonArray &tools)
{
    QJsonArray arguments { session, text };
    if (!tools.isEmpty()) {
        arguments.append(tools);
    }
    const QJsonObject end = tell("ask", arguments);
    const QList<Spoken> all = allSpoken();
    Spoken spoken = all.isEmpty() ? Spoken() : all.last();
    spoken.ms = end[QStringLiteral("ms")].toDouble();
    spoken.usageCached = end[QStringLiteral("usage")][QStringLiteral("cacheReadTokens")].toInt();
    // A model of random weights never stops by itself, so every answer ends at its limit.
    if (end[QStringLiteral("reason")] != QStringLiteral("max-tokens") || spoken.prompt <= 0) {
        spoken.failure = QString::fromUtf8(QJsonDocument(end).toJson(QJsonDocument::Compact)) + m_dsh->log();
    }
    return spoken;
}

QList<std::shared_ptr<RecordedCall>> DshTest::completions(bool conversations)
{
    QList<std::shared_ptr<RecordedCall>> found;
    for (const auto &call : m_stage->proxy().calls()) {
        if (call->target == "/v1/chat/completions" && call->body.contains("\"tools\":") == conversations) {
            found.append(call);
        }
    }
    return found;
}

QList<Spoken> DshTest::allSpoken()
{
    QList<Spoken> all;
    for (const auto &call : completions()) {
        all.append(spokenOf(*call));
    }
    return all;
}

QString DshTest::statusLine(const QString &session)
{
    return tell("command", { session, QStringLiteral("/kv") })[QStringLiteral("text")].toString();
}

bool DshTest::waitNothingRuns()
{
    return QTest::qWaitFor([this] { return !m_stage->slot().contains(QStringLiteral("running")); }, 30000);
}

bool DshTest::waitTitles(int count, int ms)
{
    return QTest::qWaitFor(
        [&] {
            const auto titles = completions(false);
            return titles.size() == count && titles.last()->reply.contains("[DONE]");
        },
        ms);
}

void DshTest::initTestCase()
{
    const QString reasons[] = { DshHome::whyNot(), RealLlamaServer::whyNot(QStringLiteral("tiny-long")) };
    for (const QString &reason : reasons) {
        if (!reason.isEmpty()) {
            QSKIP(qPrintable(reason));
        }
    }
    QVERIFY2(!builtProgram(QStringLiteral("kv-persistd")).isEmpty(), "kv-persistd is not built");
}

void DshTest::cleanup()
{
    if (QTest::currentTestFailed()) {
        qInfo().noquote() << (m_dsh != nullptr ? m_dsh->log() : QString())
                          << (m_stage != nullptr ? m_stage->log() : QString());
    }
    m_dsh.reset();
    m_home.reset();
    m_stage.reset();
}

} // namespace kv::test
