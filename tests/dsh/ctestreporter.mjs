// SPDX-License-Identifier: MIT
// A reporter for node's test runner that says what Qt Test would, so that packaging/test-summary.py counts
// each test.
import { basename } from 'node:path';

export default async function* report(events) {
    let passed = 0;
    let failed = 0;
    for await (const { type, data } of events) {
        if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
        if (type !== 'test:pass' && type !== 'test:fail') continue;
        const name = `${className()}::${word(data.name)}()`;
        if (type === 'test:fail') {
            failed += 1;
            const error = data.details?.error;
            yield `FAIL!  : ${name}\n${error?.cause?.stack ?? error?.stack ?? error}\n`;
        } else if (data.skip !== undefined) {
            yield `SKIP   : ${name} ${typeof data.skip === 'string' ? data.skip : 'skipped'}\n`;
        } else {
            passed += 1;
            yield `PASS   : ${name}\n`;
        }
    }
    yield `Totals: ${passed} passed, ${failed} failed\n`;
}

function className() {
    return `DshPlugin_${word(basename(process.argv[1] ?? 'tests').split('.')[0])}`;
}

function word(text) {
    return text.replace(/\W+/g, '_').replace(/^_|_$/g, '');
}
