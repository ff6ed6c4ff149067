// SPDX-License-Identifier: MIT
// What the fake llama-server answers to each call.
#include "fakellamaserver.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace kv::test {

namespace {

QByteArray chatPrompt(const QJsonArray &messages)
{
    QByteArray out;
    for (const QJsonValue &message : messages) {
        out += '[' + message[QStringLiteral("role")].toString().toUtf8() + "] "
            + message[QStringLiteral("content")].toString().toUtf8() + '\n';
    }
    return out;
}

QByteArray textPrompt(const QJsonValue &prompt)
{
    if (prompt.isString()) {
        return prompt.toString().toUtf8();
    }
    QByteArray out;
    const QJsonArray tokens = prompt.toArray();
    for (const QJsonValue &token : tokens) {
        out.append(static_cast<char>('A' + token.toInt() % 26));
    }
    return out;
}

QJsonObject timingsOf(const FakeCompletionReply &done)
{
    const double promptSeconds = done.promptMs / 1000;
    return { { QStringLiteral("cache_n"), done.cached }, { QStringLiteral("prompt_n"), done.processed },
        { QStringLiteral("prompt_ms"), done.promptMs },
        { QStringLiteral("prompt_per_second"),
            promptSeconds > 0 ? static_cast<double>(done.processed) / promptSeconds : 0.0 },
        { QStringLiteral("predicted_n"), done.predicted },
        { QStringLiteral("predicted_ms"), done.predictedMs } };
}

QJsonObject completionBody(const FakeCompletionReply &done, bool chat, const QString &model)
{
    const QString text = QString::fromUtf8(done.text);
    const qint64 prompt = done.cached + done.processed;
    QJsonObject out { { QStringLiteral("model"), model }, { QStringLiteral("id_slot"), done.slot },
        { QStringLiteral("timings"), timingsOf(done) } };
    if (!chat) {
        out.insert(QStringLiteral("content"), text);
        out.insert(QStringLiteral("stop"), true);
        out.insert(QStringLiteral("tokens_evaluated"), prompt);
        out.insert(QStringLiteral("tokens_predicted"), done.predicted);
        return out;
    }
    const QJsonObject message { { QStringLiteral("role"), QStringLiteral("assistant") },
        { QStringLiteral("content"), text } };
    out.insert(QStringLiteral("object"), QStringLiteral("chat.completion"));
    out.insert(QStringLiteral("choices"),
        QJsonArray { QJsonObject { { QStringLiteral("index"), 0 }, { QStringLiteral("message"), message },
            { QStringLiteral("finish_reason"), QStringLiteral("length") } } });
    out.insert(QStringLiteral("usage"),
        QJsonObject { { QStringLiteral("prompt_tokens"), prompt },
            { QStringLiteral("completion_tokens"), done.predicted },
            { QStringLiteral("total_tokens"), prompt + done.predicted },
            { QStringLiteral("prompt_tokens_details"),
                QJsonObject { { QStringLiteral("cached_tokens"), done.cached } } } });
    return out;
}

} // namespace

FakeLlamaServer::Reply FakeLlamaServer::props(const FakeEngine *engine) const
{
    if (engine == nullptr) {
        return { 200,
            compactJson({ { QStringLiteral("role"), QStringLiteral("router") },
                { QStringLiteral("max_instances"), m_options.modelsMax },
                { QStringLiteral("model_alias"), QStringLiteral("llama-server") },
                { QStringLiteral("model_path"), QStringLiteral("none") },
                { QStringLiteral("default_generation_settings"),
                    QJsonObject {
                        { QStringLiteral("params"), QJsonValue::Null }, { QStringLiteral("n_ctx"), 0 } } },
                { QStringLiteral("build_info"), m_options.build } }),
            {} };
    }
    QString marker = m_marker;
    QString path = m_options.modelPath;
    for (const auto &[model, each] : m_engines) {
        if (each.get() == engine && !model.isEmpty()) {
            marker += QString::number(m_childPorts.at(model));
            path = QStringLiteral("models/%1.gguf").arg(model);
        }
    }
    QJsonObject out { { QStringLiteral("total_slots"), static_cast<int>(engine->slotList().size()) },
        { QStringLiteral("default_generation_settings"),
            QJsonObject { { QStringLiteral("n_ctx"), m_options.slotContext },
                { QStringLiteral("params"), QJsonObject() } } },
        { QStringLiteral("model_path"), path }, { QStringLiteral("model_alias"), m_options.alias },
        { QStringLiteral("chat_template"), QStringLiteral("{{ messages }}") },
        { QStringLiteral("build_info"), m_options.build },
        { QStringLiteral("is_sleeping"), engine->sleeping() } };
    if (m_options.hasMarker) {
        out.insert(QStringLiteral("media_marker"), marker);
    }
    if (m_options.tellsSlotsEndpoint) {
        out.insert(QStringLiteral("endpoint_slots"), m_options.slotsEndpoint);
    }
    return { 200, compactJson(out), {} };
}

FakeLlamaServer::Reply FakeLlamaServer::models() const
{
    const QJsonObject meta { { QStringLiteral("vocab_type"), 1 }, { QStringLiteral("n_vocab"), 364 },
        { QStringLiteral("n_ctx"), m_options.slotContext }, { QStringLiteral("n_ctx_train"), 32768 },
        { QStringLiteral("n_embd"), 512 }, { QStringLiteral("n_params"), 23974400 },
        { QStringLiteral("size"), 47966208 } };
    QJsonArray data;
    for (const QString &model : m_options.routerModels) {
        const bool loaded = m_engines.count(model) > 0;
        QJsonArray args { QStringLiteral("/usr/bin/llama-server"), QStringLiteral("--host"),
            QStringLiteral("127.0.0.1"), QStringLiteral("--port"),
            QString::number(loaded ? m_childPorts.at(model) : 0), QStringLiteral("--model"),
            QStringLiteral("models/%1.gguf").arg(model), QStringLiteral("--parallel"),
            QString::number(m_options.slotCount) };
        if (m_options.savePath) {
            args.append(QStringLiteral("--slot-save-path"));
            args.append(QStringLiteral("kv"));
        }
        const QString state = loaded ? QStringLiteral("loaded") : QStringLiteral("unloaded");
        QJsonObject status { { QStringLiteral("value"), state }, { QStringLiteral("args"), args } };
        if (!loaded && m_failed.count(model) > 0) {
            status.insert(QStringLiteral("failed"), true);
            status.insert(QStringLiteral("exit_code"), 1);
        }
        QJsonObject entry { { QStringLiteral("id"), model }, { QStringLiteral("aliases"), QJsonArray() },
            { QStringLiteral("status"), status } };
        if (loaded) {
            entry.insert(QStringLiteral("meta"), meta);
        }
        data.append(entry);
    }
    if (m_options.routerModels.isEmpty()) {
        data.append(QJsonObject { { QStringLiteral("id"), m_options.alias },
            { QStringLiteral("object"), QStringLiteral("model") }, { QStringLiteral("meta"), meta } });
    }
    return { 200,
        compactJson(
            { { QStringLiteral("object"), QStringLiteral("list") }, { QStringLiteral("data"), data } }),
        {} };
}

FakeLlamaServer::Reply FakeLlamaServer::inspection(const FakeEngine &engine, const QString &action) const
{
    const QString unsupported = QStringLiteral("not_supported_error");
    if (action == QStringView(u"lora")) {
        return { 200, m_options.lora, {} };
    }
    if (action == QStringView(u"metrics")) {
        if (m_options.processStart.isEmpty()) {
            return error(501, QStringLiteral("This server does not support metrics endpoint."), unsupported);
        }
        return { 200, "# metrics\n", { "Process-Start-Time-Unix: " + m_options.processStart.toLatin1() } };
    }
    if (!m_options.slotsEndpoint) {
        return error(501, QStringLiteral("This server does not support slots endpoint."), unsupported);
    }
    QJsonArray out;
    for (std::size_t i = 0; i < engine.slotList().size(); ++i) {
        const FakeSlot &slot = engine.slotList().at(i);
        QJsonObject entry { { QStringLiteral("id"), static_cast<int>(i) },
            { QStringLiteral("n_ctx"), m_options.slotContext }, { QStringLiteral("speculative"), false },
            { QStringLiteral("is_processing"), slot.processing } };
        if (slot.idTask) {
            entry.insert(QStringLiteral("id_task"), *slot.idTask);
            entry.insert(QStringLiteral("n_prompt_tokens"), slot.content.size());
            entry.insert(QStringLiteral("next_token"), QJsonArray { QJsonObject() });
        }
        out.append(entry);
    }
    return { 200, QJsonDocument(out).toJson(QJsonDocument::Compact), {} };
}

void FakeLlamaServer::slotAction(FakeEngine &engine, const FakeExchangePtr &exchange, const QString &action,
    const std::optional<Fault> &fault)
{
    const QString bad = QStringLiteral("invalid_request_error");
    if (!m_options.savePath) {
        answer(exchange,
            error(501,
                QStringLiteral("This server does not support slots action. Start it with `--slot-save-path`"),
                QStringLiteral("not_supported_error")),
            fault);
        return;
    }
    bool isNumber = false;
    const int slot = exchange->request.path.section(u'/', 2).toInt(&isNumber);
    const bool save = action == QStringView(u"save");
    const bool erase = action == QStringView(u"erase");
    if (!isNumber || (!save && !erase && action != QStringView(u"restore"))) {
        answer(exchange, error(400, QStringLiteral("Invalid slot ID or action"), bad), fault);
        return;
    }
    const QString name = QJsonDocument::fromJson(exchange->request.body)
                             .object()
                             .value(QStringLiteral("filename"))
                             .toString();
    if (!erase && (name.isEmpty() || name.contains(u'/') || name.contains(QStringLiteral("..")))) {
        answer(exchange, error(400, QStringLiteral("Invalid filename"), bad), fault);
        return;
    }
    const bool late = fault && fault->kind == FaultKind::Delay;
    const int delay = late ? fault->number : 0;
    const auto rest = late ? std::nullopt : fault;
    const auto done = [this, exchange, action, rest, save, erase](const FakeActionReply &reply) {
        if (reply.status != 200) {
            answer(exchange, error(reply.status, reply.error, QStringLiteral("invalid_request_error")), rest);
            return;
        }
        QJsonObject out { { QStringLiteral("id_slot"), reply.slot } };
        if (erase) {
            out.insert(QStringLiteral("n_erased"), reply.tokens);
        } else {
            const QString ms = save ? QStringLiteral("save_ms") : QStringLiteral("restore_ms");
            out.insert(QStringLiteral("filename"), reply.fileName);
            out.insert(save ? QStringLiteral("n_saved") : QStringLiteral("n_restored"), reply.tokens);
            out.insert(save ? QStringLiteral("n_written") : QStringLiteral("n_read"), reply.bytes);
            out.insert(QStringLiteral("timings"), QJsonObject { { ms, 0.83 } });
        }
        answer(exchange, { 200, compactJson(out), {} }, rest);
    };
    engine.action(save ? SlotAction::Save
            : erase    ? SlotAction::Erase
                       : SlotAction::Restore,
        slot, name, done, exchange->connection, delay);
}

void FakeLlamaServer::completion(
    FakeEngine &engine, const FakeExchangePtr &exchange, const std::optional<Fault> &fault)
{
    const QJsonObject body = QJsonDocument::fromJson(exchange->request.body).object();
    const bool chat = body.contains(QStringLiteral("messages"));
    FakeCompletion request;
    request.prompt = chat ? chatPrompt(body.value(QStringLiteral("messages")).toArray())
                          : textPrompt(body.value(QStringLiteral("prompt")));
    const QJsonValue most = body.value(QStringLiteral("n_predict"));
    request.predict = most.isDouble() ? most.toInt() : body.value(QStringLiteral("max_tokens")).toInt(4);
    request.slot = body.value(QStringLiteral("id_slot")).toInt(-1);
    request.cachePrompt = body.value(QStringLiteral("cache_prompt")).toBool(true);
    engine.complete(
        request,
        [this, exchange, fault, chat](const FakeCompletionReply &done) {
            const Reply reply = done.status == 200
                ? Reply { 200, compactJson(completionBody(done, chat, m_options.alias)), {} }
                : error(done.status, done.error, QStringLiteral("exceed_context_size_error"));
            answer(exchange, reply, fault);
        },
        exchange->connection);
}

} // namespace kv::test
