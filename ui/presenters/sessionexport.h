// SPDX-License-Identifier: MIT
#pragma once

#include "daemonport.h"

#include <QSaveFile>

namespace kv {

/// Writes every row of a kv.list to a file, page by page. Deleting it ends it; then the file is as it was
/// before.
class SessionExport final : public QObject {
    Q_OBJECT

public:
    enum class Format { Json, Csv };

    /// `listParams`: order and filter. `daemon` outlives it.
    SessionExport(Daemon &daemon, QJsonObject listParams, const QString &path, Format format,
        QObject *parent = nullptr);

    void start();
    void cancel();

Q_SIGNALS:
    void progressed(int done, int total);
    /// Once, with what came of it as a sentence.
    void finished(const QString &sentence);

private:
    void nextPage();
    void onPage(const CallResult &answer);
    void write(const QJsonObject &row);
    void finish(const QString &sentence);

    Daemon &m_daemon;
    QJsonObject m_params;
    QSaveFile m_file;
    Format m_format;
    int m_done = 0;
    bool m_over = false;
};

} // namespace kv
