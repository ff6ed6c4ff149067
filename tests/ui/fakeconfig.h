// SPDX-License-Identifier: MIT
#pragma once

#include "fakeui.h"

#include <QJsonArray>

namespace kv {

/// The configuration file behind kv.config of a FakeUiDaemon.
class FakeConfig final {
public:
    /// Answers kv.config from now on; lives as long as the daemon is asked.
    explicit FakeConfig(FakeUiDaemon &daemon, const QString &yaml = {});
    Q_DISABLE_COPY_MOVE(FakeConfig)

    QString text;
    bool exists = true;
    QJsonArray errors; ///< of the next texts that are looked at
    QJsonArray changed { QStringLiteral("checkpoint") };
    QJsonArray restartNeeded;

    [[nodiscard]] static QString path() { return QStringLiteral("/home/test/config.yaml"); }

private:
    CallResult answer(const QJsonObject &params);
    [[nodiscard]] QString hash() const;
};

} // namespace kv
