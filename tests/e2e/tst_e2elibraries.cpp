// SPDX-License-Identifier: MIT
// Real client libraries, which know nothing of kv-persist, through the proxy to a real llama-server.
#include "e2etest.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QStandardPaths>

using namespace kv::test;

namespace {

QString libraries()
{
    const QString named = qEnvironmentVariable("KV_PERSIST_TEST_CLIENTS");
    const QString cached = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
        + QStringLiteral("/kv-persist/clients");
    const QString folder = named.isEmpty() ? cached : named;
    return QFileInfo::exists(folder + QStringLiteral("/.complete")) ? folder : QString();
}

/// A program that uses one of the libraries.
class Talker final {
public:
    Talker(const QString &library, quint16 port)
    {
        m_process.start(QStringLiteral("node"),
            { qEnvironmentVariable("KV_PERSIST_TEST_TALK"), libraries(),
                QStringLiteral("http://127.0.0.1:%1").arg(port), library });
    }
    ~Talker()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished();
    }
    Q_DISABLE_COPY_MOVE(Talker)

    QJsonObject say(const QJsonArray &messages)
    {
        m_process.write(QJsonDocument(messages).toJson(QJsonDocument::Compact) + '\n');
        QByteArray line;
        static_cast<void>(QTest::qWaitFor(
            [&] {
                line += m_process.readAllStandardOutput();
                return line.endsWith('\n') || m_process.state() == QProcess::NotRunning;
            },
            60000));
        const QJsonObject said = QJsonDocument::fromJson(line).object();
        return said.isEmpty() ? QJsonObject { { QStringLiteral("error"),
                   QString::fromUtf8(line + m_process.readAllStandardError()) } }
                              : said;
    }

private:
    QProcess m_process;
};

QJsonObject message(const QString &role, const QString &content)
{
    return { { QStringLiteral("role"), role }, { QStringLiteral("content"), content } };
}

QJsonArray chat(const QString &name)
{
    QString system = name + QStringLiteral(" is the name of this chat.");
    for (int word = 0; system.size() < 1500; ++word) {
        system += QStringLiteral(" w%1").arg(word * 7919 % 100003);
    }
    return { message(QStringLiteral("system"), system),
        message(QStringLiteral("user"), QStringLiteral("hello from ") + name) };
}

} // namespace

class TestE2eLibraries final : public E2eTest {
    Q_OBJECT

private Q_SLOTS:
    void warmThroughALibrary_data()
    {
        if (libraries().isEmpty()) {
            QSKIP("no client libraries here: packaging/test.sh fetches them where npm can");
        }
        QTest::addColumn<QString>("library");
        for (const char *library : { "openai", "openai-responses", "anthropic", "ai" }) {
            QTest::newRow(library) << QString::fromLatin1(library);
        }
    }
    void warmThroughALibrary()
    {
        QFETCH(QString, library);
        const quint16 port = freePort();
        StageOptions options;
        options.config = "proxy: { listen: 127.0.0.1:" + QByteArray::number(port) + ", server: local }\n";
        KV_STAGE(options);
        Talker talker(library, port);
        QJsonArray a = chat(QStringLiteral("alpha"));
        const QJsonObject first = talker.say(a);
        QVERIFY2(
            !first.contains(QStringLiteral("error")), qPrintable(first[QStringLiteral("error")].toString()));
        const int prompt = first[QStringLiteral("prompt")].toInt();
        QVERIFY2(prompt > 1000, qPrintable(QString::number(prompt)));
        QVERIFY(first[QStringLiteral("chunks")].toInt() > 1); // it was streamed
        const QJsonObject other = talker.say(chat(QStringLiteral("beta")));
        QVERIFY2(
            !other.contains(QStringLiteral("error")), qPrintable(other[QStringLiteral("error")].toString()));
        stage().proxy().forget();
        a.append(message(QStringLiteral("assistant"), first[QStringLiteral("text")].toString()));
        a.append(message(QStringLiteral("user"), QStringLiteral("and again")));
        const QJsonObject third = talker.say(a);
        const int cached = third[QStringLiteral("cached")].toInt();
        KV_COMPARE_ACTIONS(QStringLiteral("save"), QStringLiteral("restore"));
        QVERIFY2(cached * 100 >= prompt * 95, qPrintable(QStringLiteral("%1 of %2").arg(cached).arg(prompt)));
        qInfo("%s: %d of the first prompt's %d tokens reused in the third turn", qPrintable(library), cached,
            prompt);
    }
};

QTEST_GUILESS_MAIN(TestE2eLibraries)
#include "tst_e2elibraries.moc"
