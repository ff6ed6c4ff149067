// SPDX-License-Identifier: MIT
// Drives sessions in a real dsh process, as a user interface does. One command a line on standard input, a
// JSON array [verb, ...arguments]; one line of JSON, marked "@@", for each on standard output.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

export const name = 'kv-test-driver';
export const inject = ['agentDefaultModel', 'agents', 'sessions', 'llm'];

const SHORT = 8;
const LONG = 20000;

export function apply(ctx) {
    const exit = ctx.get('appExit');
    const agents = new Map();
    const wanted = new Map(); // session → the tools that its next model call calls
    let limit = SHORT; // of the tokens of a conversation's next answers
    ctx.on('agent/request', async (_request, next) => ({ ...(await next()), maxTokens: limit }));
    const talking = new Set(); // sessions whose conversation request is open

    // Inside of the plugin's own listener: what it sees is what the adapter would have said.
    ctx.on('llm/stream', (options, next) => watched(options, next), { global: true });
    async function* watched({ sessionId, purpose }, next) {
        if (purpose === 'session-title') {
            // The harness sends it at the same moment as the first prompt. Which of them a bare server takes
            // first is a race; here it is always the conversation.
            while (talking.has(sessionId)) await pause();
            yield* next();
            return;
        }
        talking.add(sessionId);
        try {
            if (purpose === 'compaction') yield* finished(next());
            else if (wanted.has(sessionId)) yield* withTools(next(), wanted.get(sessionId));
            else yield* next();
        } finally {
            wanted.delete(sessionId);
            talking.delete(sessionId);
        }
    }

    const library = (module) =>
        import(
            pathToFileURL(`${process.env.DSH_HOME}/profiles/node_modules/@deepseek-ai/${module}/lib/index.js`)
                .href
        );

    async function enter(id, how) {
        const { installModelSelection } = await library('dsh-agent');
        const { provider, model } = ctx.get('agentDefaultModel').currentSelection();
        const setup = (inner) =>
            void installModelSelection(inner, { current: { provider, model }, assembled: undefined });
        const { agent } = await ctx
            .get('agents')
            [how.verb]({ ...how.id, agentOptions: { provider, model }, setup });
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
        return {
            reason: reason?.kind,
            error: reason?.error?.message,
            usage: last(agent, 'assistant/message')?.usage,
        };
    }

    const verbs = {
        open: (id) => enter(id, { verb: 'create', id: { sessionId: id, meta: { cwd: process.cwd() } } }),
        resume: (id) => enter(id, { verb: 'resume', id: { resumeSessionId: id } }),
        /** `tools`: what the model is made to call in its first answer. */
        async ask(id, text, tools) {
            if (tools !== undefined) wanted.set(id, tools);
            limit = SHORT;
            const start = performance.now();
            const end = await turnEnd(await send(id, text));
            return { ...end, ms: performance.now() - start };
        },
        /** A prompt whose answer nobody waits for. */
        async send(id, text) {
            limit = SHORT;
            await send(id, text);
            return {};
        },
        /** An answer that goes on for long; until its first words. */
        async start(id, text) {
            limit = LONG;
            const from = agents.get(id).session.seq;
            const agent = await send(id, text);
            const said = ({ seq, type }) =>
                seq >= from && (type === 'assistant/chunk' || type === 'turn/end');
            while (!agent.session.events.some(said)) await pause();
            return {};
        },
        async cancel(id) {
            const agent = agents.get(id);
            agent.cancel({ kind: 'user' });
            return turnEnd(agent);
        },
        async compact(id) {
            try {
                const done = await ctx
                    .get('compaction')
                    .compactNow(agents.get(id), new AbortController().signal);
                return { compacted: done !== null };
            } catch (error) {
                return { error: `${error.code} ${error.message}` };
            }
        },
        async flush(id) {
            return { flushed: await ctx.get('sessions').flush(agents.get(id).session) };
        },
        title: (id) => ({
            title: ctx.get('sessionTitle')?.get(agents.get(id).session)?.title,
            source: ctx.get('sessionTitle')?.get(agents.get(id).session)?.source.kind,
        }),
        /** The log without what is never twice the same: times and random ids. */
        log(id) {
            const plain = (text) =>
                text
                    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
                    .replace(/chatcmpl-\w+/g, 'response');
            return {
                log: agents
                    .get(id)
                    .session.events.map(({ type, data }) => plain(JSON.stringify([type, data]))),
            };
        },
        /** What an edit of the plugin's file or row does. */
        async reload(row) {
            const entry = [...ctx.get('loader').entries()].find(({ options }) => options.id === row);
            await entry.fiber.restart();
            return {};
        },
        async service(method, ...args) {
            return { answer: await ctx.get('kvPersist')?.[method](...args) };
        },
        async command(id, line) {
            return {
                text: (
                    await ctx.get('commands')?.execute(agents.get(id), line, [], new AbortController().signal)
                )?.result?.text,
            };
        },
        quit() {
            process.stdin.destroy();
            exit(0);
        },
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

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

function say(object) {
    process.stdout.write(`@@${JSON.stringify(object)}\n`);
}

/** The model's own stream as if it had come to an end by itself, which one of random weights never does. */
async function* finished(stream) {
    for await (const chunk of stream)
        yield chunk.type === 'finish' ? { ...chunk, reason: { kind: 'stop' } } : chunk;
}

/** The model's own stream but for its words: these calls of tools instead. */
async function* withTools(stream, calls) {
    for await (const chunk of stream) {
        if (chunk.type === 'usage') yield chunk;
        if (chunk.type !== 'finish') continue;
        for (const [index, { name: tool, args }] of calls.entries()) {
            const id = `call_${index}`;
            yield { type: 'block-start', index, blockType: 'tool-call' };
            yield { type: 'tool-call-delta', index, id, name: tool, argumentsDelta: JSON.stringify(args) };
            yield {
                type: 'block-end',
                index,
                block: { type: 'tool-call', id, name: tool, arguments: JSON.stringify(args) },
            };
        }
        yield { type: 'finish', reason: { kind: 'tool-calls' } };
    }
}
