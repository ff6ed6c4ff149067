// SPDX-License-Identifier: MIT
#pragma once

#include "coordinatorharness.h"
#include "eventname.h"

#include <QTest>

/// At the end of a test: no rule was broken on the way.
#define VERIFY_RULES(harness)                                                                                \
    QVERIFY2((harness).violations().isEmpty(), qPrintable((harness).violations().join(u"; "_qs)))
