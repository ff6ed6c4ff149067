// SPDX-License-Identifier: MIT
#pragma once

#include "httpcall.h"
#include "operation.h"

#include <QCoreApplication>
#include <QString>
#include <QUrl>

namespace kv {

// What a failed call means. Decided by the status, never by the text, which differs between builds:
//   no connection             ConnectionRefused
//   no (whole) answer         ConnectionLost
//   401, 403                  Unauthorized
//   501                       Unsupported (POST: --slot-save-path is missing; GET /slots: --no-slots)
//   503                       Loading
//   other 4xx                 Refused
//   other 5xx, 1xx, 3xx       ServerError
//   2xx that makes no sense   ServerError

/// None for a whole answer with a 2xx status.
OpFailure failureOf(const HttpAnswer &answer);

class FailureText final {
    Q_DECLARE_TR_FUNCTIONS(kv::FailureText)

public:
    /// What happened, what it means and what to do. `what`: the thing that was wanted, as in "save slot 0".
    static QString message(
        OpFailure failure, const HttpAnswer &answer, const QString &what, const QUrl &base);
    static QString wanted(OpKind kind, int slot); ///< "save slot 0" and so on, for message()

private:
    static QString remedy(OpFailure failure, const QString &what);
};

} // namespace kv
