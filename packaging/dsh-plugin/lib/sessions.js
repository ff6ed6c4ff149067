// SPDX-License-Identifier: MIT
// What the harness knows about a session, in the daemon's words: who it is, where it came from, what became
// of it.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/** The params of request.begin that a model call's options tell. `session`: of the harness, or undefined. */
export function describe(options, session, label) {
    const header = session?.header ?? {};
    const forked = header.parentSession !== undefined && header.seedLength > 0;
    return {
        provider: options.provider,
        model: options.model,
        session: options.sessionId,
        purpose: options.purpose,
        origin: header.origin,
        parent: header.origin === 'subagent' ? header.parentSession : undefined,
        base: baseOf(options),
        fork: forked ? header.parentSession : undefined,
        forkSeq: forked ? header.seedLength : undefined,
        seq: session?.seq,
        label,
    };
}

const bases = new WeakMap(); // tools → [system, hash] of the last call with that very list

/**
 * What a conversation's prompt begins with and shares with others: system prompt and tools. A hash, as the
 * daemon sees no text; undefined where there is nothing to share.
 */
function baseOf({ purpose, model, system, tools }) {
    if (purpose !== undefined && purpose !== '' && purpose !== 'conversation') return undefined;
    if (!system && !tools?.length) return undefined;
    const known = tools === undefined ? undefined : bases.get(tools);
    if (known !== undefined && known[0] === system) return known[1];
    const hash = createHash('sha256').update(JSON.stringify([model, system, tools])).digest('hex').slice(0, 32);
    if (tools !== undefined) bases.set(tools, [system, hash]);
    return hash;
}

/** The names of sessions: the title, else the folder's name. */
export class Labels {
    #titles = new Map();
    #stored;

    /** stored(session): the title in its log, or undefined; asked once a session. */
    constructor(stored) {
        this.#stored = stored;
    }

    of(session) {
        if (session === undefined) return undefined;
        if (!this.#titles.has(session.id)) this.#titles.set(session.id, this.#storedTitle(session));
        const folder = session.header?.cwd;
        return this.#titles.get(session.id) || (folder ? basename(folder) : undefined) || undefined;
    }

    #storedTitle(session) {
        try {
            return this.#stored(session);
        } catch {
            return undefined; // a session without a name is still kept warm
        }
    }

    take(session, event) {
        if (event.type === 'session/title') this.#titles.set(session.id, event.data?.title);
    }

    forget(session) {
        this.#titles.delete(session.id);
    }
}

/** `session.event`'s type for an event of the session's log; undefined: none. */
export function hintOf(event) {
    switch (event.type) {
        case 'turn/end':
            return 'turn-end';
        case 'step/end':
            return 'step-end';
        case 'compaction/end':
            return event.data?.error === undefined ? 'compacted' : undefined;
        case 'compaction/prune':
            return 'compacted';
        default:
            return undefined;
    }
}

/** Whether a session that was just made continues an older log of its own. */
export function isResumed(session) {
    return session.firstLiveSeq > (session.header?.seedLength ?? 0);
}
