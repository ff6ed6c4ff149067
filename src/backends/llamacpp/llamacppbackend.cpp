// SPDX-License-Identifier: MIT
#include "llamacppbackend.h"

#include "failuretext.h"
#include "llamacppread.h"
#include "serverjson.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace kv {

namespace {

constexpr int c_nudgeMs = 5000;
constexpr qint64 c_largestContext = 4'000'000; ///< tokens: a body of 8 MB

QString actionName(OpKind kind)
{
    switch (kind) {
    case OpKind::Save:
        return QStringLiteral("save");
    case OpKind::Restore:
        return QStringLiteral("restore");
    default:
        return QStringLiteral("erase");
    }
}

// Names are made by us; this holds even if one day they are not.
bool isFlatName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("\\A[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}\\z"));
    return pattern.match(name).hasMatch();
}

} // namespace

quint16 localPort(const QUrl &base)
{
    const bool secure = base.scheme() == QStringView(u"https");
    return isLoopback(base) ? static_cast<quint16>(base.port(secure ? 443 : 80)) : quint16(0);
}

LlamaCppBackend::LlamaCppBackend(const ServerEndpoint &endpoint, QObject *parent, ProcessFinder finder)
    : KvBackend(parent)
    , m_http(endpoint)
    , m_book(std::make_shared<FactsBook>(localPort(endpoint.base), endpoint.routerModel, std::move(finder)))
{
}

// Running calls are children and would outlive m_http, whose managers they use.
LlamaCppBackend::~LlamaCppBackend()
{
    qDeleteAll(findChildren<LlamaCppRead *>(QString(), Qt::FindDirectChildrenOnly));
    qDeleteAll(findChildren<HttpCall *>(QString(), Qt::FindDirectChildrenOnly));
}

void LlamaCppBackend::start(const Op &op, const QString &fileName)
{
    switch (op.kind) {
    case OpKind::Identity:
    case OpKind::Look:
    case OpKind::Probe:
        startRead(op);
        return;
    case OpKind::Save:
    case OpKind::Restore:
    case OpKind::Erase:
        startAction(op, fileName);
        return;
    case OpKind::Nudge:
        startNudge(op);
        return;
    case OpKind::CheckFile:
    case OpKind::DeleteFile:
        break;
    }
    refuse(op, tr("This operation is not one of the server's."));
}

void LlamaCppBackend::refuse(const Op &op, const QString &message)
{
    BackendReply reply;
    reply.id = op.id;
    reply.kind = op.kind;
    reply.failure = OpFailure::Refused;
    reply.message = message;
    QMetaObject::invokeMethod(
        this, [this, reply] { Q_EMIT finished(reply); }, Qt::QueuedConnection);
}

void LlamaCppBackend::startRead(const Op &op)
{
    QElapsedTimer clock;
    clock.start();
    auto *read = new LlamaCppRead(m_http, m_book, op.kind, op.mayWake, this);
    connect(
        read, &LlamaCppRead::finished, this, [this, id = op.id, kind = op.kind, clock](BackendReply reply) {
            reply.id = id;
            reply.kind = kind;
            reply.wallMs = static_cast<double>(clock.nsecsElapsed()) / 1e6;
            Q_EMIT finished(reply);
        });
    read->start();
}

void LlamaCppBackend::nameModel(QJsonObject &body) const
{
    if (const QString &model = m_http.endpoint().routerModel; !model.isEmpty()) {
        body.insert(QStringLiteral("model"), model); // a router does not see it in the query
    }
}

void LlamaCppBackend::startAction(const Op &op, const QString &fileName)
{
    const bool named = op.kind != OpKind::Erase;
    if (op.slot.id < 0 || (named && !isFlatName(fileName))) {
        refuse(op, tr("“%1” is no slot and file name that a server could be asked for.").arg(fileName));
        return;
    }
    QJsonObject body;
    if (named) {
        body.insert(QStringLiteral("filename"), fileName);
    }
    nameModel(body);
    QUrlQuery query;
    query.addQueryItem(QStringLiteral("action"), actionName(op.kind));
    auto *call = m_http.post(QStringLiteral("/slots/%1").arg(op.slot.id), query,
        QJsonDocument(body).toJson(QJsonDocument::Compact), this);
    connect(call, &HttpCall::finished, this,
        [this, op, fileName](const HttpAnswer &answer) { onAction(op, fileName, answer); });
}

void LlamaCppBackend::startNudge(const Op &op)
{
    if (op.slot.id < 0 || op.contextTokens <= 0 || op.contextTokens > c_largestContext) {
        refuse(op, tr("There is no prompt that slot %1 is sure to refuse.").arg(op.slot.id));
        return;
    }
    QJsonObject fields { { QStringLiteral("n_predict"), 1 }, { QStringLiteral("id_slot"), op.slot.id } };
    nameModel(fields);
    QByteArray body = QJsonDocument(fields).toJson(QJsonDocument::Compact);
    // As text: so many numbers are not worth a tree.
    body.insert(1, R"("prompt":[0)" + QByteArrayLiteral(",0").repeated(op.contextTokens) + "],");
    // A build that takes the prompt is stopped by the end of the connection.
    HttpCall *call = m_http.post(QStringLiteral("/completion"), {}, body, this, c_nudgeMs);
    connect(call, &HttpCall::finished, this, [this, op](const HttpAnswer &answer) {
        BackendReply reply;
        reply.id = op.id;
        reply.kind = op.kind;
        reply.httpStatus = answer.status;
        reply.wallMs = answer.wallMs;
        const OpFailure failure = failureOf(answer);
        const bool took = failure == OpFailure::None || answer.timedOut;
        reply.failure = failure == OpFailure::Refused ? OpFailure::None
            : took                                    ? OpFailure::Unsupported
                                                      : failure;
        if (reply.failure != OpFailure::None) {
            reply.message = took
                ? tr("The server did not refuse a prompt that is too long for slot %1.").arg(op.slot.id)
                : FailureText::message(
                    failure, answer, FailureText::wanted(op.kind, op.slot.id), m_http.endpoint().base);
        }
        Q_EMIT finished(reply);
    });
}

void LlamaCppBackend::onAction(const Op &op, const QString &fileName, const HttpAnswer &answer)
{
    BackendReply reply;
    reply.id = op.id;
    reply.kind = op.kind;
    reply.httpStatus = answer.status;
    reply.wallMs = answer.wallMs;
    reply.failure = failureOf(answer);
    if (reply.failure == OpFailure::None) {
        const auto parsed = parseAction(op.kind, answer.body);
        const bool fits = parsed && parsed.value().slot == op.slot.id
            && (op.kind == OpKind::Erase || parsed.value().fileName == fileName);
        if (fits) {
            reply.tokens = parsed.value().tokens;
            reply.bytes = parsed.value().bytes;
            reply.serverMs = parsed.value().serverMs;
        } else {
            reply.failure = OpFailure::ServerError;
        }
    }
    if (reply.failure == OpFailure::ConnectionRefused) {
        m_book->noteRefused();
    }
    if (reply.failure != OpFailure::None) {
        reply.message = FailureText::message(
            reply.failure, answer, FailureText::wanted(op.kind, op.slot.id), m_http.endpoint().base);
    }
    Q_EMIT finished(reply);
}

} // namespace kv
