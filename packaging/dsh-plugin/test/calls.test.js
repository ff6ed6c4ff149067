// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ANSWER, USAGE, collect, finish, model, pause, ready, text, until } from './support.js';

const A = { sessionId: 'session-a' };

/** A daemon that keeps begins waiting until the test answers them. */
function holding(daemon) {
    daemon.held = [];
    daemon.answers['request.begin'] = (message, socket) => void daemon.held.push({ message, socket });
}

test('call: begin, the chunks, end with everything', async (t) => {
    const { daemon, harness } = await ready(t);
    const session = { id: 'session-a', seq: 41, header: { cwd: '/home/me/project' } };
    harness.sessions.set(session.id, session);
    harness.titles.set(session.id, 'Fix the build');
    assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    await until(() => daemon.of('request.end').length === 1);
    assert.deepEqual(daemon.of('hello'), [{ client: 'dsh', version: '0.1.0', pins: false, protocol: 1 }]);
    assert.deepEqual(daemon.of('request.begin'), [
        {
            provider: 'llamacpp',
            model: 'tiny',
            session: 'session-a',
            seq: 41,
            label: 'Fix the build',
            call: 'c1',
            timeoutMs: 600000,
        },
    ]);
    const [{ timings, ...end }] = daemon.of('request.end');
    assert.deepEqual(end, {
        lease: 'L-c1',
        outcome: 'ok',
        more: false,
        usage: { promptTokens: 100, completionTokens: 5, cachedTokens: 90 },
    });
    assert.ok(timings.firstChunkMs >= 0);
    assert.deepEqual(harness.log, ['KV: cold']);
});

test('call: nothing is sent to the server before the slot is ready', async (t) => {
    const { daemon, harness } = await ready(t, { daemon: holding });
    const seen = {};
    const chunks = collect(harness.stream(A, model(ANSWER, seen)));
    await until(() => daemon.held.length === 1);
    await pause(50);
    assert.equal(seen.calls, undefined);
    daemon.answer(daemon.held[0].socket, daemon.held[0].message, {
        result: { managed: true, lease: 'L', outcome: 'resident' },
    });
    assert.deepEqual(await chunks, ANSWER);
    assert.equal(seen.calls, 1);
});

test('call: no chunk waits for the next one', async (t) => {
    const { harness } = await ready(t);
    let release;
    const later = new Promise((resolve) => (release = resolve));
    const stream = harness.stream(A, model([text('a'), () => later, finish('stop')]))[Symbol.asyncIterator]();
    assert.deepEqual((await stream.next()).value, text('a'));
    release(text('b'));
    assert.deepEqual((await stream.next()).value, text('b'));
    assert.deepEqual((await stream.next()).value, finish('stop'));
    assert.equal((await stream.next()).done, true);
    assert.equal((await stream.next()).done, true);
});

test('call: an unmanaged provider gets its own stream, untouched', async (t) => {
    const { daemon, harness } = await ready(t);
    const own = model()();
    assert.equal(
        harness.stream({ ...A, provider: 'cloud' }, () => own),
        own,
    );
    await collect(own);
    assert.deepEqual(daemon.of('request.begin'), []);
});

test('call: a provider of which only some models are routed is asked for, and left alone', async (t) => {
    const { daemon, harness } = await ready(t);
    daemon.answers['request.begin'] = () => ({ result: { managed: false, outcome: 'unmanaged', waitMs: 0 } });
    assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    await pause(30);
    assert.deepEqual(daemon.of('request.end'), []);
    assert.deepEqual(harness.log, []);
});

test('call: a configuration that was reloaded brings new providers', async (t) => {
    const { daemon, harness } = await ready(t);
    const hello = daemon.answers.hello();
    daemon.answers.hello = () => ({ result: { ...hello.result, providers: ['cloud'] } });
    const event = { method: 'event', params: { name: 'kv.config.reloaded' } };
    for (const socket of daemon.connections) daemon.answer(socket, {}, event);
    await until(() => daemon.of('hello').length === 2);
    await pause(30);
    await collect(harness.stream({ ...A, provider: 'cloud' }, model()));
    await collect(harness.stream(A, model()));
    assert.deepEqual(
        daemon.of('request.begin').map(({ provider }) => provider),
        ['cloud'],
    );
    assert.equal(daemon.accepted, 1);
});

test('call: every provider is managed by a daemon without a list', async (t) => {
    const hello = { result: { protocol: 1, providers: ['*'] } };
    const { daemon, harness } = await ready(t, { daemon: (one) => (one.answers.hello = () => hello) });
    await collect(harness.stream({ ...A, provider: 'anything' }, model()));
    assert.equal(daemon.of('request.begin').length, 1);
});

test('call: purpose, origin and parent are told', async (t) => {
    const { daemon, harness } = await ready(t);
    harness.sessions.set('child', {
        id: 'child',
        seq: 1,
        header: { parentSession: 'session-a', origin: 'subagent' },
    });
    await collect(harness.stream({ sessionId: 'child' }, model()));
    await collect(harness.stream({ ...A, purpose: 'session-title' }, model()));
    await collect(harness.stream({ ...A, purpose: 'compaction' }, model()));
    const told = daemon
        .of('request.begin')
        .map(({ session, purpose, origin, parent }) => ({ session, purpose, origin, parent }));
    assert.deepEqual(told, [
        { session: 'child', purpose: undefined, origin: 'subagent', parent: 'session-a' },
        { session: 'session-a', purpose: 'session-title', origin: undefined, parent: undefined },
        { session: 'session-a', purpose: 'compaction', origin: undefined, parent: undefined },
    ]);
});

test('call: the label is off by configuration, and else the title of now or the folder', async (t) => {
    const { daemon, harness } = await ready(t);
    const session = { id: 'session-a', seq: 1, header: { cwd: '/home/me/project' } };
    harness.sessions.set(session.id, session);
    await collect(harness.stream(A, model()));
    harness.emit('session/event', session, { type: 'session/title', data: { title: 'New name' } });
    await collect(harness.stream(A, model()));
    assert.deepEqual(
        daemon.of('request.begin').map(({ label }) => label),
        ['project', 'New name'],
    );
    const silent = await ready(t, { config: { label: false } });
    silent.harness.sessions.set(session.id, session);
    await collect(silent.harness.stream(A, model()));
    assert.equal(silent.daemon.of('request.begin')[0].label, undefined);
});

test('call: tool calls hold the slot, an error finish and a throw are errors', async (t) => {
    const { daemon, harness } = await ready(t);
    await collect(harness.stream(A, model([USAGE, finish('tool-calls')])));
    const failure = { failure: { message: 'no', code: 'SERVER' } };
    const failed = [finish('error', failure)];
    assert.deepEqual(await collect(harness.stream(A, model(failed))), failed);
    const boom = new Error('boom');
    await assert.rejects(collect(harness.stream(A, model([text('a'), () => Promise.reject(boom)]))), boom);
    await assert.rejects(
        collect(
            harness.stream(A, () => {
                throw boom;
            }),
        ),
        boom,
    );
    await until(() => daemon.of('request.end').length === 4);
    assert.deepEqual(
        daemon.of('request.end').map(({ outcome, more }) => [outcome, more]),
        [
            ['ok', true],
            ['error', undefined],
            ['error', undefined],
            ['error', undefined],
        ],
    );
});

test('call: two at once are two leases', async (t) => {
    const { daemon, harness } = await ready(t);
    const both = [A, { sessionId: 'session-b' }].map((options) => {
        let release;
        const gate = new Promise((resolve) => (release = () => resolve(USAGE)));
        return {
            chunks: collect(harness.stream(options, model([text('a'), () => gate, finish('stop')]))),
            release: () => release(),
        };
    });
    await until(() => daemon.of('request.begin').length === 2);
    both[1].release();
    await both[1].chunks;
    await until(() => daemon.of('request.end').length === 1);
    both[0].release();
    await both[0].chunks;
    await until(() => daemon.of('request.end').length === 2);
    assert.deepEqual(
        daemon.of('request.begin').map(({ call, session }) => [call, session]),
        [
            ['c1', 'session-a'],
            ['c2', 'session-b'],
        ],
    );
    assert.deepEqual(
        daemon.of('request.end').map(({ lease }) => lease),
        ['L-c2', 'L-c1'],
    );
});

test('cancel: before begin, while begin waits, in mid-stream, after the finish', async (t) => {
    const { daemon, harness } = await ready(t, { daemon: holding });
    const early = new AbortController();
    early.abort();
    await collect(harness.stream({ ...A, signal: early.signal }, model([finish('aborted')])));
    assert.equal(daemon.received.filter(({ method }) => method.startsWith('request.')).length, 0);

    const waiting = new AbortController();
    const chunks = collect(harness.stream({ ...A, signal: waiting.signal }, model([finish('aborted')])));
    await until(() => daemon.held.length === 1);
    waiting.abort();
    // The adapter's own answer to a signal that is aborted.
    assert.deepEqual(await chunks, [finish('aborted')]);
    await until(() => daemon.of('request.end').length === 1);
    assert.deepEqual(daemon.of('request.end')[0], {
        call: daemon.held[0].message.params.call,
        outcome: 'aborted',
    });

    daemon.answers['request.begin'] = ({ params }) => ({
        result: { managed: true, outcome: 'cold', lease: `L-${params.call}` },
    });
    const middle = new AbortController();
    const seen = {};
    for await (const chunk of harness.stream(
        { ...A, signal: middle.signal },
        model([text('a'), text('b')], seen),
    )) {
        if (chunk.text === 'a') middle.abort();
        break;
    }
    assert.equal(seen.closed, true);
    await until(() => daemon.of('request.end').length === 2);
    assert.equal(daemon.of('request.end')[1].outcome, 'aborted');

    const late = new AbortController();
    await collect(harness.stream({ ...A, signal: late.signal }, model()));
    late.abort();
    await until(() => daemon.of('request.end').length === 3);
    await pause(20);
    assert.deepEqual(
        daemon.of('request.end').map(({ outcome }) => outcome),
        ['aborted', 'aborted', 'ok'],
    );
});

test('cancel: a stream that is given back while begin waits sends no request', async (t) => {
    const { daemon, harness } = await ready(t, { daemon: holding });
    const seen = {};
    const user = new AbortController();
    const iterator = harness
        .stream({ ...A, signal: user.signal }, model(ANSWER, seen))
        [Symbol.asyncIterator]();
    const first = iterator.next();
    await until(() => daemon.held.length === 1);
    const returned = iterator.return('x');
    user.abort(); // an end is told once, however many reasons it has
    assert.deepEqual(await returned, { done: true, value: 'x' });
    assert.deepEqual(await first, { done: true, value: undefined });
    await until(() => daemon.of('request.end').length === 1);
    await pause(20);
    assert.equal(seen.calls, undefined);
    assert.deepEqual(
        daemon.of('request.end').map(({ outcome }) => outcome),
        ['aborted'],
    );
});

test('cancel: a stream that is never asked for anything tells nothing', async (t) => {
    const { daemon, harness } = await ready(t);
    const iterator = harness.stream(A, model())[Symbol.asyncIterator]();
    await iterator.return();
    await pause(30);
    assert.deepEqual(daemon.of('request.begin').concat(daemon.of('request.end')), []);
});

test('strict: a daemon that says so fails the call with one finish, and only then', async (t) => {
    const { daemon, harness } = await ready(t);
    const error = (data) => ({
        error: { code: -32000, message: 'The session could not be restored.', data },
    });
    daemon.answers['request.begin'] = () => error({ code: 'KV_RESTORE_FAILED', strict: true });
    const seen = {};
    assert.deepEqual(await collect(harness.stream(A, model(ANSWER, seen))), [
        finish('error', {
            failure: { message: 'The session could not be restored.', code: 'KV_RESTORE_FAILED' },
        }),
    ]);
    assert.equal(seen.calls, undefined);
    daemon.answers['request.begin'] = () => error({ code: 'KV_RESTORE_FAILED' });
    assert.deepEqual(await collect(harness.stream(A, model(ANSWER, seen))), ANSWER);
    await pause(30);
    assert.equal(daemon.of('request.end').filter(({ call }) => call === 'c1').length, 0);
});
