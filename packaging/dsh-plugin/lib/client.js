// SPDX-License-Identifier: MIT
// The socket to kv-persistd: hello, ids, deadlines, reconnecting. Never throws, never rejects, never blocks a
// caller longer than it was told to: whatever goes wrong is "no answer" for those who wait, and one report.
import { createConnection } from 'node:net';

import { LineReader, isObject, toLine } from './lines.js';

export const PROTOCOL = 1;

const DEFAULTS = {
    helloMs: 1000, // a daemon that does not say hello in this time is silent
    readyMs: 250, // how long a model call waits for a connection that is being made
    pingMs: 1000, // how often a daemon is asked for a sign of life while somebody waits for its answer
    silentMs: 3000, // without one for this long it is given up
    retryMs: 250, // the first pause after a failure; doubles up to
    retryMaxMs: 5000,
    // The pause after a daemon that was silent or not understood; nobody waits for the next try.
    coolMs: 30000,
};

/** Problems that the next try most likely meets again. */
const UNFIT = new Set(['silent', 'garbage', 'protocol']);

export class DaemonClient {
    #options;
    #state = 'down'; // down, connecting, up, closed
    #socket;
    #nextId = 0;
    #pending = new Map(); // id → { settle, watched }
    #waiters = new Set(); // of ready()
    #providers = new Set();
    #failure = ''; // the kind of the last one; '' since a connection is up
    #retryMs;
    #timers = {}; // hello, retry, ping
    #triedAt = -Infinity;
    #unheard = 0; // pings' times since the daemon was last heard
    #pingId;

    /** Raised by each connection: what was said on another one is forgotten by the daemon. */
    generation = 0;

    /**
     * options: path; hello (object: client, version, pins); onUp(); onProblem(kind, detail), kind being
     * absent, lost, silent, garbage or protocol; and, for tests, the times above.
     */
    constructor(options) {
        this.#options = { ...DEFAULTS, ...options };
        this.#retryMs = this.#options.retryMs;
    }

    get up() {
        return this.#state === 'up';
    }

    /** Whether the daemon routes this provider; meaningful while up. */
    manages(provider) {
        return this.#providers.has(provider) || this.#providers.has('*');
    }

    start() {
        if (this.#state !== 'down') return;
        clearTimeout(this.#timers.retry);
        this.#state = 'connecting';
        this.#triedAt = now();
        const reader = new LineReader();
        const socket = createConnection(this.#options.path);
        this.#socket = socket;
        let reason = 'absent';
        socket.unref();
        socket.on('connect', () => {
            reason = 'lost';
            this.#sayHello(socket);
        });
        socket.on('data', (bytes) => this.#take(socket, reader, bytes));
        socket.on('error', (error) => {
            if (this.#socket === socket) this.#fail(reason, error.code ?? error.message);
        });
        socket.on('close', () => {
            if (this.#socket === socket) this.#fail(reason, 'it closed the connection');
        });
    }

    /** True when connected. Waits only while a connection is being made that has no bad history. */
    ready() {
        if (this.up) return Promise.resolve(true);
        if (this.#state === 'closed' || UNFIT.has(this.#failure)) return Promise.resolve(false);
        if (this.#state === 'down') {
            if (now() - this.#triedAt < this.#options.retryMs) return Promise.resolve(false);
            this.start();
        }
        return new Promise((resolve) => {
            const done = () => {
                clearTimeout(timer);
                this.#waiters.delete(done);
                resolve(this.up);
            };
            const timer = patience(this.#options.readyMs, done);
            this.#waiters.add(done);
        });
    }

    /**
     * Resolves to { result } or { error }, or to undefined: not connected, connection lost, deadline past,
     * daemon silent (it is asked for signs of life while this waits).
     */
    request(method, params, deadlineMs) {
        if (!this.up) return Promise.resolve(undefined);
        return this.#ask(method, params, { deadlineMs, watched: true }).answer;
    }

    /** False when it could not be sent. */
    notify(method, params) {
        return this.up && this.#write({ method, params });
    }

    /** Sends what is written, then closes for good. */
    close(graceMs = 300) {
        const socket = this.#socket;
        const wasUp = this.up;
        this.#drop();
        this.#state = 'closed';
        this.#wake();
        if (!wasUp) {
            socket?.destroy();
            return Promise.resolve();
        }
        return new Promise((resolve) => {
            const timer = setTimeout(() => socket.destroy(), graceMs);
            socket.ref();
            socket.once('close', () => {
                clearTimeout(timer);
                resolve();
            });
            socket.end(() => socket.destroy());
        });
    }

    #sayHello(socket) {
        const silent = () => this.#fail('silent', 'it does not answer');
        this.#timers.hello = patience(this.#options.helloMs, silent);
        this.#timers.hello.unref();
        const { answer } = this.#ask('hello', { ...this.#options.hello, protocol: PROTOCOL });
        answer.then((reply) => {
            if (this.#socket !== socket || reply === undefined) return;
            clearTimeout(this.#timers.hello);
            const mismatch = this.#understand(reply);
            if (mismatch !== undefined) return this.#fail(...mismatch);
            this.#state = 'up';
            this.#failure = '';
            this.#retryMs = this.#options.retryMs;
            this.generation += 1;
            this.#write({
                id: (this.#nextId += 1),
                method: 'kv.subscribe',
                params: { topics: ['kv.config.reloaded'] },
            });
            this.#options.onUp?.();
            this.#wake();
        });
    }

    /** Takes the providers of a hello's answer; else says what is wrong with it. */
    #understand({ result, error }) {
        if (error !== undefined) return ['protocol', String(error?.message ?? 'it refuses hello')];
        if (!isObject(result) || !Array.isArray(result.providers))
            return ['garbage', 'its hello makes no sense'];
        if (result.protocol !== PROTOCOL) {
            return [
                'protocol',
                `kv-persistd ${result.version} speaks protocol ${result.protocol}, this needs ${PROTOCOL}`,
            ];
        }
        this.#providers = new Set(result.providers);
        return undefined;
    }

    #take(socket, reader, bytes) {
        if (this.#socket !== socket) return;
        this.#unheard = 0;
        try {
            for (const message of reader.take(bytes)) {
                this.#dispatch(message);
                if (this.#socket !== socket) return;
            }
        } catch (error) {
            this.#fail('garbage', error.message);
        }
    }

    #dispatch(message) {
        const waiting = this.#pending.get(message.id);
        if (waiting !== undefined) return waiting.settle({ result: message.result, error: message.error });
        if (message.method === 'event' && message.params?.name === 'kv.config.reloaded') {
            this.#ask(
                'hello',
                { ...this.#options.hello, protocol: PROTOCOL },
                { deadlineMs: this.#options.silentMs },
            ).answer.then((reply) => reply && this.up && this.#understand(reply));
        }
        return undefined;
    }

    #ask(method, params, { deadlineMs, watched = false } = {}) {
        const id = (this.#nextId += 1);
        const answer = new Promise((resolve) => {
            const settle = (reply) => {
                clearTimeout(timer);
                this.#pending.delete(id);
                this.#tend();
                resolve(reply);
            };
            const timer = deadlineMs === undefined ? undefined : patience(deadlineMs, settle);
            this.#pending.set(id, { settle, watched });
        });
        this.#write({ id, method, params });
        this.#tend();
        return { id, answer };
    }

    #write(message) {
        try {
            this.#socket.write(toLine(message));
            return true;
        } catch {
            return false; // 'error' or 'close' follows
        }
    }

    /** Keeps the process alive while somebody waits for an answer, and asks the daemon whether it lives. */
    #tend() {
        const waiting = [...this.#pending.values()];
        if (waiting.length > 0) this.#socket?.ref();
        else this.#socket?.unref();
        const watched = waiting.some((one) => one.watched);
        if (!watched) {
            clearInterval(this.#timers.ping);
            this.#timers.ping = undefined;
        } else if (this.#timers.ping === undefined) {
            this.#unheard = 0;
            this.#timers.ping = setInterval(() => this.#ping(), this.#options.pingMs);
        }
    }

    #ping() {
        this.#unheard += 1;
        if (this.#unheard * this.#options.pingMs > this.#options.silentMs) {
            this.#fail('silent', 'it does not answer');
        } else if (!this.#pending.has(this.#pingId)) {
            // Cancelling what does not exist changes nothing and is answered at once.
            const deadlineMs = this.#options.silentMs * 2;
            this.#pingId = this.#ask('kv.cancel', { id: 'ping' }, { deadlineMs }).id;
        }
    }

    #fail(kind, detail) {
        if (this.#state === 'closed') return;
        this.#drop()?.destroy();
        this.#state = 'down';
        this.#failure = kind;
        this.#wake();
        const unfit = UNFIT.has(kind);
        const pause = unfit ? this.#options.coolMs : this.#retryMs;
        this.#retryMs = Math.min(this.#retryMs * 2, this.#options.retryMaxMs);
        this.#timers.retry = setTimeout(() => this.start(), pause);
        this.#timers.retry.unref();
        this.#options.onProblem?.(kind, detail);
    }

    /** Forgets the connection and answers all who wait for it; the socket, if there was one. */
    #drop() {
        const socket = this.#socket;
        this.#socket = undefined;
        for (const name of Object.keys(this.#timers)) clearTimeout(this.#timers[name]);
        this.#timers = {};
        for (const { settle } of [...this.#pending.values()]) settle(undefined);
        clearInterval(this.#timers.ping);
        this.#timers = {};
        return socket;
    }

    #wake() {
        for (const done of [...this.#waiters]) done();
    }
}

const now = () => performance.now();

/**
 * Calls back after `ms`, but never before the event loop has turned a few times: a harness that was busy with
 * itself for a second has an answer lying there and did not wait for it.
 */
function patience(ms, over) {
    let turns = 5;
    const timer = setInterval(() => {
        turns -= 1;
        if (turns > 0) return;
        clearInterval(timer);
        over();
    }, ms / turns);
    return timer;
}
