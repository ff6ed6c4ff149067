// SPDX-License-Identifier: MIT
#pragma once

#include "localprocess.h"
#include "operation.h"
#include "serverfacts.h"
#include "serverjson.h"

#include <QString>

#include <optional>
#include <vector>

namespace kv {

/// Of the boot ids below, the one that a process has whoever looks; empty: neither marker nor process is
/// known.
QString bootOf(const PropsAnswer &props, const std::optional<LocalProcess> &process);
/// Whether `boot`, an id of a FactsBook, is certainly of another process than `now`, which bootOf() gave.
bool isFormerBoot(const QString &boot, const QString &now);

/// What is known of one server (router mode: one model), collected per boot. No network; the callers tell it
/// what the server answered. Shared by the backend and the watcher of a server; one thread.
///
/// The boot id, in this order, is
///  1. `media_marker` of /props, a random word of each process;
///  2. pid and start time of the local llama-server that listens on the port, where /proc can be read;
///  3. the header Process-Start-Time-Unix of /metrics, where that is served;
///  4. a random id of our own. It changes when nobody listened, when number of slots, build or model changed,
///  and when
///     an inspect shows a slot without task or tokens that had them before, or a task number that went down:
///     slots that were used do not look unused again within a process. A restart between two looks at unused
///     slots is not seen then, and costs nothing either: there was nothing in them.
class FactsBook final {
public:
    /// `port`: where the server listens if that is this machine, else 0.
    explicit FactsBook(quint16 port, QString routerModel = {}, ProcessFinder finder = findListeningServer);

    void noteProps(const PropsAnswer &props);
    /// Router mode: the model is not loaded.
    void noteUnloaded();
    /// The sources below belong to the boot at which they were asked for (`boot`); others are dropped.
    void noteModels(const QString &boot, const std::vector<ModelEntry> &models);
    void noteModelsMissing(const QString &boot); ///< this build does not serve it
    void noteLora(const QString &boot, const QString &adapters); ///< empty: this build does not serve it
    void noteMetrics(
        const QString &boot, const QString &processStart); ///< empty: not served, or without the header
    void noteSlots(const std::vector<SlotObservation> &slotList);
    void noteRefused(); ///< nobody listened
    /// Router mode, from the list of models: whether the model is loaded and on which port its process
    /// listens. A process of another port is another boot.
    void noteRouterModel(const ModelEntry &model);

    [[nodiscard]] const QString &boot() const { return m_facts.boot; }
    [[nodiscard]] bool wantsModels() const { return !m_modelsKnown; }
    /// Whether /metrics is the way to notice a restart (or may be): asked at each identity read then.
    [[nodiscard]] bool wantsMetrics() const
    {
        return m_generated && (!m_metricsKnown || !m_metricsStart.isEmpty());
    }
    [[nodiscard]] ServerFacts facts() const;

private:
    void begin(const QString &boot);
    void forget();
    void seekProcess(quint16 port);
    [[nodiscard]] QString generate();
    [[nodiscard]] QString bootWithoutMarker(const PropsAnswer &props);
    void useCommandLine(
        const QStringList &argv, const QHash<QString, QString> &environment, const QString &folder);

    quint16 m_port;
    QString m_routerModel;
    ProcessFinder m_finder;
    QString m_random; ///< of this book: generated ids of two runs of ours never meet
    int m_generation = 0;
    // Of the present boot.
    ServerFacts m_facts;
    PropsAnswer m_props;
    std::optional<ModelEntry> m_model;
    std::optional<LocalProcess> m_process;
    FieldList m_commandLine;
    QString m_lora;
    QString m_metricsStart;
    std::vector<SlotObservation> m_used; ///< generated ids: slots that were seen used
    int m_childPort = 0;
    bool m_propsKnown = false;
    bool m_modelsKnown = false;
    bool m_loraKnown = false;
    bool m_metricsKnown = false;
    bool m_generated = false; ///< neither marker nor process
    bool m_processSought = false;
};

} // namespace kv
