// SPDX-License-Identifier: MIT
#pragma once

#include "result.h"
#include "storedatabase.h"

namespace kv {

/// The schema this program writes. A higher one in a file is refused, a lower one is carried forward.
inline constexpr int c_storeSchema = 2;

/// "KVPS" in the header: tells our files from any other SQLite database.
inline constexpr qint32 c_applicationId = 0x4B565053;

/// The error of a file with a later schema.
Error newerSchema(const QString &file, qint64 version);

/// The schema of the database; 0: a new, empty one. Reads only. Errors: ManifestInvalid for a file that is
/// damaged or none of ours, MetadataIo for one of a later version (the sentence says so).
Result<int> checkSchema(StoreDatabase &database);
/// Carries the database from `version` to c_storeSchema, one transaction a step.
Result<Done> migrate(StoreDatabase &database, int version);
/// All steps from an empty database, for use inside a transaction of the caller's.
Result<Done> createSchema(StoreDatabase &database);

} // namespace kv
