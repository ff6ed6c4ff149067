// SPDX-License-Identifier: MIT
#include "errorcode.h"
#include "jsonrpc.h"
#include "lineframer.h"
#include "methods.h"
#include "params.h"

#include <QFile>
#include <QHash>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace kv;

/// PROTOCOL.md is what people write clients from: here it is held against the code.
class TestProtocolDoc : public QObject {
    Q_OBJECT

    QString m_text;
    QHash<QString, QString> m_sections; ///< by method

    static QString read(const char *path)
    {
        QFile file(QString::fromUtf8(KV_SOURCE_DIR) + QString::fromUtf8(path));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QSet<QString> all(const QString &text, const char *pattern)
    {
        QSet<QString> found;
        for (auto it = QRegularExpression(QString::fromUtf8(pattern)).globalMatch(text); it.hasNext();) {
            const auto match = it.next();
            found.insert(match.captured(match.lastCapturedIndex()));
        }
        return found;
    }
    static bool names(const QString &text, const QString &word) { return text.contains(u'`' + word + u'`'); }
    /// Every message of the fenced blocks: a block is one object, or one object a line.
    QList<QJsonObject> examples()
    {
        QList<QJsonObject> messages;
        static const QRegularExpression fence(
            QStringLiteral("```json\\n(.*?)```"), QRegularExpression::DotMatchesEverythingOption);
        for (auto it = fence.globalMatch(m_text); it.hasNext();) {
            const QString block = it.next().captured(1);
            const QJsonDocument whole = QJsonDocument::fromJson(block.toUtf8());
            const QStringList parts
                = whole.isObject() ? QStringList { block } : block.split(u'\n', Qt::SkipEmptyParts);
            for (const QString &part : parts) {
                QJsonParseError error;
                const QJsonDocument document = QJsonDocument::fromJson(part.toUtf8(), &error);
                if (!document.isObject()) {
                    QTest::qFail(qPrintable(part + error.errorString()), __FILE__, __LINE__);
                }
                messages.append(document.object());
            }
        }
        return messages;
    }
    static QByteArray line(const QJsonObject &message)
    {
        return QJsonDocument(message).toJson(QJsonDocument::Compact);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_text = read("/protocol/PROTOCOL.md");
        QVERIFY(m_text.size() > 10'000);
        const QStringList parts = m_text.split(QStringLiteral("\n### `"));
        for (const QString &part : parts.mid(1)) {
            m_sections.insert(part.section(u'`', 0, 0), part.section(QStringLiteral("\n## "), 0, 0));
        }
    }

    void everyMethodHasASectionAndNoOther()
    {
        QSet<QString> methods;
        for (const MethodInfo &info : allMethods()) {
            methods.insert(info.name);
        }
        const QSet<QString> documented(m_sections.keyBegin(), m_sections.keyEnd());
        QCOMPARE(documented, methods);
    }

    void everyParameterAndResultFieldIsInItsMethodsSection()
    {
        for (const MethodInfo &info : allMethods()) {
            const QString section = m_sections.value(info.name);
            for (const ParamInfo &param : info.params) {
                QVERIFY2(names(section, param.name), qPrintable(info.name + u' ' + param.name));
            }
            for (const QString &field : info.results) {
                QVERIFY2(names(section, field), qPrintable(info.name + u' ' + field));
            }
        }
        for (const QString &field : rowFields()) {
            QVERIFY2(names(m_sections.value(QStringLiteral("kv.list")), field), qPrintable(field));
        }
    }

    void requiredParametersAreMarked()
    {
        for (const MethodInfo &info : allMethods()) {
            const QStringList lines = m_sections.value(info.name).split(u'\n');
            for (const ParamInfo &param : info.params) {
                bool marked = false;
                for (const QString &row : lines) {
                    const QString where = row.startsWith(u'|') ? row.section(u'|', 1, 2) : row;
                    marked
                        = marked || (names(where, param.name) && where.contains(QStringLiteral("required")));
                }
                QVERIFY2(!param.required || marked, qPrintable(info.name + u' ' + param.name));
            }
        }
    }

    void methodsThatMayBeNotificationsAreNamed()
    {
        for (const MethodInfo &info : allMethods()) {
            QCOMPARE(
                m_sections.value(info.name).contains(QStringLiteral("ay be a notification")), info.mayNotify);
        }
    }

    void everyErrorCodeIsThereAndNoOther()
    {
        QSet<QString> codes;
        for (const ErrorCode code : allErrorCodes()) {
            codes.insert(errorCodeName(code));
        }
        QCOMPARE(all(m_text.section(QStringLiteral("\n## Errors"), 1), "\n\\| `(KV_[A-Z_]+)`"), codes);
        QSet<QString> mentioned = all(m_text, "\\b(KV_[A-Z_]+)\\b");
        mentioned.remove(QStringLiteral("KV_PERSIST_SOCKET"));
        mentioned.remove(QStringLiteral("KV_TYPE_CHANGED")); // a reason
        QCOMPARE(mentioned, codes);
    }

    void everyEventNameIsThereAndNoOther()
    {
        const QSet<QString> events = all(read("/coordinator/eventname.h"), "u\"(kv\\.[a-z._]+)\"");
        QVERIFY(events.size() > 20);
        QSet<QString> documented = all(m_text.section(QStringLiteral("\n## Events"), 1), "`(kv\\.[a-z._]+)`");
        for (const MethodInfo &info : allMethods()) {
            documented.remove(info.name);
        }
        QCOMPARE(documented, events);
    }

    void everyNameThatLooksLikeAMethodIsOne()
    {
        for (const QString &name : all(m_text, "`(kv\\.[a-z]+|request\\.[a-z]+|session\\.[a-z]+)`")) {
            QVERIFY2(methodFromName(name) || name == u"kv.stats", qPrintable(name));
        }
    }

    void everyRequestOfTheExamplesIsTaken()
    {
        QSet<QString> shown;
        for (const QJsonObject &message : examples()) {
            const QString method = message.value(u"method").toString();
            if (method.isEmpty() || method == c_eventNotification || method == c_doctorNotification) {
                continue;
            }
            const auto decoded = decodeRequest(line(message));
            const auto *request = std::get_if<RpcRequest>(&decoded);
            QVERIFY2(request, line(message).constData());
            QVERIFY2(checkParams(request->method, request->params).ok(), line(message).constData());
            QVERIFY(!request->notification || methodInfo(request->method).mayNotify);
            const MethodInfo &info = methodInfo(request->method);
            const QStringList keys = request->params.keys();
            for (const QString &key : keys) {
                const bool known = std::any_of(info.params.begin(), info.params.end(),
                    [&key](const ParamInfo &param) { return param.name == key; });
                QVERIFY2(known, qPrintable(method + u' ' + key));
            }
            shown.insert(method);
        }
        QCOMPARE(shown.size(), allMethods().size()); // each method has an example
    }

    void everyAnswerOfTheExamplesFitsItsRequest()
    {
        QHash<QByteArray, ApiMethod> asked;
        int answers = 0;
        for (const QJsonObject &message : examples()) {
            const QByteArray id
                = QJsonDocument(QJsonObject { { QStringLiteral("id"), message.value(u"id") } }).toJson();
            if (const auto method = methodFromName(message.value(u"method").toString());
                method && message.contains(u"id")) {
                QVERIFY2(!asked.contains(id), id.constData());
                asked.insert(id, *method);
                continue;
            }
            const auto decoded = decodeFromDaemon(line(message));
            if (!decoded || !std::holds_alternative<RpcAnswer>(decoded.value())) {
                continue;
            }
            const RpcAnswer answer = std::get<RpcAnswer>(decoded.value());
            QVERIFY2(asked.contains(id), line(message).constData());
            const MethodInfo &info = methodInfo(asked.value(id));
            const QStringList keys = answer.result.keys();
            for (const QString &key : keys) {
                QVERIFY2(info.results.contains(key), qPrintable(info.name + u' ' + key));
            }
            if (!answer.ok) {
                const QString name = message.value(u"error")[u"data"][u"code"].toString();
                QVERIFY(errorCodeFromName(name).has_value());
            }
            ++answers;
        }
        QCOMPARE(answers, asked.size());
    }

    void theVersionAndTheLimitsAreThoseOfTheCode()
    {
        QVERIFY(m_text.startsWith(
            QStringLiteral("# The local API of kv-persist, protocol %1\n").arg(c_protocolVersion)));
        QVERIFY(m_text.contains(QStringLiteral("| %1 bytes |").arg(c_maxSessionBytes)));
        QVERIFY(m_text.contains(QStringLiteral("| %1 bytes |").arg(c_maxNameBytes)));
        QVERIFY(m_text.contains(QStringLiteral("| %1 bytes, or").arg(c_maxRpcId)));
        QVERIFY(m_text.contains(QStringLiteral("| %1 characters |").arg(c_maxLabelCharacters)));
        QVERIFY(m_text.contains(QStringLiteral("at most %1 buckets").arg(c_maxBuckets)));
        QVERIFY(m_text.contains(QStringLiteral("1 to %1; default 100").arg(c_maxRows)));
        QCOMPARE(c_maxRequestLine, 1024 * 1024);
        QCOMPARE(c_maxAnswerLine, 16 * 1024 * 1024);
    }
};

QTEST_GUILESS_MAIN(TestProtocolDoc)
#include "tst_protocoldoc.moc"
