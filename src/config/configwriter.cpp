// SPDX-License-Identifier: MIT
#include "configwriter.h"

#include "atomicfile.h"
#include "paths.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace kv {

namespace {

struct ConfigWriterText {
    Q_DECLARE_TR_FUNCTIONS(kv::ConfigWriter)
};

/// Empty: there is no file.
QString presentHash(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? configHash(file.readAll()) : QString();
}

} // namespace

// NOLINTNEXTLINE(readability-function-size): a text, not code
QByteArray defaultConfigText()
{
    return R"(# kv-persist: configuration. Every value shown is the default; what is commented out is an example.
# Times are milliseconds. Sizes: GB is decimal, GiB binary. Paths may use ~ and ${VAR}.
# Check a changed file with: kv-persist config validate

enabled: true

# The llama-servers to manage. Without any, the first of 127.0.0.1:8080 and 127.0.0.1:9931 that answers is used.
#servers:
#  local:
#    type: llama.cpp
#    baseURL: http://127.0.0.1:8080
#    apiKeyFile: ~/.config/kv-persist/key      # or apiKey
#    requestTimeoutMs: 15000
#    mode: single-slot                         # or managed-slots
#    slotId: 0
#    auxiliarySlot: false                      # managed-slots: keep the last slot for auxiliary requests
#    runtimeKey: my-model-q4                   # change it when the server's options change in a way that nobody sees
#    snapshotBinaryManagement: server-owned    # or shared-filesystem, with the folder:
#    slotSavePath: /data/kv

# Which providers of the harness go to which server. Nothing else is touched.
#providers:
#  local-qwen: local
#  other: [ { model: "qwen*", server: local } ]   # first match wins

auxiliaryRequests: isolate    # titles and the like: isolate or ignore
# What the slot of a session without a snapshot is made to hold before its first request. base: a beginning that it
# shares with earlier sessions of its provider (system prompt, tools), or the session it was branched from; costs one
# early save a beginning, and the room that its file takes. keep: what is in it already, so that only what both prompts
# have in common is reused. erase: nothing, so that the whole prompt is processed.
coldStart: base

leases:
  idleMs: 60000               # a silent holder may be passed over after this time, if somebody waits
  holdMs: 30000               # how long a slot stays held between the requests of one turn, at most

checkpoint:
  onSwitch: true              # before a slot goes to another session
  onShutdown: true
  onSessionFlush: true
  onDispose: true
  idleMs: 30000               # after this time of quiet; off: never
  onTurnEnd: false
  onStepEnd: false
  minTokens: auto             # or a number: shorter sessions are not saved
  maxBytesPerDay: 50GB        # background saves only; or off
  maxDirtyMs: 300000          # a background save waits no longer for a quiet server
  subagents: whileAlive       # never, whileAlive or always

restore:
  enabled: true
  verify: basic               # off, basic or strict

failure:
  strict: false               # true: a failed save or restore fails the request
  maxConsecutiveFailures: 3
  cooldownMs: 60000

retention:
  maxTotalBytes: 100GB        # or off
  minFreeBytes: 5GB           # or off
  maxSessions: off
  maxAgeDays: off

#metadata:
#  path: ~/.dsh/cache/dsh-kv-persist

logging:
  level: info                 # error, warn, info or debug
  format: text                # or json
#  filter: "proxy=debug,runtime=warn"   # other levels for parts of the program

#metrics:
#  listen: 127.0.0.1:9464     # Prometheus text; off when absent

#proxy:
#  listen: 127.0.0.1:9932     # clients that know nothing of kv-persist are given this address; off when absent
#  server: local              # it passes everything on to this server, and keeps their sessions warm
)";
}

Result<LoadedConfig> replaceConfigFile(const QString &path, const QByteArray &yaml, const QString &ifHash,
    const QProcessEnvironment &environment)
{
    Result<LoadedConfig> loaded = readConfig(yaml, path, environment);
    if (!loaded) {
        return loaded;
    }
    if (const QString present = presentHash(path); !ifHash.isEmpty() && present != ifHash) {
        return Error { ErrorCode::ConfigInvalid,
            ConfigWriterText::tr(
                "%1 was changed by somebody else since it was read, so it was left as it is. Read it "
                "again and "
                "repeat the change.")
                .arg(path),
            path, { { QStringLiteral("hash"), present } } };
    }
    const QString folder = QFileInfo(path).absolutePath();
    if (!QFileInfo::exists(folder)) {
        if (const Result<Done> made = makePrivateFolder(folder); !made) {
            return made.error();
        }
    }
    if (const Result<Done> written = writeFileAtomically(path, yaml); !written) {
        return written.error();
    }
    return loaded;
}

} // namespace kv
