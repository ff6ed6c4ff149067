// SPDX-License-Identifier: MIT
#pragma once

#include "app.h"
#include "sampledaemon.h"

#include <QStringList>
#include <QTemporaryDir>

namespace kv {

/// Renders every page, the mini monitor and all signs, light and dark, over the sample state, into PNG files.
class AppScreenshots final : public QObject {
    Q_OBJECT

public:
    explicit AppScreenshots(QString folder, QObject *parent = nullptr);
    ~AppScreenshots() override;
    Q_DISABLE_COPY_MOVE(AppScreenshots)

    void start();

Q_SIGNALS:
    /// `trouble`: a sentence; empty when all is written.
    void finished(const QString &trouble);

private:
    void startTheme();
    void next();
    void save(const QPixmap &picture, const QString &name);
    [[nodiscard]] QPixmap signs() const;

    QString m_folder;
    QTemporaryDir m_settingsFolder;
    SystemClock m_clock;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<SampleDaemon> m_daemon;
    std::unique_ptr<App> m_app;
    bool m_dark = false;
    int m_page = -1;
    QString m_trouble;
};

} // namespace kv
