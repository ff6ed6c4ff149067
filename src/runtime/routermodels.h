// SPDX-License-Identifier: MIT
#pragma once

#include "clock.h"
#include "modelgate.h"
#include "modellist.h"
#include "serverruntime.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace kv {

/// What a router's models have to do with each other: each is a llama-server process of its own, with a
/// runtime of its own, but the router keeps only so many of them loaded. Takes requests before any runtime
/// does, finds out which model they mean, and lets them go on when the ModelGate does. A request for a model
/// that is loaded goes on at once, without a call. Lives in the logic thread.
class RouterModels final : public QObject {
    Q_OBJECT

public:
    /// What it needs of the service that it belongs to.
    struct House {
        /// The runtime of a model, by the router's own name of it; made when there is none yet. Null: it
        /// cannot be made now.
        std::function<ServerRuntime *(const QString &model)> runtimeOf;
        /// Those that were made so far, by model.
        std::function<std::map<QString, ServerRuntime *>()> runtimes;
        /// Saves what is unsaved there, then calls `done` (once, perhaps at once, whatever came of it).
        std::function<void(ServerRuntime *, std::function<void()> done)> save;
    };
    /// Called once, unless the request is dropped before: with the runtime whose request it is, or with
    /// nullptr when the router has no model of that name, or cannot be asked.
    using Go = std::function<void(ServerRuntime *)>;

    /// `router` and `clock` must outlive the object.
    RouterModels(const ServerRuntime *router, House house, const Clock *clock, qint64 patienceMs,
        QObject *parent = nullptr);
    ~RouterModels() override;
    Q_DISABLE_COPY_MOVE(RouterModels)

    void setPatience(qint64 holdMs) { m_gate.setPatience(holdMs); }
    /// `untilMonoMs`: goes on then in any case; −1: waits as long as it takes.
    void admit(RequestId request, const QString &model, qint64 untilMonoMs, Go go);
    /// It is not wanted any more. True: it waited here, and will not go on.
    bool drop(RequestId request);
    /// Where it went on it was granted or refused.
    void over(RequestId request);
    void changed(); ///< something happened in one of the models' runtimes: who waits may perhaps go on

private:
    struct Asked {
        QString typed;
        QString model; ///< empty: not known yet
        qint64 untilMonoMs = -1;
        Go go;
    };
    void onModels(const std::vector<ModelEntry> &models);
    void onFailed();
    void resolve(RequestId request); ///< by m_names
    void run();
    void goOn(RequestId request);
    [[nodiscard]] ModelGate::Models look() const;
    [[nodiscard]] static bool isLoaded(const ServerRuntime &runtime);

    const ServerRuntime *m_router;
    House m_house;
    const Clock *m_clock;
    ModelGate m_gate;
    ModelList m_list;
    QTimer m_again;
    std::map<RequestId, Asked> m_asked;
    std::set<RequestId> m_passed; ///< gone on, not over
    std::map<QString, QString> m_names; ///< as typed → the router's own
    std::set<QString> m_othersLoaded; ///< models that have no runtime here
    bool m_runs = false;
    bool m_outdated = false; ///< a model was loaded: which one went for it is being asked
};

} // namespace kv
