// SPDX-License-Identifier: MIT
// Drives sessions in a real dsh process, as a user interface does. One command a line on standard input, a JSON array
// [verb, ...arguments]; one line of JSON, marked "@@", for each on standard output.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

export const name = 'kv-test-driver';
export const inject = ['agentDefaultModel', 'agents', 'sessions', 'llm'];

export function apply(ctx) {
    const exit = ctx.get('appExit');
    const agents = new Map();
    const wanted = new Map(); // session → the tools that its next model call calls
    let streams = 0; // model calls that are open

    // Inside of the plugin's own listener: what it sees is what the adapter would have said.
    ctx.on('llm/stream', (options, next) => counted(options, next), { global: true });
    async function* counted(options, next) {
        streams += 1;
        try {
            const tools = options.purpose === undefined ? wanted.get(options.sessionId) : undefined;
            if (tools !== undefined) wanted.delete(options.sessionId);
            yield* tools === undefined ? next() : withTools(next(), tools);
        } finally {
            streams -= 1;
        }
    }

    const library = (module) => import(pathToFileURL(`${process.env.DSH_HOME}/profiles/node_modules/@deepseek-ai/${module}/lib/index.js`).href);

    async function enter(id, how) {
        const { installModelSelection } = await library('dsh-agent');
        const { provider, model } = ctx.get('agentDefaultModel').currentSelection();
        const setup = (inner) => void installModelSelection(inner, { current: { provider, model }, assembled: undefined });
        const { agent } = await ctx.get('agents')[how.verb]({ ...how.id, agentOptions: { provider, model }, setup });
        await agent.whenIdle();
        agents.set(id, agent);
        return {};
    }

    async function send(id, text) {
        const { createUserMessage } = await library('dsh-llm');
        const agent = agents.get(id);
        agent.followup(createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } }));
        return agent;
    }

    const last = (agent, type) => agent.session.events.findLast((event) => event.type === type)?.data;

    async function turnEnd(agent) {
        await agent.whenIdle();
        const reason = last(agent, 'turn/end')?.reason;
        return { reason: reason?.kind, error: reason?.error?.message, usage: last(agent, 'assistant/message')?.usage };
    }

    const verbs = {
        open: (id) => enter(id, { verb: 'create', id: { sessionId: id, meta: { cwd: process.cwd() } } }),
        resume: (id) => enter(id, { verb: 'resume', id: { resumeSessionId: id } }),
        /** `tools`: what the model is made to call in its first answer. */
        async ask(id, text, tools) {
            if (tools !== undefined) wanted.set(id, tools);
            const start = performance.now();
            const end = await turnEnd(await send(id, text));
            return { ...end, ms: performance.now() - start };
        },
        /** Until no model call is open any more, titles included. */
        async settle() {
            for (let quiet = 0; quiet < 10; quiet += 1) {
                if (streams > 0) quiet = 0;
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
            return {};
        },
        async start(id, text) {
            const agent = await send(id, text);
            while (last(agent, 'turn/end') === undefined && !agent.session.events.some((event) => event.type === 'assistant/chunk')) {
                await new Promise((resolve) => setTimeout(resolve, 5));
            }
            return {};
        },
        async cancel(id) {
            const agent = agents.get(id);
            agent.cancel({ kind: 'user' });
            return turnEnd(agent);
        },
        async compact(id) {
            try {
                const done = await ctx.get('compaction').compactNow(agents.get(id), new AbortController().signal);
                return { compacted: done !== null };
            } catch (error) {
                return { error: `${error.code} ${error.message}` };
            }
        },
        async flush(id) {
            return { flushed: await ctx.get('sessions').flush(agents.get(id).session) };
        },
        title: (id) => ({ title: ctx.get('sessionTitle')?.get(agents.get(id).session)?.title, source: ctx.get('sessionTitle')?.get(agents.get(id).session)?.source.kind }),
        /** The log without what is never twice the same: times and random ids. */
        log: (id) => ({ events: agents.get(id).session.events.map(({ type, data }) => ({ type, data })) }),
        async service(method, ...args) {
            return { answer: await ctx.get('kvPersist')?.[method](...args) };
        },
        async command(id, line) {
            return { text: (await ctx.get('commands')?.execute(agents.get(id), line, [], new AbortController().signal))?.result?.text };
        },
        quit: () => exit(0),
    };

    void (async () => {
        await ctx.get('loader')?.await();
        say({ ready: true });
        for await (const line of createInterface({ input: process.stdin })) {
            const [verb, ...args] = JSON.parse(line);
            try {
                say((await verbs[verb](...args)) ?? {});
            } catch (error) {
                say({ failed: String(error?.stack ?? error) });
            }
        }
    })();
}

function say(object) {
    process.stdout.write(`@@${JSON.stringify(object)}\n`);
}

/** The model's own stream up to its words, then calls of these tools: a model of random weights cannot call any. */
async function* withTools(stream, calls) {
    for await (const chunk of stream) {
        if (chunk.type === 'usage') yield chunk;
        if (chunk.type !== 'finish') continue;
        for (const [index, { name: tool, args }] of calls.entries()) {
            const id = `call_${index}`;
            yield { type: 'block-start', index, blockType: 'tool-call' };
            yield { type: 'tool-call-delta', index, id, name: tool, argumentsDelta: JSON.stringify(args) };
            yield { type: 'block-end', index, block: { type: 'tool-call', id, name: tool, arguments: JSON.stringify(args) } };
        }
        yield { type: 'finish', reason: { kind: 'tool-calls' } };
    }
}
