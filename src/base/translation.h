// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>

class QCoreApplication;

namespace kv {

/// Which of the catalogues `available` (as "de", "zh_CN") somebody reads who prefers `languages` (as
/// "zh-Hans-CN"), the best first. Empty: none fits, the sources' English is shown.
[[nodiscard]] QString catalogueFor(const QStringList &languages, const QStringList &available);

/// Has all texts translated to `language` ("de"), or to the user's own when it is empty: ours out of the
/// program's resources, Qt's from the system. To be called once, before the first text is made; `application`
/// owns the translators.
void installTranslations(QCoreApplication *application, const QString &language = {});

} // namespace kv
