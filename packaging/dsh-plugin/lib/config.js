// SPDX-License-Identifier: MIT
// The plugin's settings, all optional. A wrong one is left at its default and named; it never stops the
// harness.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SETTINGS = {
    enabled: { type: 'boolean', value: true },
    socket: { type: 'string', value: undefined },
    label: { type: 'boolean', value: true },
    statusLine: { type: 'boolean', value: false },
    command: { type: 'boolean', value: true },
    injectSlot: { type: 'boolean', value: false },
    waitMs: { type: 'number', value: 10 * 60 * 1000 },
    drainMs: { type: 'number', value: 1500 },
};

/** { settings, complaint }: `complaint` is one sentence, or undefined. */
export function readConfig(given, environment = process.env) {
    const wrong = [];
    const settings = {};
    for (const [name, { value }] of Object.entries(SETTINGS)) settings[name] = value;
    for (const [name, value] of Object.entries(given ?? {})) {
        if (value === undefined || value === null) continue;
        if (fits(SETTINGS[name], value)) settings[name] = value;
        else wrong.push(name);
    }
    settings.socket ||= defaultSocket(environment);
    const complaint =
        wrong.length === 0 ? undefined : `unknown or wrong settings are left out: ${wrong.join(', ')}`;
    return { settings, complaint };
}

function fits(setting, value) {
    return (
        typeof value === setting?.type &&
        (setting.type !== 'number' || (Number.isFinite(value) && value >= 0))
    );
}

/** Where kv-persistd listens when it is not told otherwise. */
export function defaultSocket(environment, userId = process.getuid?.()) {
    if (environment.KV_PERSIST_SOCKET) return environment.KV_PERSIST_SOCKET;
    if (process.platform === 'win32') return `\\\\.\\pipe\\kv-persist-${environment.USERNAME ?? ''}`;
    const runtime = environment.XDG_RUNTIME_DIR;
    return join(runtime ? join(runtime, 'kv-persist') : join(tmpdir(), `kv-persist-${userId}`), 'api.sock');
}
