// SPDX-License-Identifier: MIT
#include "factsbook.h"

#include "fingerprint.h"
#include "servercommandline.h"

#include <QDir>
#include <QRandomGenerator>

#include <algorithm>

namespace kv {

namespace {

void put(FieldList &list, QStringView name, const QString &value)
{
    if (!value.isEmpty()) {
        list.emplace_back(name.toString(), value);
    }
}

void put(FieldList &list, QStringView name, const std::optional<qint64> &value)
{
    if (value) {
        list.emplace_back(name.toString(), QString::number(*value));
    }
}

bool sameRuntime(const PropsAnswer &a, const PropsAnswer &b)
{
    return a.totalSlots == b.totalSlots && a.build == b.build && a.modelPath == b.modelPath;
}

QString generatedMark() { return QStringLiteral("seen-"); }
QString metricsMark() { return QStringLiteral("start-"); }

} // namespace

QString bootOf(const PropsAnswer &props, const std::optional<LocalProcess> &process)
{
    if (!props.mediaMarker.isEmpty() || !process) {
        return props.mediaMarker;
    }
    return QStringLiteral("pid-%1-%2").arg(process->pid).arg(process->startTicks);
}

bool isFormerBoot(const QString &boot, const QString &now)
{
    const bool ours = boot.startsWith(generatedMark()) || boot.startsWith(metricsMark());
    return !boot.isEmpty() && !now.isEmpty() && !ours && boot != now;
}

FactsBook::FactsBook(quint16 port, QString routerModel, ProcessFinder finder)
    : m_port(port)
    , m_routerModel(std::move(routerModel))
    , m_finder(std::move(finder))
    , m_random(QString::number(QRandomGenerator::system()->generate64(), 16))
{
}

void FactsBook::forget()
{
    m_facts = {};
    m_props = {};
    m_model.reset();
    m_process.reset();
    m_commandLine.clear();
    m_lora.clear();
    m_metricsStart.clear();
    m_used.clear();
    m_childPort = 0;
    m_propsKnown = m_modelsKnown = m_loraKnown = m_metricsKnown = m_generated = m_processSought = false;
}

void FactsBook::seekProcess(quint16 port)
{
    if (m_port == 0 || port == 0 || m_processSought) {
        return;
    }
    m_processSought = true; // once per boot: it reads much of /proc
    m_process = m_finder(port);
}

void FactsBook::begin(const QString &boot)
{
    if (boot == m_facts.boot) {
        return;
    }
    const auto process = m_process; // found while the new id was made
    const bool generated = m_generated;
    forget();
    m_process = process;
    m_processSought = true;
    m_generated = generated && !process;
    m_facts.boot = boot;
}

QString FactsBook::generate()
{
    return generatedMark() + QStringLiteral("%1-%2").arg(m_random).arg(++m_generation);
}

QString FactsBook::bootWithoutMarker(const PropsAnswer &props)
{
    if (m_process && !stillRuns(*m_process)) {
        m_process.reset();
        m_processSought = false;
    }
    seekProcess(m_port);
    if (m_process) {
        return bootOf(props, m_process);
    }
    if (!m_metricsStart.isEmpty()) {
        return metricsMark() + m_metricsStart;
    }
    const bool known = m_generated && !m_facts.boot.isEmpty();
    m_generated = true;
    return known && (!m_propsKnown || sameRuntime(props, m_props)) ? m_facts.boot : generate();
}

void FactsBook::noteProps(const PropsAnswer &props)
{
    if (props.router) {
        forget(); // the router's own: it has no slots, so no boot that matters
        m_facts.router = true;
        m_facts.modelsMax = props.modelsMax;
        m_facts.build = props.build;
        m_facts.modelLoaded = false;
        return;
    }
    if (props.mediaMarker.isEmpty()) {
        begin(bootWithoutMarker(props));
    } else if (props.mediaMarker != m_facts.boot) {
        forget();
        begin(props.mediaMarker);
        m_processSought = false;
        if (m_routerModel.isEmpty()) {
            seekProcess(m_port);
        }
    }
    m_propsKnown = true;
    // A field once known stays known for the boot.
    PropsAnswer merged = props;
    merged.build = props.build.isEmpty() ? m_props.build : props.build;
    merged.modelPath = props.modelPath.isEmpty() ? m_props.modelPath : props.modelPath;
    merged.alias = props.alias.isEmpty() ? m_props.alias : props.alias;
    merged.totalSlots = props.totalSlots == 0 ? m_props.totalSlots : props.totalSlots;
    merged.slotContext = props.slotContext == 0 ? m_props.slotContext : props.slotContext;
    merged.chatTemplateHash
        = props.chatTemplateHash.isEmpty() ? m_props.chatTemplateHash : props.chatTemplateHash;
    m_props = merged;
    m_facts.router = !m_routerModel.isEmpty();
    m_facts.modelLoaded = true;
    if (m_process && m_commandLine.empty()) {
        useCommandLine(m_process->argv, m_process->environment, m_process->workingDirectory);
    }
}

void FactsBook::useCommandLine(
    const QStringList &argv, const QHash<QString, QString> &environment, const QString &folder)
{
    const ServerCommandLine line = parseServerCommandLine(argv, environment);
    m_commandLine = line.compared();
    m_facts.slotSavePath = line.slotSavePath;
    m_facts.sleepIdleMs = line.sleepIdleMs;
    if (!line.slotSavePath.isEmpty() && !folder.isEmpty()) {
        m_facts.slotSavePath = QDir::cleanPath(QDir(folder).absoluteFilePath(line.slotSavePath));
    }
}

void FactsBook::noteUnloaded()
{
    forget();
    m_facts.router = true;
    m_facts.modelLoaded = false;
}

void FactsBook::noteModels(const QString &boot, const std::vector<ModelEntry> &models)
{
    if (boot != m_facts.boot || boot.isEmpty()) {
        return;
    }
    const auto found = m_routerModel.isEmpty()
        ? models.begin()
        : std::find_if(models.begin(), models.end(),
            [this](const ModelEntry &entry) { return entry.hasName(m_routerModel); });
    if (found != models.end()) {
        m_model = *found;
        if (!m_routerModel.isEmpty()) {
            noteRouterModel(*found);
        }
    }
    m_modelsKnown = m_facts.boot == boot;
}

void FactsBook::noteRouterModel(const ModelEntry &model)
{
    if (!model.loaded()) {
        noteUnloaded();
        return;
    }
    const int port = parseServerCommandLine(model.args).port;
    if (m_childPort != 0 && port != 0 && port != m_childPort) {
        forget(); // another process; its id is known with the next /props
        m_facts.router = true;
        return;
    }
    if (m_facts.boot.isEmpty() || port == 0) {
        return;
    }
    m_childPort = port;
    seekProcess(static_cast<quint16>(port));
    // The child inherits the router's environment, which its arguments override.
    useCommandLine(model.args, m_process ? m_process->environment : QHash<QString, QString>(),
        m_process ? m_process->workingDirectory : QString());
}

void FactsBook::noteModelsMissing(const QString &boot)
{
    if (boot == m_facts.boot) {
        m_modelsKnown = true;
    }
}

void FactsBook::noteLora(const QString &boot, const QString &adapters)
{
    if (boot == m_facts.boot) {
        m_loraKnown = true;
        m_lora = adapters.isEmpty() ? m_lora : adapters;
    }
}

void FactsBook::noteMetrics(const QString &boot, const QString &processStart)
{
    if (boot != m_facts.boot || !m_generated) {
        return;
    }
    if (!processStart.isEmpty() && !m_metricsStart.isEmpty() && processStart != m_metricsStart) {
        const PropsAnswer props = m_props; // read just before, from the new process
        forget();
        m_processSought = true;
        m_generated = m_propsKnown = true;
        m_props = props;
    }
    m_metricsKnown = true;
    if (!processStart.isEmpty()) {
        m_metricsStart = processStart;
        m_facts.boot = metricsMark() + processStart;
    }
}

void FactsBook::noteSlots(const std::vector<SlotObservation> &slotList)
{
    if (!m_generated) {
        return;
    }
    for (const SlotObservation &before : m_used) {
        const auto now = std::find_if(slotList.begin(), slotList.end(),
            [&before](const SlotObservation &slot) { return slot.id == before.id; });
        const bool gone = now == slotList.end();
        const bool lost = !gone
            && ((before.idTask && (!now->idTask || *now->idTask < *before.idTask))
                || (before.promptTokens && !now->promptTokens));
        if (gone || lost) {
            noteRefused();
            return;
        }
    }
    m_used.clear();
    std::copy_if(slotList.begin(), slotList.end(), std::back_inserter(m_used),
        [](const SlotObservation &slot) { return slot.idTask || slot.promptTokens; });
}

void FactsBook::noteRefused()
{
    if (m_generated) {
        forget();
    }
}

ServerFacts FactsBook::facts() const
{
    ServerFacts out = m_facts;
    if (m_facts.boot.isEmpty()) {
        return out;
    }
    out.complete = m_propsKnown && m_modelsKnown && m_loraKnown && (!m_generated || m_metricsKnown);
    out.sleeping = m_props.sleeping;
    out.totalSlots = m_props.totalSlots;
    out.slotContext = m_props.slotContext;
    out.build = m_props.build;
    out.modelPath = m_props.modelPath;
    out.alias = m_props.alias;
    put(out.compared, field::backend, QStringLiteral("llama.cpp"));
    put(out.compared, field::build, m_props.build);
    put(out.compared, field::modelPath, m_props.modelPath);
    if (m_model) {
        put(out.compared, field::nParams, m_model->nParams);
        put(out.compared, field::modelSize, m_model->size);
        put(out.compared, field::nVocab, m_model->nVocab);
        put(out.compared, field::nEmbd, m_model->nEmbd);
        put(out.compared, field::nCtxTrain, m_model->nCtxTrain);
    }
    put(out.compared, field::lora, m_lora);
    out.compared.insert(out.compared.end(), m_commandLine.begin(), m_commandLine.end());
    put(out.shown, field::alias, m_props.alias);
    put(out.shown, field::chatTemplate, m_props.chatTemplateHash);
    put(out.shown, field::slotSavePath, m_facts.slotSavePath);
    if (m_process) {
        out.local = true;
        out.serverPid = m_process->pid;
        out.serverStartWallMs = m_process->startWallMs;
        if (!m_props.modelPath.isEmpty() && !m_process->workingDirectory.isEmpty()) {
            out.modelFile
                = QDir::cleanPath(QDir(m_process->workingDirectory).absoluteFilePath(m_props.modelPath));
        }
    }
    return out;
}

} // namespace kv
