// SPDX-License-Identifier: MIT
// Bytes in, messages out: one JSON object on a line. Knows no socket.
import { StringDecoder } from 'node:string_decoder';

const MAX_LINE = 16 * 1024 * 1024; // what the daemon's protocol allows itself

export class LineReader {
    #decoder = new StringDecoder('utf8');
    #rest = '';

    /** The messages that are complete now. Throws at what is no JSON object, and at a line without an end. */
    take(bytes) {
        const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
        this.#rest = lines.pop();
        if (this.#rest.length > MAX_LINE) throw new Error('a line is too long');
        return lines
            .map((line) => line.trim())
            .filter((line) => line !== '')
            .map(parse);
    }
}

function parse(line) {
    const message = JSON.parse(line);
    if (!isObject(message)) throw new Error('a line holds no JSON object');
    return message;
}

export function toLine(message) {
    return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
