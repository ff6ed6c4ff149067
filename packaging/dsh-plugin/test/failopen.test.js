// SPDX-License-Identifier: MIT
// Whatever the daemon does, the harness gets its answer, and at most one short line of log.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';

import {
    ANSWER,
    Harness,
    USAGE,
    collect,
    finish,
    model,
    pause,
    ready,
    stage,
    text,
    until,
} from './support.js';

const A = { sessionId: 'session-a' };

/** Three calls are answered as ever, with at most one line, which `line` matches. */
async function goesOn(harness, line) {
    for (let i = 0; i < 3; i += 1) {
        const seen = {};
        assert.deepEqual(await collect(harness.stream(A, model(ANSWER, seen))), ANSWER);
        assert.equal(seen.calls, 1);
    }
    await pause(100);
    assert.equal(harness.errors.length, 1);
    assert.match(harness.errors[0], line);
    assert.ok(harness.errors[0].length < 250);
}

/** A stream that waits for release() while its daemon is killed and comes back, answering begins with `again`. */
async function streamOverARestart(t, again) {
    const { daemon, harness } = await ready(t);
    let release;
    const gate = new Promise((resolve) => (release = resolve));
    const chunks = collect(harness.stream(A, model([text('a'), () => gate, finish('stop')])));
    await until(() => daemon.of('request.begin').length === 1);
    await pause(20);
    await daemon.kill();
    daemon.received = [];
    daemon.answers['request.begin'] = () => again;
    await daemon.listen();
    await until(() => daemon.of('request.begin').length === 1);
    return { daemon, harness, chunks, release };
}

test('no daemon', async (t) => {
    const { harness } = await stage(t, { listen: false });
    await goesOn(harness, /no daemon at/);
});

test('a stale socket', async (t) => {
    const { daemon, harness } = await stage(t, {
        listen: false,
        daemon: (one) => writeFileSync(one.path, ''),
    });
    await goesOn(harness, /no daemon at/);
    await daemon.remove();
});

test('a silent daemon delays nothing but the first calls', async (t) => {
    const { daemon, harness } = await stage(t, { daemon: (one) => (one.answers = {}) });
    await goesOn(harness, /does not answer/);
    const before = daemon.accepted;
    assert.equal(before, 1);
    const seen = {};
    const stream = harness.stream(A, model(ANSWER, seen))[Symbol.asyncIterator]();
    const first = stream.next();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(seen.calls, 1); // at once, without a timer
    await first;
    await stream.return();
    await pause(200);
    assert.equal(daemon.accepted, before); // and it is left alone for a while
});

test('a daemon that falls silent while begin waits', async (t) => {
    const { daemon, harness } = await ready(t);
    daemon.answers = {};
    await goesOn(harness, /does not answer/);
});

test('a daemon that lives and lets begin wait is waited for', async (t) => {
    const { daemon, harness } = await ready(t);
    let begun;
    daemon.answers['request.begin'] = (message, socket) => void (begun = { message, socket });
    const seen = {};
    const chunks = collect(harness.stream(A, model(ANSWER, seen)));
    await pause(400); // three times what a silent one is given
    assert.equal(seen.calls, undefined);
    await until(() => daemon.of('kv.cancel').length > 3); // it was asked for signs of life
    daemon.answer(begun.socket, begun.message, {
        result: { managed: true, outcome: 'restored', lease: 'L' },
    });
    assert.deepEqual(await chunks, ANSWER);
    assert.deepEqual(harness.errors, []);
});

test('a harness that is busy with itself does not take that for a silent daemon', async (t) => {
    const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    let hello;
    const { daemon, harness } = await stage(t, {
        daemon: (one) => {
            hello = one.answers.hello();
            one.answers.hello = (message, socket) => {
                one.answer(socket, message, hello);
                busy(); // the answer is there, and everybody's time is over
            };
        },
    });
    await until(() => daemon.of('kv.subscribe').length === 1);
    daemon.answers['request.begin'] = (message, socket) => {
        setTimeout(() => {
            daemon.answer(socket, message, { result: { managed: true, outcome: 'resident', lease: 'L' } });
            busy();
        }, 60);
    };
    assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    await until(() => daemon.of('request.end').length === 1);
    assert.deepEqual(harness.errors, []);
});

for (const [what, raw] of [
    ['text', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['other JSON', '[1,2]\n'],
    ['bytes', Buffer.from([0, 255, 254, 10, 13, 10])],
    ['an answer without providers', '{"jsonrpc":"2.0","id":1,"result":{"protocol":1}}\n'],
]) {
    test(`garbage: ${what}`, async (t) => {
        const { harness } = await stage(t, { daemon: (one) => (one.raw = raw) });
        await goesOn(harness, /is no kv-persistd/);
    });
}

test('garbage after a good start', async (t) => {
    const { daemon, harness } = await ready(t);
    daemon.answers['request.begin'] = (_message, socket) => void socket.write('garbage\n');
    await goesOn(harness, /is no kv-persistd/);
});

test('answers of wrong types are no answers', async (t) => {
    const { daemon, harness } = await ready(t);
    const results = [
        null,
        7,
        [],
        {},
        { managed: 'yes' },
        { managed: true, lease: 7, transport: 'x', outcome: 7, tokens: 'x' },
    ];
    for (const result of results) {
        daemon.answers['request.begin'] = () => ({ result });
        assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    }
    assert.deepEqual(harness.errors, []);
});

test('an old daemon, a newer protocol: one clear line', async (t) => {
    const mismatch = { result: { name: 'kv-persistd', version: '9.0', protocol: 2, providers: [] } };
    const newer = await stage(t, { daemon: (one) => (one.answers.hello = () => mismatch) });
    await goesOn(newer.harness, /plugin 0\.1\.0 and daemon do not fit.*9\.0 speaks protocol 2, this needs 1/);
    const refusal = {
        error: { code: -32602, message: 'This daemon speaks protocol 3.', data: { code: 'KV_BAD_REQUEST' } },
    };
    const refusing = await stage(t, { daemon: (one) => (one.answers.hello = () => refusal) });
    await goesOn(refusing.harness, /do not fit \(This daemon speaks protocol 3\.\)/);
    assert.deepEqual(newer.daemon.of('request.begin'), []);
});

test('a daemon killed while begin waits', async (t) => {
    const { daemon, harness } = await ready(t);
    daemon.answers['request.begin'] = () => undefined;
    const chunks = collect(harness.stream(A, model()));
    await until(() => daemon.of('request.begin').length === 1);
    await daemon.kill();
    assert.deepEqual(await chunks, ANSWER);
    await goesOn(harness, /the daemon went away/);
});

test('a daemon killed in mid-stream and started again is told what runs', async (t) => {
    const { daemon, harness, chunks, release } = await streamOverARestart(t, {
        result: { managed: true, outcome: 'resident', lease: 'L-new' },
    });
    const [{ session, call, running }] = daemon.of('request.begin');
    assert.deepEqual({ session, call, running }, { session: 'session-a', call: 'c1', running: true });
    await pause(20);
    release(USAGE);
    assert.deepEqual(await chunks, [text('a'), USAGE, finish('stop')]);
    await until(() => daemon.of('request.end').length === 1);
    assert.equal(daemon.of('request.end')[0].lease, 'L-new');
    assert.equal(harness.errors.length, 1);
});

test('a daemon that comes back does not know the leases of before', async (t) => {
    const { daemon, harness, chunks, release } = await streamOverARestart(t, undefined);
    release(USAGE);
    await chunks;
    await until(() => daemon.of('request.end').length === 1);
    const [{ lease, call }] = daemon.of('request.end');
    assert.deepEqual({ lease, call }, { lease: undefined, call: 'c1' });
});

test('a daemon that starts in mid-stream is told what runs', async (t) => {
    const { daemon, harness } = await stage(t, { listen: false });
    let release;
    const gate = new Promise((resolve) => (release = resolve));
    const chunks = collect(harness.stream(A, model([() => gate, finish('stop')])));
    await pause(30);
    await daemon.listen();
    await until(() => daemon.of('request.begin').length === 1);
    assert.equal(daemon.of('request.begin')[0].running, true);
    release(USAGE);
    await chunks;
    await until(() => daemon.of('request.end').length === 1);
});

test('the next call after a start of the daemon is managed', async (t) => {
    const { daemon, harness } = await stage(t, { listen: false, times: { retryMs: 1, retryMaxMs: 60000 } });
    await collect(harness.stream(A, model()));
    await pause(700); // the plugin's own next try is a long time off
    await daemon.listen();
    await collect(harness.stream(A, model()));
    assert.equal(daemon.of('request.begin').length, 1);
});

test('a connection lost and lost again is one line until it is well again', async (t) => {
    const { daemon, harness } = await ready(t);
    await daemon.kill();
    await pause(150);
    assert.equal(harness.errors.length, 1);
    await daemon.listen();
    await until(() => daemon.accepted === 2);
    await until(() => daemon.of('kv.subscribe').length === 2);
    await pause(50);
    await daemon.kill();
    await until(() => harness.errors.length === 2);
});

test('a throw never leaves the plugin', async (t) => {
    process.env.KV_PERSIST_SOCKET = '/nonexistent/api.sock';
    t.after(() => delete process.env.KV_PERSIST_SOCKET);
    for (const config of [
        null,
        undefined,
        7,
        'x',
        [],
        { socket: 7, label: 'x', nonsense: {} },
        { socket: '\0' },
    ]) {
        const harness = new Harness(undefined, typeof config === 'object' ? config : { config });
        t.after(() => harness.dispose());
        assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    }
    const { harness } = await ready(t);
    harness.context.get = () => {
        throw new Error('the harness changed');
    };
    assert.deepEqual(await collect(harness.stream(A, model())), ANSWER);
    const { callback } = harness.listeners.find(({ name }) => name === 'llm/stream');
    assert.deepEqual(await collect(callback(undefined, model())), ANSWER);
    assert.equal(harness.emit('session/created', { id: 'x', firstLiveSeq: 0 }).length, 1);
    harness.context.on = harness.context.get;
    const { apply } = await import('../index.js');
    apply(harness.context, {});
    apply({}, {});
    assert.equal(harness.errors.filter((line) => /not active/.test(line)).length, 2);
});

test('switched off it does nothing', async (t) => {
    const { daemon, harness } = await stage(t, { config: { enabled: false } });
    await collect(harness.stream(A, model()));
    await pause(50);
    assert.equal(daemon.accepted, 0);
    assert.deepEqual([harness.listeners.length, Object.keys(harness.provided).length], [0, 0]);
});
