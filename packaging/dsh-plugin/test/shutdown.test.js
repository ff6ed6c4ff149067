// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { ANSWER, USAGE, collect, finish, model, pause, ready, text, until } from './support.js';

const A = { sessionId: 'session-a' };

/** A call that streams until release(). */
function running(harness, options = A) {
    let release;
    const gate = new Promise((resolve) => (release = () => resolve(USAGE)));
    const chunks = collect(harness.stream(options, model([text('a'), () => gate, finish('stop')])));
    return { chunks, release: () => release() };
}

test('shutdown: the last end is told before the socket closes', async (t) => {
    const { daemon, harness } = await ready(t);
    const call = running(harness);
    await until(() => daemon.of('request.begin').length === 1);
    await pause(20);
    const disposed = harness.dispose();
    await pause(20);
    assert.deepEqual(daemon.of('request.end'), []);
    call.release();
    await call.chunks;
    await disposed;
    await until(() => daemon.connections.size === 0);
    assert.equal(daemon.of('request.end')[0].outcome, 'ok');
});

test('shutdown: a call that does not end is waited for within a bound', async (t) => {
    const { daemon, harness } = await ready(t, { config: { drainMs: 80 } });
    const call = running(harness);
    await until(() => daemon.of('request.begin').length === 1);
    await pause(20);
    await harness.dispose();
    await until(() => daemon.connections.size === 0);
    assert.deepEqual(daemon.of('request.end'), [{ lease: 'L-c1', outcome: 'aborted' }]);
    call.release();
    assert.deepEqual(await call.chunks, [text('a'), USAGE, finish('stop')]); // the harness's stream goes on
});

test('shutdown: a begin that waits does not hold it up, and is taken back', async (t) => {
    const { daemon, harness } = await ready(t, { config: { drainMs: 80 } });
    daemon.answers['request.begin'] = () => undefined;
    const chunks = collect(harness.stream(A, model()));
    await until(() => daemon.of('request.begin').length === 1);
    await harness.dispose();
    assert.deepEqual(await chunks, ANSWER);
    await until(() => daemon.connections.size === 0);
    assert.deepEqual(daemon.of('request.end'), [{ call: 'c1', outcome: 'aborted' }]);
});

test('shutdown: a daemon that does not read does not hold it up', async (t) => {
    const { daemon, harness } = await ready(t);
    for (const socket of daemon.connections) socket.pause();
    harness.titles.set('session-a', 'x'.repeat(10000));
    const session = { id: 'session-a', seq: 1, firstLiveSeq: 0 };
    // More than the system buffers.
    for (let i = 0; i < 1000; i += 1) harness.emit('session/created', session);
    const disposed = await Promise.race([harness.dispose().then(() => true), pause(10000)]);
    assert.equal(disposed, true);
});

test('shutdown: afterwards nobody is there, for other plugins and for calls', async (t) => {
    const { daemon, harness } = await ready(t, { times: { silentMs: 60000 } });
    const { kvPersist } = harness.provided;
    const listener = harness.listeners.find(({ name }) => name === 'llm/stream').callback;
    await harness.dispose();
    const status = await Promise.race([kvPersist.status(), pause(2000)]);
    assert.equal(status.error.code, 'KV_NO_DAEMON');
    const own = model()();
    assert.equal(
        listener({ ...A, provider: 'llamacpp', model: 'tiny' }, () => own),
        own,
    );
    await collect(own);
    assert.equal(daemon.accepted, 1);
});

test('reload: in mid-call nothing is left behind', async (t) => {
    const { daemon, harness } = await ready(t, { config: { drainMs: 30, injectSlot: true } });
    const fetched = globalThis.fetch;
    const call = running(harness);
    await until(() => daemon.of('request.begin').length === 1);
    await pause(20);
    await harness.dispose();
    assert.notEqual(globalThis.fetch, fetched);
    await until(() => daemon.connections.size === 0);
    const accepted = daemon.accepted;
    call.release();
    await call.chunks;
    await pause(100);
    assert.equal(daemon.accepted, accepted); // nobody connects again
    assert.equal(daemon.of('request.end').length, 1);
});

test('reload: a process with an idle plugin ends by itself', async (t) => {
    const { daemon } = await ready(t);
    const script = `
        import { apply } from ${JSON.stringify(new URL('../index.js', import.meta.url).href)};
        const context = { get() {}, on() {}, effect: (work) => work(), provide() {}, inject() {} };
        apply(context, { socket: process.argv[1] });
        await new Promise((resolve) => setTimeout(resolve, 200));`;
    const run = (path) =>
        spawnSync(process.execPath, ['--input-type=module', '-e', script, path], { timeout: 20000 });
    assert.equal(run(`${daemon.path}-of-nobody`).status, 0);
    // The daemon lives in this process, so it cannot answer while this waits: that of a silent one is seen
    // here.
    assert.equal(run(daemon.path).status, 0);
});

test('slot: two calls at once carry their own slot, others nothing, and fetch is given back', async (t) => {
    const bodies = [];
    const server = createServer(async (request, response) => {
        let body = '';
        for await (const part of request) body += part;
        bodies.push({
            url: request.url,
            length: Number(request.headers['content-length']),
            size: body.length,
            body,
        });
        response.end('{}');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const url = `http://127.0.0.1:${server.address().port}/v1`;
    const before = globalThis.fetch;
    const { daemon, harness } = await ready(t, { config: { injectSlot: true } });
    assert.equal(daemon.of('hello')[0].pins, true);
    let slot = 0;
    daemon.answers['request.begin'] = ({ params }) => ({
        result: {
            managed: true,
            outcome: 'cold',
            lease: params.call,
            transport: { id_slot: (slot += 1), cache_prompt: true },
        },
    });
    const post = (path, body) => {
        const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
        return fetch(`${url}${path}`, { method: 'POST', body, headers });
    };
    const asking = (session, path = '/chat/completions', body = JSON.stringify({ session })) =>
        collect(
            harness.stream({ sessionId: session }, async function* () {
                await (await post(path, body)).text();
                yield finish('stop');
            }),
        );
    await Promise.all([asking('a'), asking('b')]);
    await asking('c', '/embeddings');
    await asking('d', '/chat/completions', 'no JSON');
    await (await post('/chat/completions', '{"session":"outside"}')).text();
    const got = Object.fromEntries(
        bodies.slice(0, 2).map(({ body }) => [JSON.parse(body).session, JSON.parse(body)]),
    );
    assert.deepEqual(got, {
        a: { session: 'a', id_slot: 1, cache_prompt: true },
        b: { session: 'b', id_slot: 2, cache_prompt: true },
    });
    assert.deepEqual(
        bodies.slice(2).map(({ body }) => body),
        ['{"session":"c"}', 'no JSON', '{"session":"outside"}'],
    );
    for (const { length, size } of bodies) assert.equal(length, size);
    await harness.dispose();
    assert.equal(globalThis.fetch, before);
});

test('slot: a wrap of fetch that came later stays in force', async (t) => {
    const before = globalThis.fetch;
    t.after(() => (globalThis.fetch = before));
    const { harness } = await ready(t, { config: { injectSlot: true } });
    const ours = globalThis.fetch;
    const theirs = (...args) => ours(...args);
    globalThis.fetch = theirs;
    await harness.dispose();
    assert.equal(globalThis.fetch, theirs);
});

test('slot: without the setting fetch is left alone', async (t) => {
    const before = globalThis.fetch;
    const { daemon, harness } = await ready(t);
    daemon.answers['request.begin'] = () => ({
        result: { managed: true, outcome: 'cold', lease: 'L', transport: { id_slot: 1 } },
    });
    assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    assert.equal(globalThis.fetch, before);
});
