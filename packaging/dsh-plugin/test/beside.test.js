// SPDX-License-Identifier: MIT
// What the plugin does beside the calls: hints of the sessions' life, the service for other plugins, what users see.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { USAGE, collect, finish, model, ready, until } from './support.js';

const A = { sessionId: 'session-a' };

test('hints: what becomes of a session is told, and a flush never within its call', async (t) => {
    const { daemon, harness } = await ready(t);
    const session = { id: 'session-a', seq: 3, header: { cwd: '/home/me/project' }, firstLiveSeq: 0 };
    harness.sessions.set(session.id, session);
    harness.emit('session/created', session);
    harness.emit('session/created', { ...session, id: 'old', firstLiveSeq: 8 });
    harness.emit('session/flush', session); // no call of ours yet
    await collect(
        harness.stream(A, model([() => (harness.emit('session/flush', session), USAGE), finish('stop')])),
    );
    harness.emit('session/event', session, { type: 'step/end', data: {} });
    harness.emit('session/event', session, { type: 'turn/end', data: {} });
    harness.emit('session/event', session, { type: 'compaction/end', data: {} });
    harness.emit('session/flush', session);
    harness.emit('session/event', { ...session, id: 'of-the-cloud' }, { type: 'turn/end', data: {} });
    harness.emit('session/disposed', session);
    await until(() => daemon.of('session.event').some(({ type }) => type === 'disposed'));
    const types = daemon.of('session.event').map(({ session: id, type }) => `${id} ${type}`);
    assert.deepEqual(types, [
        'session-a created',
        'old resumed',
        'session-a step-end',
        'session-a turn-end',
        'session-a compacted',
        'session-a flush',
        'session-a disposed',
    ]);
    const last = daemon.of('session.event').at(-1);
    assert.deepEqual(last, {
        session: 'session-a',
        type: 'disposed',
        provider: 'llamacpp',
        model: 'tiny',
        seq: 3,
        label: 'project',
    });
});

test('hints: a flush is never held up, vetoed or failed', async (t) => {
    const { harness } = await ready(t);
    for (const session of [undefined, null, {}, { id: 'x' }]) {
        for (const name of ['session/flush', 'session/created', 'session/disposed']) {
            assert.deepEqual(harness.emit(name, session), [undefined], name);
        }
        assert.deepEqual(harness.emit('session/event', session, undefined), [undefined]);
    }
});

test('service: each method is one call, answered as a value', async (t) => {
    const { daemon, harness } = await ready(t);
    const { kvPersist } = harness.provided;
    for (const name of ['status', 'get', 'save', 'restore', 'invalidate', 'purge', 'flush']) {
        daemon.answers[`kv.${name}`] = () => ({ result: { was: name } });
    }
    const before = daemon.received.length;
    assert.deepEqual(await kvPersist.status(), { ok: true, value: { was: 'status' } });
    assert.deepEqual(await kvPersist.getSessionState('s'), { ok: true, value: { was: 'get' } });
    assert.deepEqual(await kvPersist.save('s', { server: 'local' }), { ok: true, value: { was: 'save' } });
    assert.deepEqual(await kvPersist.restore('s'), { ok: true, value: { was: 'restore' } });
    assert.deepEqual(await kvPersist.invalidate('s', 'wrong answers'), {
        ok: true,
        value: { was: 'invalidate' },
    });
    assert.deepEqual(await kvPersist.purge('s'), { ok: true, value: { was: 'purge' } });
    assert.deepEqual(await kvPersist.flush(), { ok: true, value: { was: 'flush' } });
    assert.equal(daemon.received.length, before + 7);
    assert.deepEqual(daemon.of('kv.save'), [{ server: 'local', session: 's' }]);
    assert.deepEqual(daemon.of('kv.invalidate'), [{ session: 's', reason: 'wrong answers' }]);
    daemon.answers['kv.save'] = () => ({
        error: { code: -32000, message: 'A request runs in it.', data: { code: 'KV_SLOT_BUSY' } },
    });
    assert.deepEqual(await kvPersist.save('s'), {
        ok: false,
        error: { code: 'KV_SLOT_BUSY', message: 'A request runs in it.' },
    });
    await daemon.kill();
    for (const name of Object.keys(kvPersist))
        assert.equal((await kvPersist[name]('s')).error.code, 'KV_NO_DAEMON', name);
});

test('command: /kv says in one line how warm the session is', async (t) => {
    const { daemon, harness } = await ready(t);
    const command = harness.commands.get('kv');
    const of = (id) => command.handler({ agent: { session: { id } } });
    assert.match(of('session-a').text, /no request of this session yet/);
    daemon.answers['request.begin'] = () => ({
        result: { managed: true, outcome: 'restored', tokens: 48700, waitMs: 188 },
    });
    await collect(harness.stream(A, model()));
    daemon.answers['request.begin'] = () => ({ result: { managed: true, outcome: 'auxiliary' } });
    await collect(harness.stream({ ...A, purpose: 'session-title' }, model()));
    assert.deepEqual(of('session-a'), { kind: 'success', text: 'KV: restored 48.7K tokens, 188 ms' });
    await daemon.kill();
    await until(() => of('session-a').text.startsWith('KV: no daemon'));
    const off = await ready(t, { config: { command: false } });
    assert.equal(off.harness.commands.size, 0);
});

test('status line: on standard error where it is asked for', async (t) => {
    const { harness } = await ready(t, { config: { statusLine: true } });
    await collect(harness.stream(A, model()));
    assert.deepEqual(harness.errors, ['kv-persist: KV: cold\n']);
});
