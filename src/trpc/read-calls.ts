import superjson from 'superjson';

import { INVALID_INPUT } from '../errors/faults.js';
import { ServiceError } from '../errors/service-error.js';
import { isObject } from '../input/members.js';

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
 * of the query string or the body. Throws 400 for a batch of too many calls, or without the marks of one.
 */
export function readCalls(names: string, batch: unknown, input: unknown): ReadCalls {
  const isBatch = batch === '1' || batch === 'true';
  const paths = isBatch ? names.split(',') : [names];
  if (paths.length > MOST_CALLS) throw invalid(`batch: must be at most ${MOST_CALLS} calls`);
  if (!isBatch) return { isBatch, calls: [{ path: names, input: () => plainInput(input) }] };
  if (input !== undefined && !isObject(input)) throw invalid('input: must be an object, with an input for each call');
  const inputs = new Map(Object.entries(input ?? {}));
  const calls = paths.map((path, at) => ({ path, input: () => plainInput(inputs.get(String(at))) }));
  return { isBatch, calls };
}

/**
 * The input in a superjson envelope, as plain JSON: what the envelope says to be undefined is absent, a date is its
 * text. Other types are none of an input's.
 */
function plainInput(envelope: unknown): unknown {
  if (envelope === undefined || envelope === null) return undefined;
  if (!isObject(envelope) || !Object.hasOwn(envelope, 'json')) throw invalid('input: must be {"json": …}');
  const { json, meta } = envelope;
  if (!isObject(meta) || meta['values'] === undefined) return json;
  if (!namesPlainTypes(meta['values'])) throw invalid(ONLY_PLAIN_TYPES);
  try {
    // Not its equal references: they could make a small text endless.
    const read: unknown = superjson.deserialize({
      json: json as never,
      meta: { values: meta['values'] as never, v: 1 },
    });
    const text = JSON.stringify(read) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    throw invalid('input: has a "meta" that does not fit its "json"');
  }
}

/**
 * Types whose values take no more room and time than their text. Others do: a typed array is as long as a number says,
 * and a set is searched from its beginning for each of its members.
 */
const PLAIN_TYPES: readonly unknown[] = ['Date', 'undefined'];

const ONLY_PLAIN_TYPES = 'input: may name no types in its "meta" but Date and undefined, and at most 2000';
/** As many as one operation may declare: each takes some microseconds. */
const MOST_TYPES = 2_000;

function namesPlainTypes(values: unknown): boolean {
  if (!isObject(values)) return isPlainType(values);
  const types = Object.values(values);
  return types.length <= MOST_TYPES && types.every(isPlainType);
}

const isPlainType = (annotation: unknown): boolean =>
  Array.isArray(annotation) && annotation.length === 1 && PLAIN_TYPES.includes(annotation[0]);

const invalid = (message: string): ServiceError =>
  new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues: [{ message }] });
