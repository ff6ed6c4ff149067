// SPDX-License-Identifier: MIT
#pragma once

#include "commandcontext.h"
#include "reportscrub.h"

#include <QDir>

#include <vector>

namespace kv {

/// Puts a fault report together in a folder: what the daemon says, or what is on disk without it. What cannot
/// be had is noted, not an error.
class Report final {
public:
    struct Part {
        QString file; ///< below the report's folder; empty: missing
        QString what; ///< it is, or why it is missing
    };

    /// `folder` exists and is empty. `metadataFolder`, `configFile`: as given by the user, or empty.
    Report(CommandContext &context, const QDir &folder, QString metadataFolder, QString configFile);

    void collect();
    [[nodiscard]] const std::vector<Part> &parts() const { return m_parts; }
    [[nodiscard]] bool daemonAnswered() const { return m_daemonAnswered; }
    /// A file could not be written: the sentence.
    [[nodiscard]] const QString &failure() const { return m_failure; }

private:
    void collectConfig();
    void collectDocuments();
    void collectDoctor();
    void collectJournals();
    void collectVersions();
    void lastEvents(const QString &journal, const QString &name);
    void writeIndex();
    void add(const QString &file, const QByteArray &bytes, const QString &what);
    void add(const QString &file, const QJsonObject &document, const QString &what);
    void missing(const QString &what) { m_parts.push_back({ {}, what }); }

    CommandContext &m_context;
    QDir m_folder;
    QString m_metadataFolder;
    QString m_configFile;
    ReportScrub m_scrub;
    QJsonObject m_status;
    bool m_daemonAnswered = false;
    std::vector<Part> m_parts;
    QString m_failure;
};

} // namespace kv
