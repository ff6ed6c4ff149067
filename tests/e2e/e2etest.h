// SPDX-License-Identifier: MIT
#pragma once

#include "e2estage.h"

#include <QObject>
#include <QtTest>

#include <memory>

namespace kv::test {

/// What the e2e test classes share: they skip as a whole where no server is, each test function has a stage
/// of its own, and a failed one shows what was called.
class E2eTest : public QObject {
    Q_OBJECT

protected:
    /// Sets stage() up; the test function returns when it is false.
    bool setStage(StageOptions options = {})
    {
        m_stage = std::make_unique<Stage>(std::move(options));
        if (!m_stage->start()) {
            QTest::qFail("the stage does not come up", __FILE__, __LINE__);
            return false;
        }
        return true;
    }
    Stage &stage() { return *m_stage; }
    /// Shows what was called when the test function failed, and takes the stage down.
    void endStage()
    {
        if (QTest::currentTestFailed() && m_stage != nullptr) {
            qInfo().noquote() << m_stage->log();
        }
        m_stage.reset();
    }

private Q_SLOTS:
    void initTestCase()
    {
        const QString reason = RealLlamaServer::whyNot(QStringLiteral("tiny-dense"));
        if (!reason.isEmpty()) {
            QSKIP(qPrintable(reason));
        }
        QVERIFY2(!builtProgram(QStringLiteral("kv-persistd")).isEmpty(), "kv-persistd is not built");
    }
    void cleanup() { endStage(); }

private:
    std::unique_ptr<Stage> m_stage;
};

/// The answer is right, and nearly all of what the session had before needed no processing.
inline void verifyWarm(const Turn &turn, int heldBefore, const QList<int> &reference)
{
    QCOMPARE(turn.answer.status, 200);
    QVERIFY2(turn.answer.cachedTokens * 10 >= heldBefore * 9,
        qPrintable(
            QStringLiteral("%1 of %2 tokens were reused").arg(turn.answer.cachedTokens).arg(heldBefore)));
    QCOMPARE(turn.answer.tokens, reference);
}

/// The answer is right though nothing was reused.
inline void verifyCold(const Turn &turn, const QList<int> &reference)
{
    QCOMPARE(turn.answer.status, 200);
    QCOMPARE(turn.answer.cachedTokens, 0);
    QCOMPARE(turn.answer.tokens, reference);
}

} // namespace kv::test

/// The slot actions since the record was emptied, exactly and in order.
#define KV_COMPARE_ACTIONS(...) QCOMPARE(stage().proxy().actions(), (QStringList { __VA_ARGS__ }))
#define KV_STAGE(...)                                                                                        \
    if (!setStage(__VA_ARGS__)) {                                                                            \
        return;                                                                                              \
    }
