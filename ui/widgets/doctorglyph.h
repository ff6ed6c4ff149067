// SPDX-License-Identifier: MIT
#pragma once

#include "doctormodel.h"

#include <QColor>
#include <QPalette>
#include <QPixmap>

namespace kv {

/// Green, amber or red as it can be read on this palette's background.
QColor doctorColour(DoctorCheck::Verdict verdict, const QPalette &palette);

/// A verdict as a shape: a tick in a disc, an exclamation mark in a triangle, a cross in an octagon. `extent`
/// in device independent pixels.
QPixmap doctorGlyph(DoctorCheck::Verdict verdict, const QPalette &palette, int extent, qreal ratio);

} // namespace kv
