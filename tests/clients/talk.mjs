// SPDX-License-Identifier: MIT
// talk.mjs LIBRARIES BASE-URL LIBRARY: chats as programs do that use a client library, through whatever answers at
// the URL. Reads one JSON array of messages a line, [{role, content}, …]; writes one line of JSON for each,
// {text, cached, prompt, chunks}, or {error}.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [libraries, url, library] = process.argv.slice(2);
const require = createRequire(`${libraries}/package.json`);
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

const makers = {
    async openai() {
        const { default: OpenAI } = await load('openai');
        const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'test-key', maxRetries: 0 });
        return async (messages) => {
            const stream = await client.chat.completions.create({
                model: 'tiny', messages, stream: true, max_tokens: 8, temperature: 0,
                stream_options: { include_usage: true },
            });
            const out = { text: '', chunks: 0 };
            for await (const chunk of stream) {
                out.chunks += 1;
                out.text += chunk.choices[0]?.delta?.content ?? '';
                if (chunk.usage) {
                    out.prompt = chunk.usage.prompt_tokens;
                    out.cached = chunk.usage.prompt_tokens_details?.cached_tokens;
                }
            }
            return out;
        };
    },
    async 'openai-responses'() {
        const { default: OpenAI } = await load('openai');
        const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'test-key', maxRetries: 0 });
        return async (messages) => {
            const input = messages.map(({ role, content }) =>
                role === 'assistant'
                    ? { type: 'message', role, content: [{ type: 'output_text', text: content, annotations: [] }] }
                    : { role, content });
            const stream = await client.responses.create({
                model: 'tiny', input, stream: true, max_output_tokens: 8, temperature: 0 });
            const out = { text: '', chunks: 0 };
            for await (const event of stream) {
                out.chunks += 1;
                if (event.type === 'response.output_text.delta') out.text += event.delta;
                if (event.type === 'response.completed') {
                    out.prompt = event.response.usage.input_tokens;
                    out.cached = event.response.usage.input_tokens_details.cached_tokens;
                }
            }
            return out;
        };
    },
    async anthropic() {
        const { default: Anthropic } = await load('@anthropic-ai/sdk');
        const client = new Anthropic({ baseURL: url, apiKey: 'test-key', maxRetries: 0 });
        return async (messages) => {
            const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content).join('\n');
            const stream = client.messages.stream({
                model: 'tiny', system, messages: messages.filter(({ role }) => role !== 'system'), max_tokens: 8,
                temperature: 0 });
            const out = { text: '', chunks: 0 };
            stream.on('streamEvent', () => (out.chunks += 1));
            const message = await stream.finalMessage();
            out.text = message.content.map(({ text }) => text ?? '').join('');
            out.cached = message.usage.cache_read_input_tokens;
            out.prompt = message.usage.input_tokens + out.cached;
            return out;
        };
    },
    async ai() {
        const { streamText } = await load('ai');
        const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible');
        const provider = createOpenAICompatible({
            name: 'local', baseURL: `${url}/v1`, apiKey: 'test-key', includeUsage: true });
        return async (messages) => {
            const result = streamText({
                model: provider('tiny'), messages, maxOutputTokens: 8, temperature: 0, maxRetries: 0,
                allowSystemInMessages: true, onError: ({ error }) => { throw error; } });
            const out = { text: '', chunks: 0 };
            for await (const part of result.textStream) {
                out.chunks += 1;
                out.text += part;
            }
            const usage = await result.usage;
            out.prompt = usage.inputTokens;
            out.cached = usage.cachedInputTokens ?? usage.inputTokenDetails?.cacheReadTokens;
            return out;
        };
    },
};

const talk = await makers[library]();
for await (const line of createInterface({ input: process.stdin })) {
    const said = await talk(JSON.parse(line)).catch((error) => ({ error: String(error) }));
    process.stdout.write(`${JSON.stringify(said)}\n`);
}
