// SPDX-License-Identifier: MIT
// One model call: begin before it, its chunks as they come, end after it. The daemon's side of it may fail in
// any way; the stream that the harness sees is then what it would be without this plugin.
import { isObject } from './lines.js';
import { outcomeOf, usageOf } from './report.js';

const LATE_MS = 5000; // the daemon keeps `timeoutMs` itself; this is for one that does not

export class Calls {
    #client;
    #active = new Set();
    #count = 0;
    #closed = false;
    #idle = []; // those who wait for the last call to end
    #options;

    /**
     * options: describe(options) → params of request.begin; waitMs, how long a slot is waited for;
     * onBegun(call, answer); run(transport, work) → runs work so that its HTTP request carries `transport`.
     */
    constructor(client, options) {
        this.#client = client;
        this.#options = options;
    }

    /** The stream to give to the harness instead of next(); undefined: nothing of ours, call next(). */
    guard(options, next) {
        if (this.#closed || (this.#client.up && !this.#client.manages(options.provider))) return undefined;
        const call = new Call(this, options, next);
        return { [Symbol.asyncIterator]: () => call };
    }

    /** Whether a call of this session waits or runs. */
    active(session) {
        return [...this.#active].some((call) => call.session === session);
    }

    /** After a new connection: what runs is said again. */
    announce() {
        for (const call of this.#active) if (call.running) this.#beginAgain(call);
    }

    /** No calls are taken any more; resolves when the last one ended, or after `ms`. */
    async close(ms) {
        this.#closed = true;
        if (this.#active.size > 0) {
            let timer;
            await new Promise((resolve) => {
                this.#idle.push(resolve);
                timer = setTimeout(resolve, ms);
            });
            clearTimeout(timer);
        }
        for (const call of this.#active) this.end(call, { outcome: 'aborted' });
    }

    /** Resolves when the call may go on. `strict`: the daemon's error that shall fail it. */
    async begin(call) {
        call.id = `c${(this.#count += 1)}`;
        this.#active.add(call);
        if (call.signal?.aborted || !(await this.#client.ready()) || call.ended) return {};
        if (!this.#client.manages(call.options.provider)) return {};
        const { waitMs } = this.#options;
        const params = { ...this.#options.describe(call.options), call: call.id, timeoutMs: waitMs };
        call.generation = this.#client.generation;
        const answer = this.#client.request('request.begin', params, waitMs + LATE_MS);
        const reply = await Promise.race([answer, call.givenUp]);
        if (reply === undefined || call.ended) return {};
        if (reply.error?.data?.strict === true) {
            call.generation = undefined; // there is no lease
            return { strict: reply.error };
        }
        return this.#granted(call, reply.result);
    }

    /** Tells the daemon; once, and only what it heard of on this connection. */
    end(call, how) {
        if (call.ended) return;
        call.ended = true;
        this.#active.delete(call);
        if (call.generation === this.#client.generation) {
            const name = call.lease === undefined ? { call: call.id } : { lease: call.lease };
            this.#client.notify('request.end', { ...name, ...how });
        }
        if (this.#active.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }

    run(transport, work) {
        return transport === undefined ? work() : this.#options.run(transport, work);
    }

    #granted(call, result) {
        if (!isObject(result) || result.managed !== true) {
            call.generation = undefined;
            return {};
        }
        call.lease = typeof result.lease === 'string' ? result.lease : undefined;
        this.#options.onBegun(call, result);
        return { transport: isObject(result.transport) ? result.transport : undefined };
    }

    #beginAgain(call) {
        if (call.generation === this.#client.generation || !this.#client.manages(call.options.provider))
            return;
        call.generation = this.#client.generation;
        call.lease = undefined; // of the connection that is gone
        const params = { ...this.#options.describe(call.options), call: call.id, running: true };
        this.#client.request('request.begin', params, LATE_MS).then((reply) => {
            if (!call.ended && typeof reply?.result?.lease === 'string') call.lease = reply.result.lease;
        });
    }
}

/** The iterator that stands before the harness's own: one chunk in, one chunk out. */
class Call {
    running = false; // its request is on its way to the server
    ended = false;
    #calls;
    #next;
    #inner;
    #transport;
    #sentAt = 0;
    #seen = {}; // finish, failed, usage, firstChunkMs
    #giveUp;
    #over = false;

    constructor(calls, options, next) {
        this.#calls = calls;
        this.options = options;
        this.session = options.sessionId;
        this.signal = options.signal;
        this.#next = next;
        this.givenUp = new Promise((resolve) => {
            this.#giveUp = () => resolve(undefined);
        });
    }

    async next() {
        if (this.#over) return { done: true, value: undefined };
        if (this.#inner === undefined) {
            const strict = await this.#begin();
            if (strict !== undefined) return this.#refuse(strict);
            if (this.#over) return { done: true, value: undefined };
        }
        try {
            this.#inner ??= this.#run(() => this.#next()[Symbol.asyncIterator]());
            const step = await this.#run(() => this.#inner.next());
            if (step.done) this.#end();
            else this.#see(step.value);
            return step;
        } catch (error) {
            this.#seen.failed = true;
            this.#end();
            throw error; // the adapter's own
        }
    }

    async return(value) {
        this.#over = true;
        this.#giveUp();
        try {
            if (this.#inner?.return === undefined) return { done: true, value };
            return await this.#run(() => this.#inner.return(value));
        } finally {
            this.#end();
        }
    }

    async throw(error) {
        this.#over = true;
        this.#giveUp();
        try {
            if (this.#inner?.throw === undefined) throw error;
            return await this.#run(() => this.#inner.throw(error));
        } finally {
            this.#end();
        }
    }

    /** The daemon's part before the request; a strict error, or undefined: go on. */
    async #begin() {
        const cancelled = () => {
            this.#giveUp();
            this.#calls.end(this, { outcome: 'aborted' }); // a begin that still waits is taken back at once
        };
        this.signal?.addEventListener('abort', cancelled, { once: true });
        let answer = {};
        try {
            answer = await this.#calls.begin(this);
        } catch {
            // A fault of this plugin is no reason to fail the call.
        }
        this.signal?.removeEventListener('abort', cancelled);
        this.#transport = answer.transport;
        this.running = answer.strict === undefined && !this.ended;
        this.#sentAt = performance.now();
        return answer.strict;
    }

    #refuse({ message, data }) {
        this.#over = true;
        this.#seen.finish = 'error';
        this.#end();
        const failure = { message: String(message), code: String(data.code) };
        return { done: false, value: { type: 'finish', reason: { kind: 'error', failure } } };
    }

    #run(work) {
        return this.#calls.run(this.#transport, work);
    }

    #see(chunk) {
        this.#seen.firstChunkMs ??= performance.now() - this.#sentAt;
        if (chunk?.type === 'usage') this.#seen.usage = usageOf(chunk.usage);
        if (chunk?.type === 'finish') this.#seen.finish = chunk.reason?.kind;
    }

    #end() {
        this.#over = true;
        if (this.ended) return;
        const { usage, firstChunkMs } = this.#seen;
        const timings = firstChunkMs === undefined ? undefined : { firstChunkMs };
        const outcome = outcomeOf({ ...this.#seen, aborted: this.signal?.aborted === true });
        this.#calls.end(this, { ...outcome, usage, timings });
    }
}
