-- SPDX-License-Identifier: MIT
PRAGMA application_id = 1263947859;
CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE server (name TEXT NOT NULL PRIMARY KEY, high_water INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE fingerprint (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, compared TEXT NOT NULL, shown TEXT NOT NULL, slot_context INTEGER NOT NULL);
CREATE TABLE snapshot (server TEXT NOT NULL, session TEXT NOT NULL, fingerprint INTEGER NOT NULL, schema_version INTEGER NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, slot_model TEXT NOT NULL, endpoint_hash TEXT NOT NULL, boot TEXT NOT NULL, slot INTEGER NOT NULL, name INTEGER NOT NULL, session_seq INTEGER NOT NULL, tokens INTEGER NOT NULL, bytes INTEGER NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL, last_restore INTEGER NOT NULL, used_seq INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL, compatibility TEXT NOT NULL, verdict TEXT NOT NULL, pinned INTEGER NOT NULL, subagent INTEGER NOT NULL, label TEXT NOT NULL, checksum TEXT NOT NULL, base INTEGER NOT NULL DEFAULT 0, source TEXT NOT NULL DEFAULT '', prefix_tokens INTEGER NOT NULL DEFAULT -1, misses INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (server, session, fingerprint)) WITHOUT ROWID;
CREATE TABLE total (server TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (server, name)) WITHOUT ROWID;
CREATE TABLE setting (server TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (server, key)) WITHOUT ROWID;
INSERT INTO meta VALUES ('prefix', '0123456789abcdef');
INSERT INTO meta VALUES ('clean', '1');
INSERT INTO meta VALUES ('machineBoot', 'machine-1');
INSERT INTO server VALUES ('local', 32);
INSERT INTO total VALUES ('local', 'saves', 12);
INSERT INTO setting VALUES ('local', 'rates', '{}');
INSERT INTO fingerprint VALUES (1, 'a18d2ec6cd2f7a761e37a32f1f718e0b1a9ae229e6728a31f893c19688074559', '[["backend","llama.cpp"],["modelPath","/m.gguf"]]', '[["alias","m"]]', 8192);
INSERT INTO snapshot VALUES ('local', 'session-1', 1, 1, 'qwen', 'm', '', 'e0', 'boot-9', 0, 7, 4, 1421, 386612, 1000, 2000, 0, 3, 'valid', '', 'unknown', 'unknown', 0, 0, 'a label', '', 0, '', -1, 0);
PRAGMA user_version = 2;
