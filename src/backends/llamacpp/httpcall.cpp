// SPDX-License-Identifier: MIT
#include "httpcall.h"

#include <QIODevice>
#include <QNetworkProxy>
#include <QNetworkRequest>

#include <algorithm>
#include <cstring>

namespace kv {

namespace {

// Below Qt's six connections to a host, so that a lane never makes a call wait for a hung one.
constexpr int c_callsPerLane = 5;

/// A body that can be read once. Qt sends a request again when the connection drops, but only if it can
/// rewind.
class OnceDevice final : public QIODevice {
public:
    explicit OnceDevice(QByteArray data)
        : m_data(std::move(data))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    ~OnceDevice() override = default;
    Q_DISABLE_COPY_MOVE(OnceDevice)

    [[nodiscard]] bool isSequential() const override { return true; }
    bool seek(qint64 /*position*/) override { return false; } // without the warning that QIODevice prints
    [[nodiscard]] qint64 bytesAvailable() const override
    {
        return m_data.size() - m_at + QIODevice::bytesAvailable();
    }
    [[nodiscard]] bool atEnd() const override { return m_at >= m_data.size(); }

protected:
    qint64 readData(char *to, qint64 most) override
    {
        if (m_at >= m_data.size()) {
            return -1;
        }
        const qint64 count = std::min<qint64>(most, m_data.size() - m_at);
        std::memcpy(to, m_data.constData() + m_at, static_cast<std::size_t>(count));
        m_at += count;
        return count;
    }
    qint64 writeData(const char * /*from*/, qint64 /*most*/) override { return -1; }

private:
    QByteArray m_data;
    qint64 m_at = 0;
};

QNetworkAccessManager *newManager(QObject *parent)
{
    auto *manager = new QNetworkAccessManager(parent);
    manager->setProxy(QNetworkProxy(QNetworkProxy::NoProxy));
    manager->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
    return manager;
}

// Most of Qt's errors only repeat the status (400 is ProtocolInvalidOperationError) or, as
// ContentReSendError, say that Qt would have sent the request again because of it (307, 401); these say that
// there was no whole answer.
bool brokeOnTheWay(QNetworkReply::NetworkError error, int status)
{
    return status == 0 || (error != QNetworkReply::NoError && error < QNetworkReply::ContentAccessDenied)
        || error == QNetworkReply::ProtocolFailure;
}

bool neverBegun(QNetworkReply::NetworkError error)
{
    return error == QNetworkReply::ConnectionRefusedError || error == QNetworkReply::HostNotFoundError;
}

} // namespace

HttpCall::HttpCall(QNetworkReply *reply, int deadlineMs, QObject *parent)
    : QObject(parent)
    , m_reply(reply)
    , m_deadlineMs(deadlineMs)
{
    m_clock.start();
    connect(reply, &QNetworkReply::readyRead, this, &HttpCall::takeBytes);
    connect(reply, &QNetworkReply::finished, this, &HttpCall::finish);
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, &HttpCall::giveUp);
    m_deadline.start(deadlineMs);
}

HttpCall::~HttpCall()
{
    if (m_reply) {
        disconnect(m_reply, nullptr, this, nullptr);
        delete m_reply; // aborts a running call and closes its connection
    }
}

void HttpCall::takeBytes()
{
    m_answer.body += m_reply->readAll();
    if (m_answer.body.size() > c_maxAnswerBytes) {
        m_tooBig = true;
        m_answer.body.clear();
        m_reply->abort(); // emits finished()
    }
}

void HttpCall::giveUp()
{
    m_answer.timedOut = true;
    m_reply->abort(); // emits finished()
}

void HttpCall::finish()
{
    m_deadline.stop();
    m_answer.wallMs = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
    m_answer.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    m_answer.processStart = m_reply->rawHeader("Process-Start-Time-Unix").trimmed();
    const auto error = m_reply->error();
    if (m_tooBig) {
        m_answer.transport = OpFailure::ServerError;
        m_answer.detail = QStringLiteral("the answer is longer than %1 bytes").arg(c_maxAnswerBytes);
    } else if (m_answer.timedOut) {
        m_answer.transport = OpFailure::ConnectionLost;
        m_answer.detail = QStringLiteral("no answer within %1 s").arg(m_deadlineMs / 1000.0);
    } else if (brokeOnTheWay(error, m_answer.status)) {
        m_answer.transport = neverBegun(error) ? OpFailure::ConnectionRefused : OpFailure::ConnectionLost;
        m_answer.detail = m_reply->errorString();
    } else if (m_reply->isReadable()) {
        m_answer.body += m_reply->readAll();
    }
    deleteLater();
    Q_EMIT finished(m_answer);
}

HttpClient::HttpClient(ServerEndpoint endpoint, QObject *parent)
    : QObject(parent)
    , m_endpoint(std::move(endpoint))
    , m_reads(newManager(this))
{
    QString path = m_endpoint.base.path();
    while (path.endsWith(u'/')) {
        path.chop(1);
    }
    if (path.endsWith(QStringLiteral("/v1"))) {
        path.chop(3);
    }
    m_endpoint.base.setPath(path);
    m_endpoint.base.setQuery(QString());
    m_endpoint.base.setFragment(QString());
}

HttpClient::~HttpClient() = default;

QNetworkRequest HttpClient::request(const QString &path, const QUrlQuery &query) const
{
    QUrl url = m_endpoint.base;
    url.setPath(url.path() + path);
    if (!query.isEmpty()) {
        url.setQuery(query);
    }
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setRawHeader("Accept-Encoding", "identity"); // the limit counts what is sent
    if (!m_endpoint.apiKey.isEmpty()) {
        request.setRawHeader("Authorization", "Bearer " + m_endpoint.apiKey);
    }
    return request;
}

HttpCall *HttpClient::getQuery(const QString &path, const QUrlQuery &query, int deadlineMs, QObject *owner)
{
    return new HttpCall(m_reads->get(request(path, query)), deadlineMs, owner);
}

HttpCall *HttpClient::get(const QString &path, bool mayLoad, int deadlineMs, QObject *owner)
{
    QUrlQuery query;
    if (!m_endpoint.routerModel.isEmpty()) {
        query.addQueryItem(
            QStringLiteral("model"), QString::fromLatin1(QUrl::toPercentEncoding(m_endpoint.routerModel)));
        if (!mayLoad) {
            query.addQueryItem(QStringLiteral("autoload"), QStringLiteral("0"));
        }
    }
    return getQuery(path, query, deadlineMs, owner);
}

HttpCall *HttpClient::getPlain(const QString &path, int deadlineMs, QObject *owner)
{
    return getQuery(path, {}, deadlineMs, owner);
}

HttpCall *HttpClient::post(
    const QString &path, const QUrlQuery &query, const QByteArray &json, QObject *owner, int deadlineMs)
{
    QUrlQuery asked = query;
    if (!m_endpoint.routerModel.isEmpty()) {
        asked.addQueryItem(
            QStringLiteral("autoload"), QStringLiteral("0")); // the model itself is in the body
    }
    QNetworkRequest out = request(path, asked);
    out.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
    // Both are needed, or Qt buffers the body and can send it again.
    out.setHeader(QNetworkRequest::ContentLengthHeader, json.size());
    out.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    out.setRawHeader("Connection", "close");
    auto *body = new OnceDevice(json);
    Lane &lane = freeLane();
    QNetworkAccessManager *const manager = lane.manager;
    QNetworkReply *reply = manager->post(out, body);
    body->setParent(reply);
    ++lane.running;
    connect(reply, &QObject::destroyed, this, [this, manager] { leaveLane(manager); });
    return new HttpCall(reply, deadlineMs < 0 ? m_endpoint.operationSafetyMs : deadlineMs, owner);
}

HttpClient::Lane &HttpClient::freeLane()
{
    const auto found = std::find_if(
        m_lanes.begin(), m_lanes.end(), [](const Lane &lane) { return lane.running < c_callsPerLane; });
    if (found != m_lanes.end()) {
        return *found;
    }
    m_lanes.push_back({ newManager(this), 0 });
    return m_lanes.back();
}

void HttpClient::leaveLane(QNetworkAccessManager *manager)
{
    const auto found = std::find_if(
        m_lanes.begin(), m_lanes.end(), [manager](const Lane &lane) { return lane.manager == manager; });
    if (found == m_lanes.end()) {
        return;
    }
    --found->running;
    if (found->running == 0 && m_lanes.size() > 1) {
        manager->deleteLater();
        m_lanes.erase(found);
    }
}

} // namespace kv
