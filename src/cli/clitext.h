// SPDX-License-Identifier: MIT
#pragma once

#include <QCoreApplication>

namespace kv {

/// The translation context of everything that the command line prints.
class CliText final {
    Q_DECLARE_TR_FUNCTIONS(kv::CliText)
};

} // namespace kv
