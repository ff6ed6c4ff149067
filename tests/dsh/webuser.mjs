// SPDX-License-Identifier: MIT
// A user of `dsh web`, over its HTTP API. Usage: webuser.mjs PORT create (prints the new session's id)
//                                              webuser.mjs PORT say SESSION WORDS
const [port, verb, sessionId, text] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}`;

async function call(method, payload) {
    const response = await fetch(`${url}/api/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ type: 'client-request', rpcId: crypto.randomUUID(), method, payload }),
    });
    const said = await response.text();
    const answer = JSON.parse(said);
    if (!answer.result?.ok) throw new Error(`${method}: ${said.slice(0, 500)}`);
    return answer.result.value;
}

if (verb === 'create') console.log((await call('session.create', { cwd: process.cwd() })).sessionId);
else await call('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] });
