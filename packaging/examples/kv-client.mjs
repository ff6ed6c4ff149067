#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A harness's side of kv-persist: begin, completion, end. Without a daemon everything goes on, only colder.
// Usage: kv-client.mjs SESSION PROVIDER SERVER_URL PROMPT
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

class KvPersist {
    waiting = new Map();
    nextId = 0;
    constructor(path = process.env.KV_PERSIST_SOCKET || join(process.env.XDG_RUNTIME_DIR || '', 'kv-persist/api.sock')) {
        this.socket = createConnection(path);
        this.socket.on('error', () => {}).on('close', () => this.close()); // fail open
        createInterface({ input: this.socket }).on('error', () => {}).on('line', line => {
            const { id, result, error } = JSON.parse(line);
            this.waiting.get(id)?.(error?.data?.strict ? Promise.reject(new Error(error.message)) : result ?? {});
            this.waiting.delete(id);
        });
    }
    close() {
        this.closed = true;
        this.socket.destroy();
        for (const answer of this.waiting.values()) answer({});
    }
    /** The result, or {} when there is no daemon or it goes away; a strict error rejects. */
    call(method, params) {
        if (this.closed) return Promise.resolve({});
        const id = ++this.nextId;
        this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
        return new Promise(answer => this.waiting.set(id, answer));
    }
}

async function chat(kv, session, provider, url, prompt) {
    const begun = await kv.call('request.begin', { session, provider, model: 'default' });
    let end = { outcome: 'error' };
    try {
        const body = JSON.stringify({ prompt, n_predict: 16, temperature: 0, ...begun.transport });
        const answer = await (await fetch(`${url}/completion`, { method: 'POST', body })).json();
        const { cache_n, prompt_n, predicted_n, prompt_ms } = answer.timings;
        const usage = { promptTokens: cache_n + prompt_n, completionTokens: predicted_n, cachedTokens: cache_n };
        end = { outcome: 'ok', more: false, usage, timings: { promptMs: prompt_ms } };
        return { kv: begun.outcome ?? 'no daemon', usage, text: answer.content };
    } finally {
        if (begun.lease !== undefined) await kv.call('request.end', { lease: begun.lease, ...end });
    }
}

const kv = new KvPersist();
console.log(JSON.stringify(await chat(kv, ...process.argv.slice(2, 6))));
kv.close();
