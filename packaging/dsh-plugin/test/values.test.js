// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { defaultSocket, readConfig } from '../lib/config.js';
import { LineReader } from '../lib/lines.js';
import { outcomeOf, statusLine, usageOf } from '../lib/report.js';
import { Labels, describe, hintOf, isResumed } from '../lib/sessions.js';

test('lines: messages come whole however the bytes are cut', () => {
    const bytes = Buffer.from('{"a":"ü€😀"}\r\n\n{"b":2}\n{"c"', 'utf8');
    const reader = new LineReader();
    const got = [];
    for (const byte of bytes) got.push(...reader.take(Buffer.from([byte])));
    assert.deepEqual(got, [{ a: 'ü€😀' }, { b: 2 }]);
    assert.deepEqual(new LineReader().take(bytes).length, 2);
});

test('lines: what is no JSON object is refused', () => {
    for (const line of ['hello', '[1]', '7', 'null', '"x"']) {
        assert.throws(() => new LineReader().take(Buffer.from(`${line}\n`)), undefined, line);
    }
    const endless = new LineReader();
    assert.throws(() => {
        for (let i = 0; i < 20; i += 1) endless.take(Buffer.alloc(1024 * 1024, 'x'));
    });
});

test('usage: the prompt is what was processed and what was cached', () => {
    assert.deepEqual(usageOf({ inputTokens: 2013, outputTokens: 5, cacheReadTokens: 6040 }), {
        promptTokens: 8053,
        completionTokens: 5,
        cachedTokens: 6040,
    });
    assert.deepEqual(usageOf({ inputTokens: 7, outputTokens: 0 }), {
        promptTokens: 7,
        completionTokens: 0,
        cachedTokens: 0,
    });
    assert.deepEqual(usageOf({ inputTokens: 1, cacheWriteTokens: 4, outputTokens: 2 }).promptTokens, 5);
});

test('usage: zeros and nonsense are unknown', () => {
    for (const usage of [
        undefined,
        null,
        {},
        { inputTokens: 0, outputTokens: 0 },
        { inputTokens: -1 },
        { inputTokens: 'x' },
    ]) {
        assert.equal(usageOf(usage), undefined);
    }
});

test('outcome: finish, abort and error', () => {
    const table = [
        [{ finish: 'stop' }, { outcome: 'ok', more: false }],
        [{ finish: 'tool-calls' }, { outcome: 'ok', more: true }],
        [{ finish: 'max-tokens' }, { outcome: 'ok', more: false }],
        [
            { finish: 'stop', aborted: true },
            { outcome: 'ok', more: false },
        ],
        [{ finish: 'aborted' }, { outcome: 'aborted' }],
        [{ finish: 'error' }, { outcome: 'error' }],
        [{ finish: 'error', aborted: true }, { outcome: 'aborted' }],
        [{ failed: true }, { outcome: 'error' }],
        [{ failed: true, aborted: true }, { outcome: 'aborted' }],
        [{}, { outcome: 'aborted' }],
    ];
    for (const [seen, outcome] of table) assert.deepEqual(outcomeOf(seen), outcome, JSON.stringify(seen));
});

test('status line: one short line for each outcome', () => {
    assert.equal(
        statusLine({ outcome: 'restored', tokens: 48700, waitMs: 188.2 }),
        'KV: restored 48.7K tokens, 188 ms',
    );
    assert.equal(
        statusLine({ outcome: 'restored', tokens: 870, waitMs: 3 }),
        'KV: restored 870 tokens, 3 ms',
    );
    assert.equal(statusLine({ outcome: 'resident' }), 'KV: resident');
    assert.equal(statusLine({ outcome: 'cold' }), 'KV: cold');
    assert.equal(statusLine({ outcome: 'cold-fallback', reason: 'file gone' }), 'KV: cold (file gone)');
    assert.equal(statusLine({ outcome: 'bypass', reason: 'paused' }), 'KV: not managed now (paused)');
    assert.match(
        statusLine({ outcome: 'based', tokens: 2000, waitMs: 9 }),
        /shared beginning, 2.0K tokens, 9 ms/,
    );
});

test('sessions: sub-agents name who started them, forks whom they continue', () => {
    const options = { provider: 'p', model: 'm', sessionId: 's', purpose: undefined };
    const child = { seq: 4, header: { parentSession: 'S', origin: 'subagent', delegationDepth: 1 } };
    assert.deepEqual(describe(options, child, 'x'), {
        provider: 'p',
        model: 'm',
        session: 's',
        purpose: undefined,
        origin: 'subagent',
        parent: 'S',
        base: undefined,
        fork: undefined,
        forkSeq: undefined,
        seq: 4,
        label: 'x',
    });
    const fork = describe(options, {
        seq: 9,
        header: { parentSession: 'S', origin: 'subagent', seedLength: 7 },
    });
    assert.deepEqual([fork.parent, fork.fork, fork.forkSeq], ['S', 'S', 7]);
    const copy = describe(options, { seq: 9, header: { parentSession: 'S', seedLength: 7 } });
    assert.deepEqual([copy.parent, copy.fork, copy.origin], [undefined, 'S', undefined]);
    assert.equal(describe({ ...options, purpose: 'session-title' }, undefined).purpose, 'session-title');
});

test('sessions: a base is system prompt and tools, and no text', () => {
    const tools = [{ name: 'read', description: 'Reads a file' }];
    const call = { provider: 'p', model: 'm', sessionId: 's', system: 'You are a harness.', tools };
    const { base } = describe(call, undefined);
    assert.match(base, /^[0-9a-f]{32}$/);
    assert.equal(describe({ ...call, sessionId: 't', messages: [1] }, undefined).base, base);
    assert.equal(describe({ ...call, tools: structuredClone(tools) }, undefined).base, base);
    assert.equal(describe({ ...call, purpose: 'conversation' }, undefined).base, base);
    const others = [
        { system: 'You are another.' },
        { model: 'n' },
        { tools: [...tools, { name: 'write' }] },
        { tools: undefined },
    ];
    for (const other of others) {
        const changed = describe({ ...call, ...other }, undefined).base;
        assert.match(changed, /^[0-9a-f]{32}$/);
        assert.notEqual(changed, base);
    }
    // A title's prompt is nobody's beginning.
    assert.equal(describe({ ...call, purpose: 'session-title' }, undefined).base, undefined);
    assert.equal(describe({ provider: 'p', model: 'm', tools: [] }, undefined).base, undefined);
});

test('sessions: a title that cannot be read costs the name alone', () => {
    const labels = new Labels(() => {
        throw new Error('no such service');
    });
    assert.equal(labels.of({ id: 's', header: { cwd: '/home/me/project' } }), 'project');
    assert.equal(labels.of({ id: 't' }), undefined);
    assert.equal(labels.of(undefined), undefined);
});

test('sessions: which events are hints', () => {
    const hints = [
        'turn/end',
        'step/end',
        'compaction/end',
        'compaction/prune',
        'turn/start',
        'assistant/chunk',
    ];
    assert.deepEqual(
        hints.map((type) => hintOf({ type, data: {} })),
        ['turn-end', 'step-end', 'compacted', 'compacted', undefined, undefined],
    );
    assert.equal(hintOf({ type: 'compaction/end', data: { error: 'no' } }), undefined);
    assert.equal(isResumed({ firstLiveSeq: 0, header: {} }), false);
    assert.equal(isResumed({ firstLiveSeq: 9, header: { seedLength: 9 } }), false);
    assert.equal(isResumed({ firstLiveSeq: 9, header: {} }), true);
});

test('config: defaults, and what is wrong is left out and named', () => {
    const { settings, complaint } = readConfig(
        { lable: true, waitMs: -1, statusLine: 'yes', drainMs: 7, socket: null },
        {},
    );
    assert.equal(settings.drainMs, 7);
    assert.equal(settings.waitMs, 600000);
    assert.equal(settings.statusLine, false);
    assert.match(complaint, /lable, waitMs, statusLine/);
    assert.equal(readConfig(undefined, {}).complaint, undefined);
});

test('config: the socket is where the daemon listens', () => {
    assert.equal(defaultSocket({ KV_PERSIST_SOCKET: '/x', XDG_RUNTIME_DIR: '/run/user/7' }, 7), '/x');
    assert.equal(defaultSocket({ XDG_RUNTIME_DIR: '/run/user/7' }, 7), '/run/user/7/kv-persist/api.sock');
    assert.match(defaultSocket({}, 7), /\/kv-persist-7\/api\.sock$/);
});
