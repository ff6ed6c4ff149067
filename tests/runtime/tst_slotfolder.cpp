// SPDX-License-Identifier: MIT
// The server's slot folder, found by itself: offered, never used; another one than configured is named.
#include "slotfolder.h"

#include <QTest>

using namespace kv;

namespace {

const QString c_own = QStringLiteral("/data/kv");
const QString c_other = QStringLiteral("/data/old");

FolderFacts seenAs(const QString &canonical, bool readable = true)
{
    FolderFacts facts;
    facts.canonical = canonical;
    facts.readable = readable;
    return facts;
}

using Kind = SlotFolderFinding::Kind;

}

class TstSlotFolder final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aReadableFolderIsOffered()
    {
        const SlotFolderFinding found = judgeSlotFolder(false, c_own, seenAs(c_own), {}, {});
        QVERIFY(found.kind == Kind::Offer);
        QVERIFY(found.message.contains(c_own));
        QVERIFY(found.remedy.contains(QStringLiteral("slotSavePath: /data/kv")));
    }

    void whatCannotBeReadOrIsNotKnownIsNot()
    {
        QVERIFY(judgeSlotFolder(false, c_own, seenAs(c_own, false), {}, {}).kind == Kind::Nothing);
        QVERIFY(judgeSlotFolder(false, c_own, {}, {}, {}).kind == Kind::Nothing);
        QVERIFY(judgeSlotFolder(false, {}, {}, {}, {}).kind == Kind::Nothing);
    }

    void anotherFolderThanTheServersIsNamed()
    {
        const SlotFolderFinding found = judgeSlotFolder(true, c_own, seenAs(c_own), c_other, seenAs(c_other));
        QVERIFY(found.kind == Kind::Other);
        QVERIFY(found.message.contains(c_own) && found.message.contains(c_other));
        QVERIFY(found.remedy.contains(c_own));
    }

    void oneFolderUnderTwoNamesIsNone()
    {
        QVERIFY(judgeSlotFolder(true, c_own, seenAs(c_own), QStringLiteral("/link"), seenAs(c_own)).kind
            == Kind::Nothing);
        QVERIFY(judgeSlotFolder(true, c_own, {}, c_other, seenAs(c_other)).kind == Kind::Nothing);
        QVERIFY(judgeSlotFolder(true, {}, {}, c_other, seenAs(c_other)).kind == Kind::Nothing);
    }
};

QTEST_APPLESS_MAIN(TstSlotFolder)
#include "tst_slotfolder.moc"
