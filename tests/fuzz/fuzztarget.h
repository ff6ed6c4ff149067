// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// The one function of a fuzz target, in libFuzzer's form: called with any bytes, any number of times. It
/// ends the process when something that must hold does not.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace kv {

/// What must hold for every input. Aborts, which is what a fuzzer takes for a finding.
inline void require(bool holds, const char *what)
{
    if (!holds) {
        static_cast<void>(std::fprintf(stderr, "This does not hold: %s\n", what));
        std::abort();
    }
}

/// The input without a copy; valid during the call.
inline QByteArray fuzzBytes(const std::uint8_t *data, std::size_t size)
{
    return QByteArray::fromRawData(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
}

} // namespace kv
