// SPDX-License-Identifier: MIT
// A plugin of the DeepSeek Harness: tells kv-persistd when a model call begins and ends and what becomes of
// the sessions, so that they stay warm. It adds nothing to a prompt, a tool list or a session's log, and
// whatever happens to the daemon, the harness goes on as if this plugin were not there.
import { readFileSync } from 'node:fs';

import { Calls } from './lib/calls.js';
import { DaemonClient } from './lib/client.js';
import { readConfig } from './lib/config.js';
import { statusLine } from './lib/report.js';
import { makeService } from './lib/service.js';
import { Labels, describe, hintOf, isResumed } from './lib/sessions.js';
import { SlotFetch } from './lib/slotfetch.js';

export const name = 'kv-persist';
export const inject = ['llm'];

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

/** `times`: of the client, for tests. */
export function apply(ctx, config, times) {
    try {
        const { settings, complaint } = readConfig(config);
        if (complaint !== undefined) say(complaint);
        if (settings.enabled) new Plugin(ctx, settings, times).install();
    } catch (error) {
        say(`not active: ${error.message}`);
    }
}

function say(text) {
    try {
        process.stderr.write(`kv-persist: ${text}\n`);
    } catch {
        // Nobody reads it.
    }
}

/** A listener that never throws: what it would have told is left out. */
function careful(listener) {
    return (...args) => {
        try {
            listener(...args);
        } catch {
            // A hint less.
        }
    };
}

class Plugin {
    #ctx;
    #settings;
    #client;
    #calls;
    #labels;
    #fetch;
    #routes = new Map(); // session → { provider, model } of its last managed call
    #lines = new Map(); // session → its last status line
    #trouble = false; // a problem was reported, and no connection was made since

    constructor(ctx, settings, times) {
        this.#ctx = ctx;
        this.#settings = settings;
        this.#labels = new Labels((session) => ctx.get('sessionTitle')?.get(session)?.title);
        this.#fetch = settings.injectSlot ? new SlotFetch() : undefined;
        this.#client = new DaemonClient({
            ...times,
            path: settings.socket,
            hello: { client: 'dsh', version, pins: settings.injectSlot },
            onUp: () => {
                this.#trouble = false;
                this.#calls.announce();
            },
            onProblem: (kind, detail) => this.#report(kind, detail),
        });
        this.#calls = new Calls(this.#client, {
            waitMs: settings.waitMs,
            describe: (options) => {
                const session = this.#session(options.sessionId);
                return describe(options, session, settings.label ? this.#labels.of(session) : undefined);
            },
            onBegun: careful((call, answer) => this.#begun(call, answer)),
            run: (transport, work) => (this.#fetch === undefined ? work() : this.#fetch.run(transport, work)),
        });
    }

    install() {
        const ctx = this.#ctx;
        // Throws, before anything else is done, when it is there.
        ctx.provide('kvPersist', makeService(this.#client));
        ctx.effect(() => {
            this.#fetch?.install();
            this.#client.start();
            return () => this.#dispose();
        }, 'kv-persist');
        ctx.on('llm/stream', (options, next) => this.#guard(options, next), { global: true, prepend: true });
        const hints = { global: true };
        ctx.on(
            'session/event',
            careful((session, event) => this.#onEvent(session, event)),
            hints,
        );
        ctx.on(
            'session/created',
            careful((session) => this.#hint(session, isResumed(session) ? 'resumed' : 'created')),
            hints,
        );
        ctx.on(
            'session/disposed',
            careful((session) => this.#onDisposed(session)),
            hints,
        );
        ctx.on(
            'session/flush',
            careful((session) => this.#onFlush(session)),
            hints,
        );
        if (this.#settings.command)
            ctx.inject(
                ['commands'],
                careful((inner) => this.#addCommand(inner)),
            );
    }

    #guard(options, next) {
        let stream;
        try {
            stream = this.#calls.guard(options, next);
        } catch {
            // As if this plugin were not there.
        }
        return stream ?? next();
    }

    async #dispose() {
        try {
            // The harness closes its streams only after this has begun; their ends shall still be told.
            await this.#calls.close(this.#settings.drainMs);
            this.#fetch?.remove();
            await this.#client.close();
        } catch {
            // The daemon takes the closed connection as the end of all calls.
        }
    }

    #session(id) {
        return id === undefined ? undefined : this.#ctx.get('sessions')?.get(id);
    }

    #begun(call, answer) {
        if (call.session === undefined || answer.outcome === 'auxiliary') return;
        this.#routes.set(call.session, { provider: call.options.provider, model: call.options.model });
        const line = statusLine(answer);
        this.#lines.set(call.session, line);
        this.#ctx.logger?.info(line);
        if (this.#settings.statusLine) say(line);
    }

    #hint(session, type) {
        const label = this.#settings.label ? this.#labels.of(session) : undefined;
        const params = {
            session: session.id,
            type,
            ...this.#routes.get(session.id),
            seq: session.seq,
            label,
        };
        this.#client.notify('session.event', params);
    }

    #onEvent(session, event) {
        this.#labels.take(session, event);
        const type = hintOf(event);
        if (type !== undefined && this.#routes.has(session.id)) this.#hint(session, type);
    }

    #onFlush(session) {
        // The harness flushes inside each call, where there is nothing to save; only the others tell
        // something.
        if (this.#routes.has(session.id) && !this.#calls.active(session.id)) this.#hint(session, 'flush');
    }

    #onDisposed(session) {
        if (this.#routes.has(session.id)) this.#hint(session, 'disposed');
        this.#labels.forget(session);
        this.#routes.delete(session.id);
        this.#lines.delete(session.id);
    }

    #addCommand(inner) {
        inner.commands.register({
            name: 'kv',
            description: 'Is this session warm? What kv-persist did for its last request',
            handler: ({ agent }) => ({ kind: 'success', text: this.#lineOf(agent?.session?.id) }),
        });
    }

    #lineOf(session) {
        if (!this.#client.up)
            return `KV: no daemon at ${this.#settings.socket}; requests go on, merely colder`;
        return (
            this.#lines.get(session) ??
            'KV: no request of this session yet to a server that kv-persist manages'
        );
    }

    /** One line for each spell of trouble, however often it is met. */
    #report(kind, detail) {
        if (this.#trouble) return;
        this.#trouble = true;
        const what = {
            absent: `no daemon at ${this.#settings.socket} (${detail})`,
            lost: 'the daemon went away',
            silent: 'the daemon does not answer',
            garbage: `what answers at ${this.#settings.socket} is no kv-persistd (${detail})`,
            protocol: `plugin ${version} and daemon do not fit (${detail})`,
        }[kind];
        say(`${what}; going on without it, sessions may start cold.`);
    }
}
