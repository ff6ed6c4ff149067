// SPDX-License-Identifier: MIT
#include "defaultconfig.h"

namespace kv {

// NOLINTNEXTLINE(readability-function-size): a text, not code
QString explainedConfigText()
{
    // A test of the command line reads it with the daemon's own reader and compares with the built-in
    // defaults.
    static constexpr QStringView c_text
        = uR"(# Configuration of kv-persistd. What is written here are the defaults: lines may be left out.
# Check a change with "kv-persist config validate FILE", apply it with "kv-persist reload".
enabled: true

# The llama-servers whose slots are kept. Without any, the first that answers on the ports 8080 and 9931 of
# this machine is used, for every provider.
#servers:
#  local:
#    type: llama.cpp
#    baseURL: http://127.0.0.1:8080
#    apiKeyFile: ~/.config/kv-persist/key
#    requestTimeoutMs: 15000
#    mode: single-slot                      # or managed-slots: use all slots of the server
#    slotId: 0                              # single-slot: which one
#    auxiliarySlot: false                   # managed-slots: keep the last one for titles and the like
#    runtimeKey: my-model-q4-ctx32k         # change it when you change what the server does not tell
#    snapshotBinaryManagement: server-owned # or shared-filesystem, with:
#    slotSavePath: /data/kv                 # the folder of the server's --slot-save-path, as seen here

# Which provider of the client is which server. Nothing else is touched.
#providers:
#  my-provider: local
#  other: [ { model: "qwen*", server: local } ]

auxiliaryRequests: isolate # requests outside of conversations: isolate, or ignore

# The slot of a session without a snapshot: base (a beginning that it shares with earlier sessions, system prompt and tools, or
# the session it was branched from, is restored first; costs one early save each), keep (what is in it and fits is reused), erase.
coldStart: base

leases:
  idleMs: 60000 # a request that never ends loses its slot after so long without activity, if somebody waits
  holdMs: 30000 # a slot is held for a session between its tool calls at most so long, if somebody waits

checkpoint: # when a session is saved
  onSwitch: true       # another session needs its slot
  onShutdown: true     # the daemon stops
  onSessionFlush: true # the client says that it wrote its log
  onDispose: true      # the client closes the session
  idleMs: 30000        # so long after its last request; 0: never
  onTurnEnd: false
  onStepEnd: false
  minTokens: auto      # smaller states are not worth saving
  maxBytesPerDay: 50GB
  maxDirtyMs: 300000   # a background save waits at most so long for the server to be quiet
  subagents: whileAlive # or never, always

restore:
  enabled: true
  verify: basic # or off, strict

failure:
  strict: false # true: a failed save or restore fails the request instead of starting it cold
  maxConsecutiveFailures: 3
  cooldownMs: 60000

retention: # what is removed when it grows; pinned snapshots stay
  maxTotalBytes: 100GB
  minFreeBytes: 5GB
  maxSessions: off
  maxAgeDays: off

#metadata:
#  path: ~/.dsh/cache/dsh-kv-persist # the database

logging:
  level: info
  format: text # or json
#  filter: "proxy=debug,runtime=warn" # other levels for parts of the program

#metrics:
#  listen: 127.0.0.1:9464 # for Prometheus; off when absent
)";
    return c_text.toString();
}

} // namespace kv
