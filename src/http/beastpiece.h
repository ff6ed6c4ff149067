// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>

#include <boost/beast/core/string_type.hpp>

#include <cstddef>

namespace kv {

/// So much of a body is taken from Beast's parsers at a time; in bytes.
inline constexpr std::size_t c_piece = 65'536;

inline QByteArray bytesOf(boost::beast::string_view text)
{
    return { text.data(), static_cast<qsizetype>(text.size()) };
}

} // namespace kv
