// SPDX-License-Identifier: MIT
#include "service.h"

namespace kv {

Service::Service(QObject *parent)
    : QObject(parent)
{
}

Service::~Service() = default;

} // namespace kv
