import { invalidInput } from '../../kernel/errors/invalid-input.js';
import { isObject } from '../../kernel/input/is-object.js';
import { plainInput } from './plain-input.js';

/** Per request. */
const MOST_CALLS = 20;

/** A procedure, and its input or the input's fault. */
export interface ReadCall {
  readonly path: string;
  readonly input: () => unknown;
}

/** The calls, and whether the answer is a list. */
export interface ReadCalls {
  readonly isBatch: boolean;
  readonly calls: readonly ReadCall[];
}

/**
 * As of tRPC 11: `names` from the address, `input` parsed. Throws 400 for too many calls, or an `input` that is no
 * object.
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
