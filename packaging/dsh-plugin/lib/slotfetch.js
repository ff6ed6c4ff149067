// SPDX-License-Identifier: MIT
// Puts the daemon's `transport` fields (id_slot, cache_prompt) into the HTTP request of one model call. The
// harness has no place for such fields, so this wraps the global fetch, for calls within run() alone.
import { AsyncLocalStorage } from 'node:async_hooks';

const INFERENCE = /\/(chat\/completions|completions?|responses)$/; // the paths whose bodies honour id_slot

export class SlotFetch {
    #transport = new AsyncLocalStorage();
    #original;
    #mine;

    install() {
        const original = globalThis.fetch;
        this.#original = original;
        this.#mine = (input, init) => {
            const transport = this.#transport.getStore();
            return original(input, transport === undefined ? init : withFields(input, init, transport));
        };
        globalThis.fetch = this.#mine;
    }

    /**
     * Where somebody wrapped fetch after us ours stays in their chain, without effect: nobody is within
     * run().
     */
    remove() {
        if (globalThis.fetch === this.#mine) globalThis.fetch = this.#original;
        this.#transport.disable();
    }

    run(transport, work) {
        return this.#transport.run(transport, work);
    }
}

/** `init` with the fields in its body; as it was where they do not belong or cannot be put. */
function withFields(input, init, transport) {
    try {
        const { pathname } = new URL(typeof input === 'string' ? input : (input.url ?? input.href));
        if (typeof init?.body !== 'string' || !INFERENCE.test(pathname)) return init;
        const headers = new Headers(init.headers);
        headers.delete('content-length');
        return { ...init, headers, body: JSON.stringify({ ...JSON.parse(init.body), ...transport }) };
    } catch {
        return init;
    }
}
