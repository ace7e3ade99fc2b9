import { invalidInput } from '../../kernel/errors/faults.js';
import type { ServiceError } from '../../kernel/errors/service-error.js';
import { exactJson, jsonExcess, repeatedKey } from '../../kernel/input/json.js';
import type { Steps } from '../../platform/queue/time-slice.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, without a byte order mark. Throws 400 for bytes that are not UTF-8. */
function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw invalidInput('body: is not valid UTF-8', { cause });
  }
}

/** Percent escapes in a row. */
const ESCAPES = /(?:%[0-9a-f]{2})+/gi;

/** The parameters of a form. Throws 400 for bytes that are not UTF-8, escaped ones included (G-6). */
export function decodeForm(bytes: Buffer): URLSearchParams {
  const text = decodeUtf8(bytes);
  try {
    for (const [escaped] of text.matchAll(ESCAPES)) decodeURIComponent(escaped);
  } catch (cause) {
    throw invalidInput('body: is not valid UTF-8', { cause });
  }
  return new URLSearchParams(text);
}

/**
 * Deeper than anything valid in the interface, and far from the end of the stack; and more values than a search has that
 * the default budget affords (some 50,000), three times as many as an event may have. One step takes up to half of what
 * Q-1 allows.
 */
const MOST = { levels: 128, values: 60_000 };

/** Valid JSON of too many levels has at least so many brackets, and that of too many values more commas. */
const LEAST_EXCESSIVE = 2 * (MOST.levels + 1);

/**
 * The value of a JSON body; undefined for an empty one (G-6). Keys such as `__proto__` stay keys. Throws 400 if it is
 * not JSON in UTF-8, is nested deeper than 128 levels, has more than 60,000 values, or has a key twice: one of two
 * conditions would be dropped silently (S-2). Faults of the whole have `name` for their path.
 */
export function parseJson(bytes: Buffer, name = 'body'): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return undefined;
  const value = valueOf(text, name);
  requireDistinctKeys(text);
  return value;
}

/** Parses in steps; the last one uses the value. */
export function* jsonSteps(bytes: Buffer): Steps<unknown> {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return undefined;
  const value = valueOf(text);
  yield;
  requireDistinctKeys(text);
  yield;
  return value;
}

function valueOf(text: string, name = 'body'): unknown {
  const excess = text.length < LEAST_EXCESSIVE ? undefined : jsonExcess(text, MOST);
  if (excess !== undefined) throw invalid(`${name}: must ${EXPECTED[excess]}`);
  return parsed(text, name);
}

function requireDistinctKeys(text: string): void {
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw invalid(`${repeated}: is given twice`);
}

const EXPECTED = {
  levels: `be nested at most ${MOST.levels} levels deep`,
  values: `have at most ${MOST.values} values in all`,
};

function parsed(text: string, name: string): unknown {
  try {
    return exactJson(text);
  } catch (cause) {
    throw invalid(`${name}: is not valid JSON`, cause);
  }
}

const invalid = (message: string, cause?: unknown): ServiceError => invalidInput(message, { cause });
