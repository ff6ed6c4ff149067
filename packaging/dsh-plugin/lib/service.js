// SPDX-License-Identifier: MIT
// ctx.kvPersist: the daemon for other plugins. Each method is one call on the socket and never rejects.

const READ_MS = 5000;
const WORK_MS = 10 * 60 * 1000; // a save or restore may wait for a slot

const NO_DAEMON = {
    code: 'KV_NO_DAEMON',
    message: 'kv-persistd does not answer. Nothing was done; sessions go on and are merely colder.',
};

/**
 * Every method resolves to { ok: true, value } or { ok: false, error: { code, message } }. The values are the
 * results of the daemon's protocol; `options` may narrow by provider, model and server.
 */
export function makeService(client) {
    async function call(method, params, deadlineMs) {
        try {
            if (!(await client.ready())) return { ok: false, error: NO_DAEMON };
            const reply = await client.request(method, params, deadlineMs);
            if (reply === undefined) return { ok: false, error: NO_DAEMON };
            if (reply.error === undefined) return { ok: true, value: reply.result };
            const { message, data } = reply.error;
            return { ok: false, error: { code: data?.code ?? 'KV_BAD_REQUEST', message: String(message) } };
        } catch (error) {
            return { ok: false, error: { code: 'KV_BAD_REQUEST', message: error.message } };
        }
    }
    return Object.freeze({
        status: () => call('kv.status', undefined, READ_MS),
        getSessionState: (session, options) => call('kv.get', { ...options, session }, READ_MS),
        save: (session, options) => call('kv.save', { ...options, session }, WORK_MS),
        restore: (session, options) => call('kv.restore', { ...options, session }, WORK_MS),
        invalidate: (session, reason, options) =>
            call('kv.invalidate', { ...options, session, reason }, READ_MS),
        purge: (session, options) => call('kv.purge', { ...options, session }, READ_MS),
        flush: () => call('kv.flush', undefined, WORK_MS),
    });
}
