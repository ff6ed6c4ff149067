// SPDX-License-Identifier: MIT
// What a finished stream and an answered begin mean, as values.

/** `request.end`'s usage of a usage chunk; undefined when the adapter did not know. */
export function usageOf(usage) {
    const count = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : 0);
    // An adapter leaves the cached tokens out when there are none, and says 0 and 0 after an error or a
    // cancel.
    const uncached = count(usage?.inputTokens);
    const cached = count(usage?.cacheReadTokens);
    const written = count(usage?.cacheWriteTokens); // of the prompt as well, counted apart
    const completionTokens = count(usage?.outputTokens);
    if (uncached + cached + written === 0) return undefined;
    return { promptTokens: uncached + cached + written, completionTokens, cachedTokens: cached };
}

/** `request.end`'s outcome, and whether the session goes on at once with the results of its tools. */
export function outcomeOf({ finish, failed, aborted }) {
    if (finish === 'error') return { outcome: aborted ? 'aborted' : 'error' };
    if (finish === 'aborted') return { outcome: 'aborted' };
    if (finish !== undefined) return { outcome: 'ok', more: finish === 'tool-calls' };
    return { outcome: failed && !aborted ? 'error' : 'aborted' };
}

/** One line for people: what a begin's answer brought. */
export function statusLine(begun) {
    switch (begun.outcome) {
        case 'restored':
            return `KV: restored ${amount(begun)}`;
        case 'based':
            return `KV: restored the shared beginning, ${amount(begun)}`;
        case 'resident':
            return 'KV: resident';
        case 'cold':
        case 'cold-fallback':
            return `KV: cold${because(begun.reason)}`;
        case 'bypass':
            return `KV: not managed now${because(begun.reason)}`;
        default:
            return `KV: ${begun.outcome ?? 'unknown'}`;
    }
}

function because(reason) {
    return typeof reason === 'string' && reason !== '' ? ` (${reason})` : '';
}

function amount({ tokens = 0, waitMs = 0 }) {
    const short = tokens >= 1000 ? `${(tokens / 1000).toFixed(1)}K` : String(tokens);
    return `${short} tokens, ${Math.round(waitMs)} ms`;
}
