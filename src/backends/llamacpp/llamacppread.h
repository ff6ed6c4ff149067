// SPDX-License-Identifier: MIT
#pragma once

#include "factsbook.h"
#include "httpcall.h"
#include "kvbackend.h"

#include <QObject>

#include <memory>

namespace kv {

/// One Identity, Look or Probe: GETs only. /props comes first and alone, as it wakes nobody; everything else
/// is asked together right after it, and only of a server that is awake: GET /lora-adapters, /metrics and
/// /slots wake a sleeper (measured). A Look that may wake asks for the slots first then, and reads the
/// identity again after it.
class LlamaCppRead final : public QObject {
    Q_OBJECT

public:
    LlamaCppRead(
        HttpClient &http, std::shared_ptr<FactsBook> book, OpKind kind, bool mayWake, QObject *parent);
    ~LlamaCppRead() override;
    Q_DISABLE_COPY_MOVE(LlamaCppRead)

    void start();

Q_SIGNALS:
    /// Once. `id`, `kind` and `wallMs` are the caller's to fill.
    void finished(const kv::BackendReply &reply);

private:
    void askProps();
    void onProps(const HttpAnswer &answer);
    void onUnloaded();
    void askMetrics();
    void askRest();
    void askModels();
    void askLora();
    void askSlots(bool waking);
    void onModels(const QString &boot, const HttpAnswer &answer);
    void onLora(const QString &boot, const HttpAnswer &answer);
    void onSlots(const HttpAnswer &answer);
    void partDone();
    [[nodiscard]] bool wantsSlots() const;
    void noteFailure(OpFailure failure, const HttpAnswer &answer, const QString &what);
    void finish();

    HttpClient &m_http;
    std::shared_ptr<FactsBook> m_book;
    OpKind m_kind;
    bool m_mayWake;
    bool m_router;
    bool m_wasSleeping = false;
    bool m_slotsAsked = false;
    bool m_wokeIt = false;
    int m_running = 0;
    BackendReply m_reply;
};

} // namespace kv
