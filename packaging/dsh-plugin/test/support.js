// SPDX-License-Identifier: MIT
// A daemon that does as it is told, a harness that is a table of listeners, and a model that streams on
// command.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { apply } from '../index.js';

export const QUICK = {
    helloMs: 150,
    readyMs: 200,
    pingMs: 30,
    silentMs: 120,
    retryMs: 20,
    retryMaxMs: 40,
    coolMs: 60000,
};

export async function until(condition, what = 'it') {
    for (let i = 0; i < 1000; i += 1) {
        if (condition()) return;
        await pause(5);
    }
    throw new Error(`${what} did not come`);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers by method; `undefined` from an answerer means: no answer. */
export class FakeDaemon {
    folder = mkdtempSync(join(tmpdir(), 'kv-dsh-'));
    path = join(this.folder, 'api.sock');
    received = [];
    connections = new Set();
    accepted = 0;
    answers = {
        hello: () => ({
            result: {
                name: 'kv-persistd',
                version: '0.1.0',
                protocol: 1,
                features: [],
                providers: ['llamacpp'],
            },
        }),
        'kv.subscribe': () => ({ result: {} }),
        'kv.cancel': () => ({ result: { cancelled: false } }),
        'session.event': () => ({ result: {} }),
        'request.begin': ({ params }) => ({
            result: {
                managed: true,
                outcome: 'cold',
                lease: `L-${params.call}`,
                server: 'local',
                slot: 0,
                waitMs: 1,
            },
        }),
    };

    listen() {
        this.server = createServer((socket) => {
            this.accepted += 1;
            this.connections.add(socket);
            socket.on('error', () => {});
            socket.on('close', () => this.connections.delete(socket));
            let rest = '';
            socket.on('data', (bytes) => {
                if (this.raw !== undefined) return void socket.write(this.raw);
                const lines = (rest + bytes).split('\n');
                rest = lines.pop();
                for (const line of lines) this.#take(socket, JSON.parse(line));
                return undefined;
            });
        });
        return new Promise((resolve) => this.server.listen(this.path, resolve));
    }

    #take(socket, message) {
        this.received.push(message);
        const answer = this.answers[message.method]?.(message, socket);
        if (answer !== undefined && message.id !== undefined) this.answer(socket, message, answer);
    }

    answer(socket, { id }, answer) {
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
    }

    of(method) {
        return this.received.filter((message) => message.method === method).map((message) => message.params);
    }

    async kill() {
        for (const socket of this.connections) socket.destroy();
        await new Promise((resolve) => this.server.close(resolve));
    }

    async remove() {
        if (this.server?.listening) await this.kill();
        rmSync(this.folder, { recursive: true, force: true });
    }
}

/** What a plugin sees of the harness. */
export class Harness {
    listeners = [];
    disposers = [];
    provided = {};
    sessions = new Map();
    commands = new Map();
    titles = new Map();
    log = [];

    constructor(path, config = {}, times = QUICK) {
        this.context = {
            logger: { info: (line) => this.log.push(line), warn: () => {} },
            get: (name) => this.#services[name],
            on: (name, callback, options) => this.listeners.push({ name, callback, options }),
            effect: (work) => this.disposers.push(work()),
            provide: (name, value) => {
                if (name in this.provided) throw new Error(`service ${name} has been registered`);
                this.provided[name] = value;
            },
            inject: (_names, callback) =>
                callback({ commands: { register: (one) => this.commands.set(one.name, one) } }),
        };
        this.errors = [];
        const write = process.stderr.write;
        process.stderr.write = (text, ...more) => {
            if (!String(text).startsWith('kv-persist: ')) return write.call(process.stderr, text, ...more);
            this.errors.push(String(text));
            return true;
        };
        this.restoreErrors = () => {
            process.stderr.write = write;
        };
        apply(this.context, { socket: path, ...config }, times);
    }

    #services = {
        sessions: { get: (id) => this.sessions.get(id) },
        sessionTitle: {
            get: (session) =>
                this.titles.has(session.id) ? { title: this.titles.get(session.id) } : undefined,
        },
    };

    emit(name, ...args) {
        return this.listeners.filter((one) => one.name === name).map((one) => one.callback(...args));
    }

    /** What the harness iterates for one model call. */
    stream(options, next) {
        const listener = this.listeners.find((one) => one.name === 'llm/stream');
        return listener === undefined
            ? next()
            : listener.callback({ provider: 'llamacpp', model: 'tiny', ...options }, next);
    }

    async dispose() {
        await Promise.all(this.disposers.splice(0).map((disposer) => disposer()));
        this.listeners = [];
        this.restoreErrors();
    }
}

export const USAGE = { type: 'usage', usage: { inputTokens: 10, cacheReadTokens: 90, outputTokens: 5 } };
export const text = (word) => ({ type: 'text-delta', text: word });
export const finish = (kind, more) => ({ type: 'finish', reason: { kind, ...more } });
export const ANSWER = [text('a'), text('b'), USAGE, finish('stop')];

/**
 * next() of a model that says these chunks; a function among them is awaited, and what it returns is said.
 */
export function model(chunks = ANSWER, seen = {}) {
    return () => {
        seen.calls = (seen.calls ?? 0) + 1;
        return (async function* () {
            try {
                for (const chunk of chunks) yield typeof chunk === 'function' ? await chunk() : chunk;
            } finally {
                seen.closed = true;
            }
        })();
    };
}

export async function collect(stream) {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
}

/** A test's stage: daemon, harness, both gone afterwards. */
export async function stage(t, { config, times, daemon: prepare, listen = true } = {}) {
    const daemon = new FakeDaemon();
    prepare?.(daemon);
    if (listen) await daemon.listen();
    const harness = new Harness(daemon.path, config, { ...QUICK, ...times });
    t.after(async () => {
        await harness.dispose();
        await daemon.remove();
    });
    return { daemon, harness };
}

/** A stage whose daemon is known to the plugin already. */
export async function ready(t, options) {
    const staged = await stage(t, options);
    await until(() => staged.daemon.of('kv.subscribe').length > 0, 'the connection');
    return staged;
}
