import { invalidInput } from '../../kernel/errors/invalid-input.js';
import { isObject } from '../../kernel/input/is-object.js';
import { plainInput } from './plain-input.js';

/** Calls of one request; each is answered for itself. */
const MOST_CALLS = 20;

/** A procedure that is called, and its input, or the fault that makes it unreadable. */
export interface ReadCall {
  readonly path: string;
  readonly input: () => unknown;
}

/** The calls of one request, and whether they are answered as a list. */
export interface ReadCalls {
  readonly isBatch: boolean;
  readonly calls: readonly ReadCall[];
}

/**
 * Reads the calls of a request as tRPC 11 sends them: `names` are those of the address, `input` is the parsed `input`
 * of the query string or the body. Throws 400 for a batch of too many calls, or whose input is no object.
 */
export function readCalls(names: string, batch: unknown, input: unknown): ReadCalls {
  const isBatch = batch === '1' || batch === 'true';
  const paths = isBatch ? names.split(',') : [names];
  if (paths.length > MOST_CALLS) throw invalidInput(`batch: must be at most ${MOST_CALLS} calls`);
  if (!isBatch) return { isBatch, calls: [{ path: names, input: () => plainInput(input) }] };
  if (input !== undefined && !isObject(input)) {
    throw invalidInput('input: must be an object, with an input for each call');
  }
  const inputs = new Map(Object.entries(input ?? {}));
  const calls = paths.map((path, at) => ({ path, input: () => plainInput(inputs.get(String(at))) }));
  return { isBatch, calls };
}
