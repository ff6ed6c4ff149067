// SPDX-License-Identifier: MIT
#pragma once

#include "fingerprint.h"
#include "modelfilesample.h"
#include "operation.h"
#include "types.h"

#include <QString>

#include <map>
#include <optional>

namespace kv {

/// Forms the identity of one running server out of what is learned of it bit by bit. Pure: no files, no
/// clock.
///
/// Rules: nothing is formed before every source has answered once under the boot id; a field once known under
/// a boot id stays known for that boot (a new value replaces it); a model file that changed after the
/// server's process started makes the identity unknown until a new boot id, as nobody can tell which content
/// the server holds. A new boot id forgets everything.
class RuntimeFingerprint final {
public:
    /// What the server told, in one look at it.
    struct ServerSeen {
        QString boot; ///< empty: not known; then nothing is forgotten and there is no identity
        bool complete = false; ///< every source of the server's own has answered under this boot
        FieldList compared; ///< any order; names that fingerprint.h does not list are shown, not compared
        FieldList shown;
        qint64 slotContext = 0; ///< tokens; 0: not told
        qint64 processStartWallMs = 0; ///< Unix ms; 0: not known
    };

    /// `runtimeKey`: as configured, may be empty. `modelFileExpected`: the model file's facts are a source
    /// too (the server is on this machine): an answer of the probe is awaited, be it "not readable".
    RuntimeFingerprint(QString runtimeKey, bool modelFileExpected);

    void setRuntimeKey(const QString &runtimeKey);
    void setModelFileExpected(bool expected);

    void serverSeen(const ServerSeen &seen, qint64 wallMs);
    /// The probe's answer about `path`, asked after serverSeen() had told that path under this boot. Other
    /// paths than the server's present one are ignored.
    void modelFileSeen(const QString &path, const ModelFileFacts &facts, qint64 wallMs);

    /// boot and fingerprint; the fingerprint is null while not known. The same object as long as nothing
    /// changed.
    [[nodiscard]] Identity identity() const;
    /// Why there is no fingerprint, a sentence for the user; empty: there is one.
    [[nodiscard]] QString unknownReason() const;
    /// The process is known, but its sources have not all been asked or have not answered; no other reason.
    [[nodiscard]] bool isUnread() const { return m_bootKnown && !m_complete && !m_fileChanged; }
    [[nodiscard]] bool modelFileChanged() const { return m_fileChanged; }
    [[nodiscard]] QString modelPath() const; ///< as the server told; empty: not told

    /// What was first seen of the model file in this boot; to be kept by the caller and given back by
    /// assumeModelFile() after a restart of the daemon, so that a file swapped in between is noticed.
    [[nodiscard]] std::optional<ModelFileFacts> firstModelFile() const { return m_firstFile; }
    /// Before the first serverSeen(): holds if that boot id is seen next.
    void assumeModelFile(const QString &boot, const ModelFileFacts &facts);

private:
    void startBoot(const QString &boot, qint64 wallMs);
    void merge(const ServerSeen &seen);
    void judgeModelFile(qint64 wallMs);
    void form();

    QString m_runtimeKey;
    bool m_fileExpected;

    QString m_boot; ///< the last one known
    bool m_bootKnown = false; ///< and the present one is that
    qint64 m_bootSeenWallMs = 0;
    qint64 m_processStartWallMs = 0;
    bool m_complete = false;
    std::map<QString, QString> m_compared;
    std::map<QString, QString> m_shown;
    qint64 m_slotContext = 0;

    bool m_fileAnswered = false;
    bool m_fileChanged = false;
    std::optional<ModelFileFacts> m_firstFile;
    std::optional<ModelFileFacts> m_file; ///< the last readable facts
    QString m_assumedBoot;
    std::optional<ModelFileFacts> m_assumedFile;

    FingerprintPtr m_fingerprint;
};

} // namespace kv
