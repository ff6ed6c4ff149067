// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace kv {

/// The one list of error codes of the project. On the wire each is `data.code` of a JSON-RPC error, spelt as
/// errorCodeName() gives it. Adding one means adding it to PROTOCOL.md too (a test compares them).
enum class ErrorCode {
    BackendUnavailable, ///< the server does not answer, or answers with a failure of its own
    BackendUnsupported, ///< the server answers but cannot save or restore slots (as it was started)
    SlotNotFound,
    SlotBusy,
    SlotStateInvalid,
    SnapshotNotFound,
    SnapshotIncompatible,
    SnapshotCorrupt,
    SaveFailed,
    RestoreFailed,
    EraseFailed,
    ManifestInvalid,
    MetadataIo,
    OperationTimeout,
    Invariant,
    BadRequest,
    LeaseUnknown,
    SessionUnknown,
    ConfigInvalid,
    Cancelled,
};

/// "KV_BACKEND_UNAVAILABLE" and so on.
QString errorCodeName(ErrorCode code);
std::optional<ErrorCode> errorCodeFromName(QStringView name);
/// All codes in the order of their declaration.
QList<ErrorCode> allErrorCodes();

} // namespace kv
