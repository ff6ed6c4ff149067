// SPDX-License-Identifier: MIT
#include "failuretext.h"

#include "serverjson.h"

namespace kv {

OpFailure failureOf(const HttpAnswer &answer)
{
    if (answer.transport != OpFailure::None) {
        return answer.transport;
    }
    switch (answer.status) {
    case 401:
    case 403:
        return OpFailure::Unauthorized;
    case 501:
        return OpFailure::Unsupported;
    case 503:
        return OpFailure::Loading;
    default:
        break;
    }
    if (answer.status >= 200 && answer.status < 300) {
        return OpFailure::None;
    }
    return answer.status >= 400 && answer.status < 500 ? OpFailure::Refused : OpFailure::ServerError;
}

QString FailureText::wanted(OpKind kind, int slot)
{
    switch (kind) {
    case OpKind::Save:
        return tr("save slot %1").arg(slot);
    case OpKind::Restore:
        return tr("restore slot %1").arg(slot);
    case OpKind::Erase:
        return tr("erase slot %1").arg(slot);
    case OpKind::Look:
    case OpKind::Probe:
        return tr("list its slots");
    case OpKind::Nudge:
        return tr("wake what waits in slot %1").arg(slot);
    case OpKind::Identity:
    case OpKind::CheckFile:
    case OpKind::DeleteFile:
        break;
    }
    return tr("tell its properties");
}

QString FailureText::message(
    OpFailure failure, const HttpAnswer &answer, const QString &what, const QUrl &base)
{
    const QString where = base.toString(QUrl::RemoveUserInfo);
    QString said = parseErrorText(answer.body);
    said = said.isEmpty() ? QString() : tr(" It said: “%1”.").arg(said);
    switch (failure) {
    case OpFailure::None:
        return {};
    case OpFailure::ConnectionRefused:
        return tr("Nobody answers at %1, so it could not %2. Is the server running?").arg(where, what);
    case OpFailure::ConnectionLost:
        return answer.timedOut
            ? tr("The server at %1 did not answer in time when asked to %2. It may be busy or hang.")
                  .arg(where, what)
            : tr("The connection to %1 broke when it was asked to %2. The server may have died; its log "
                 "tells.")
                  .arg(where, what);
    case OpFailure::Unauthorized:
        return tr(
            "The server at %1 refuses the API key (HTTP %2). Set apiKeyFile to the key it was started with.")
            .arg(where, QString::number(answer.status));
    case OpFailure::Unsupported:
        return tr("The server at %1 cannot %2 as it was started.%3 Start it with %4.")
            .arg(where, what, said, remedy(failure, what));
    case OpFailure::Loading:
        return tr("The server at %1 is still loading its model (HTTP 503), so it cannot %2 yet.")
            .arg(where, what);
    case OpFailure::Refused:
        return tr("The server at %1 refused to %2 (HTTP %3).%4")
            .arg(where, what, QString::number(answer.status), said);
    case OpFailure::ServerError:
    case OpFailure::File:
    case OpFailure::FileGone:
        break;
    }
    if (answer.status >= 200 && answer.status < 300) {
        return tr("The server at %1 was asked to %2, and its answer makes no sense. Is it a llama-server?")
            .arg(where, what);
    }
    return tr("The server at %1 failed to %2 (HTTP %3).%4 Its log and the space on its disk may tell why.")
        .arg(where, what, QString::number(answer.status), said);
}

QString FailureText::remedy(OpFailure /*failure*/, const QString &what)
{
    return what == wanted(OpKind::Look, 0) ? QStringLiteral("--slots")
                                           : QStringLiteral("--slot-save-path DIR");
}

} // namespace kv
