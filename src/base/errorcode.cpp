// SPDX-License-Identifier: MIT
#include "errorcode.h"

#include <array>

namespace kv {

namespace {

struct Entry {
    ErrorCode code;
    const char16_t *name;
};

constexpr std::array<Entry, 20> c_entries { {
    { ErrorCode::BackendUnavailable, u"KV_BACKEND_UNAVAILABLE" },
    { ErrorCode::BackendUnsupported, u"KV_BACKEND_UNSUPPORTED" },
    { ErrorCode::SlotNotFound, u"KV_SLOT_NOT_FOUND" },
    { ErrorCode::SlotBusy, u"KV_SLOT_BUSY" },
    { ErrorCode::SlotStateInvalid, u"KV_SLOT_STATE_INVALID" },
    { ErrorCode::SnapshotNotFound, u"KV_SNAPSHOT_NOT_FOUND" },
    { ErrorCode::SnapshotIncompatible, u"KV_SNAPSHOT_INCOMPATIBLE" },
    { ErrorCode::SnapshotCorrupt, u"KV_SNAPSHOT_CORRUPT" },
    { ErrorCode::SaveFailed, u"KV_SAVE_FAILED" },
    { ErrorCode::RestoreFailed, u"KV_RESTORE_FAILED" },
    { ErrorCode::EraseFailed, u"KV_ERASE_FAILED" },
    { ErrorCode::ManifestInvalid, u"KV_MANIFEST_INVALID" },
    { ErrorCode::MetadataIo, u"KV_METADATA_IO" },
    { ErrorCode::OperationTimeout, u"KV_OPERATION_TIMEOUT" },
    { ErrorCode::Invariant, u"KV_INVARIANT" },
    { ErrorCode::BadRequest, u"KV_BAD_REQUEST" },
    { ErrorCode::LeaseUnknown, u"KV_LEASE_UNKNOWN" },
    { ErrorCode::SessionUnknown, u"KV_SESSION_UNKNOWN" },
    { ErrorCode::ConfigInvalid, u"KV_CONFIG_INVALID" },
    { ErrorCode::Cancelled, u"KV_CANCELLED" },
} };

} // namespace

QString errorCodeName(ErrorCode code)
{
    for (const Entry &entry : c_entries) {
        if (entry.code == code) {
            return QStringView(entry.name).toString();
        }
    }
    return QStringLiteral("KV_INVARIANT");
}

std::optional<ErrorCode> errorCodeFromName(QStringView name)
{
    for (const Entry &entry : c_entries) {
        if (name == QStringView(entry.name)) {
            return entry.code;
        }
    }
    return std::nullopt;
}

QList<ErrorCode> allErrorCodes()
{
    QList<ErrorCode> codes;
    for (const Entry &entry : c_entries) {
        codes.append(entry.code);
    }
    return codes;
}

} // namespace kv
