import { INVALID_INPUT } from '../../errors/faults.js';
import { ServiceError } from '../../errors/service-error.js';
import { decodeUtf8 } from './decode-utf8.js';
import { endOfString } from './end-of-string.js';
import { repeatedKey } from './repeated-key.js';

/** Deeper than anything valid in the interface, and far from the end of the stack. */
const MOST_LEVELS = 128;

/**
 * The value of a JSON body; undefined for an empty one (G-6). Keys such as `__proto__` stay keys. Throws 400 if it is
 * not JSON in UTF-8, is nested deeper than 128 levels, or has a key twice: one of two conditions would be dropped
 * silently (S-2).
 */
export function parseJson(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  if (text.trim() === '') return undefined;
  // Before parsing: a body of brackets is cheap to send, but not to parse.
  if (isDeeperThan(MOST_LEVELS, text)) throw invalid(`body: must be nested at most ${MOST_LEVELS} levels deep`);
  const value = parsed(text);
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw invalid(`${repeated}: is given twice`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('body: is not valid JSON', cause);
  }
}

const invalid = (message: string, cause?: unknown): ServiceError =>
  new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues: [{ message }], cause });

/** Whether a text nests objects and arrays deeper than `levels`. It need not be valid JSON; reading stops there. */
function isDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
