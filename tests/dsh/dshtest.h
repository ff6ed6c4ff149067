// SPDX-License-Identifier: MIT
#pragma once

#include "dshprocess.h"
#include "e2estage.h"

#include <QJsonArray>
#include <QObject>
#include <QtTest>

#include <memory>

namespace kv::test {

/// One conversation request of the harness, as it passed the proxy: what the server said of it.
struct Spoken {
    QString session;
    int prompt = 0; ///< tokens, all of them
    int cached = 0; ///< of them, those that needed no processing
    double ms = 0; ///< of the turn, where the driver measured it
    int usageCached = -1; ///< what the harness was told; −1: it did not ask
    QString failure; ///< empty: it was answered well

    [[nodiscard]] QString text() const;
};

/// What the tests with the real harness share. They skip as a whole where harness or server are missing; each
/// test function has a stage and a home of its own, and a failed one shows what was called.
class DshTest : public QObject {
    Q_OBJECT

protected:
    static StageOptions dshStage();
    static QByteArray noTitlePatch(); ///< no model call for titles

    bool setStage(const StageOptions &options = dshStage());
    /// An empty home with the plugin (or without), and dsh in it, started.
    bool newHome(const QByteArray &patch = {}, bool plugin = true, const QByteArray &pluginConfig = "{}");
    /// The empty home alone.
    void useHome(bool plugin, const QByteArray &patch = {});
    bool startDsh(); ///< one more process in the same home

    Stage &stage() { return *m_stage; }
    DshHome &home() { return *m_home; }
    DshProcess &dsh() { return *m_dsh; }

    QJsonObject tell(const char *verb, const QJsonArray &arguments = {});
    Spoken ask(const QString &session, const QString &text, const QJsonArray &tools = {});
    /// The conversation requests since the record was emptied; titles left out.
    QList<Spoken> allSpoken();
    QList<std::shared_ptr<RecordedCall>> completions(bool conversations = true);
    /// What /kv says of the session.
    QString statusLine(const QString &session);
    bool waitNothingRuns();
    /// Waits until that many title requests were answered since the record was emptied.
    bool waitTitles(int count, int ms = 60000);

private Q_SLOTS:
    void initTestCase();
    void cleanup();

private:
    std::unique_ptr<Stage> m_stage;
    std::unique_ptr<DshHome> m_home;
    std::unique_ptr<DshProcess> m_dsh;
};

} // namespace kv::test

#define KV_DSH_STAGE(...)                                                                                    \
    if (!setStage(__VA_ARGS__)) {                                                                            \
        return;                                                                                              \
    }
/// The driver did as it was told, with nothing to say about it.
#define KV_DONE(...) QCOMPARE(tell(__VA_ARGS__), QJsonObject())
#define KV_ANSWERED(spoken)                                                                                  \
    do {                                                                                                     \
        const Spoken &answered = (spoken);                                                                   \
        QVERIFY2(answered.failure.isEmpty(), qPrintable(answered.failure));                                  \
        QCOMPARE(answered.usageCached, answered.cached);                                                     \
    } while (false)
/// At least 95 % of what the earlier request's prompt held was reused.
#define KV_WARM(spoken, earlier)                                                                             \
    QVERIFY2((spoken).cached * 100 >= (earlier).prompt * 95, qPrintable((spoken).text()))
#define KV_COMPARE_ACTIONS(...) QCOMPARE(stage().proxy().actions(), (QStringList { __VA_ARGS__ }))
