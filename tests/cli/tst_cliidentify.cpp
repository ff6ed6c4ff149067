// SPDX-License-Identifier: MIT
#include "clirun.h"
#include "exitcode.h"

#include <QTest>

using namespace kv;

namespace {

CliRun identify(const QString &input, bool json = false)
{
    QStringList arguments { QStringLiteral("identify") };
    if (json) {
        arguments.prepend(QStringLiteral("--json"));
    }
    return CliRun(QStringLiteral("/nowhere/api.sock"), arguments, input);
}

QString quoted(const char *text) { return QString::fromUtf8(QByteArray(text).replace('\'', '"')); }

} // namespace

class TestCliIdentify final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRequestWithItsHeaders()
    {
        const QString request
            = quoted("{'method':'POST','path':'/v1/chat/completions','headers':{'X-Session-Id':'ses_1'},"
                     "'body':{'model':'m','messages':[{'role':'user','content':'hi'}]}}");
        const CliRun run = identify(request);
        QCOMPARE(run.code, exitcode::ok);
        QVERIFY2(run.out.contains(QStringLiteral("ses_1"))
                && run.out.contains(QStringLiteral("header x-session-id")),
            qPrintable(run.out));
        const QJsonObject json = identify(request, true).json();
        QCOMPARE(json.value(u"session").toString(), QStringLiteral("ses_1"));
        QCOMPARE(json.value(u"kind").toString(), QStringLiteral("conversation"));
        QCOMPARE(json.value(u"api").toString(), QStringLiteral("chat completions"));
    }

    void aBareBody()
    {
        const QJsonObject json
            = identify(quoted("{'messages':[{'role':'user','content':'hi'}]}"), true).json();
        QVERIFY(json.value(u"session").toString().startsWith(u"prompt-"));
        QVERIFY(!json.value(u"known").toBool());
        QCOMPARE(identify(quoted("{'prompt':'short'}"), true).json().value(u"kind").toString(),
            QStringLiteral("auxiliary"));
    }

    void aBodyAsText()
    {
        const QJsonObject json
            = identify(quoted("{'path':'/s/me/v1/responses','body':'{\\'input\\':\\'hi\\'}'}"), true).json();
        QCOMPARE(json.value(u"session").toString(), QStringLiteral("me"));
        QCOMPARE(json.value(u"parts").toInt(), 1);
    }

    void severalTellForkAndDrift()
    {
        const CliRun run = identify(quoted("{'messages':[{'role':'user','content':'a'}]}\n"
                                           "{'messages':[{'role':'user','content':'a'},{'x':1},{'x':2}]}\n"
                                           "{'messages':[{'role':'user','content':'a'},{'x':1},{'x':3}]}\n"),
            true);
        const QStringList lines = run.out.split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        const auto line
            = [&](int index) { return QJsonDocument::fromJson(lines.at(index).toUtf8()).object(); };
        QCOMPARE(line(1).value(u"session"), line(0).value(u"session"));
        QCOMPARE(line(2).value(u"fork"), line(0).value(u"session"));
        const CliRun drift
            = identify(quoted("[{'headers':{'x-session-id':'s'},'body':{'messages':[{'x':1},{'x':2}]}},"
                              "{'headers':{'x-session-id':'s'},'body':{'messages':[{'x':1},{'x':3}]}}]"));
        QVERIFY2(drift.out.contains(QStringLiteral("turn 2: message 2 of 2 changed")), qPrintable(drift.out));
    }

    void whatIsNoInferenceIsPassed()
    {
        QCOMPARE(identify(quoted("{'path':'/v1/models','body':''}"), true).json().value(u"kind").toString(),
            QStringLiteral("passed"));
    }

    void whatIsNoRequestIsToldSo()
    {
        for (const char *text : { "", "hello", "17", "{'messages':" }) {
            const CliRun run = identify(quoted(text));
            QCOMPARE(run.code, exitcode::usage);
            QVERIFY(run.out.isEmpty() && !run.err.isEmpty());
        }
    }
};

QTEST_GUILESS_MAIN(TestCliIdentify)
#include "tst_cliidentify.moc"
