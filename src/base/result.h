// SPDX-License-Identifier: MIT
#pragma once

#include "errorcode.h"

#include <QJsonObject>
#include <QString>

#include <utility>
#include <variant>

namespace kv {

/// An error as a value. `message` is one sentence or two for the user (what happened, what it means, what to
/// do); `detail` is for the log.
struct Error {
    ErrorCode code = ErrorCode::Invariant;
    QString message;
    QString detail;
    QJsonObject data = {}; ///< further facts for programs: `data` of the JSON-RPC error, beside its `code`
};

/// A value or an Error. The only way in which the functions of this project report failure.
template <typename T> class [[nodiscard]] Result final {
public:
    Result(T value) // NOLINT(google-explicit-constructor): returning a value is the normal case
        : m_data(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error) // NOLINT(google-explicit-constructor)
        : m_data(std::in_place_index<1>, std::move(error))
    {
    }

    [[nodiscard]] bool ok() const { return m_data.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Only when ok().
    [[nodiscard]] const T &value() const & { return std::get<0>(m_data); }
    [[nodiscard]] T &value() & { return std::get<0>(m_data); }
    [[nodiscard]] T &&value() && { return std::get<0>(std::move(m_data)); }
    /// Only when !ok().
    [[nodiscard]] const Error &error() const { return std::get<1>(m_data); }

private:
    std::variant<T, Error> m_data;
};

/// For functions that have nothing to return but success.
struct Done { };

} // namespace kv
