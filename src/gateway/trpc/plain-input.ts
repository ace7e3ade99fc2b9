import { invalidInput } from '../../kernel/errors/faults.js';
import type { ServiceError } from '../../kernel/errors/service-error.js';
import { isObject } from '../../kernel/input/checks.js';

/**
 * Plain JSON of a superjson envelope, whose `json` is changed in place: undefined members are absent, dates are texts.
 * Refuses other types, and references, which could expand without end.
 */
export function plainInput(envelope: unknown): unknown {
  if (envelope === undefined || envelope === null) return undefined;
  if (!isObject(envelope) || !Object.hasOwn(envelope, 'json')) throw invalidInput('input: must be {"json": …}');
  const { json, meta } = envelope;
  const values = isObject(meta) ? meta['values'] : undefined;
  if (values === undefined) return json;
  if (isPlainType(values)) return plainValue(json, values);
  if (!isObject(values)) throw invalidInput(ONLY_PLAIN_TYPES);
  const types = Object.entries(values);
  if (types.length > MOST_TYPES) throw invalidInput(ONLY_PLAIN_TYPES);
  for (const [path, type] of types) {
    if (!isPlainType(type)) throw invalidInput(ONLY_PLAIN_TYPES);
    putPlainValue(json, keysIn(path), type);
  }
  return json;
}

type PlainType = readonly ['Date' | 'undefined'];

const ONLY_PLAIN_TYPES = 'input: may name no types in its "meta" but Date and undefined, and at most 2000';
/** As many as one operation may declare. */
const MOST_TYPES = 2_000;

const isPlainType = (type: unknown): type is PlainType =>
  Array.isArray(type) && type.length === 1 && (type[0] === 'Date' || type[0] === 'undefined');

/** Null for an invalid date, as in JSON. */
function plainValue(value: unknown, [type]: PlainType): unknown {
  if (type === 'undefined') return undefined;
  // Other types would need their own methods.
  if (typeof value !== 'string' && typeof value !== 'number') throw unfit();
  return new Date(value).toJSON();
}

/** Dots separate keys; a backslash escapes dots and backslashes. */
function keysIn(path: string): readonly string[] {
  const keys: string[] = [];
  let from = 0;
  for (let at = 0; at <= path.length; at += 1) {
    const char = path[at];
    if (char === '\\') {
      at += 1;
      if (path[at] !== '\\' && path[at] !== '.') throw unfit();
    } else if (char === '.' || char === undefined) {
      keys.push(path.slice(from, at).replace(/\\(.)/g, '$1'));
      from = at + 1;
    }
  }
  return keys;
}

/** Absent members stay absent; list items cannot be undefined. */
function putPlainValue(json: unknown, keys: readonly string[], type: PlainType): void {
  const parent = keys.slice(0, -1).reduce(ownMember, json);
  const last = keys.at(-1) ?? '';
  if (Array.isArray(parent)) {
    const at = indexIn(parent, last);
    parent[at] = plainValue(parent[at], type) ?? null;
  } else if (!isObject(parent)) throw unfit();
  else if (type[0] === 'undefined') Reflect.deleteProperty(parent, last);
  else if (Object.hasOwn(parent, last)) Reflect.set(parent, last, plainValue(parent[last], type));
}

function ownMember(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent[indexIn(parent, key)];
  return isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function indexIn(list: readonly unknown[], key: string): number {
  const at = Number(key);
  if (!Object.hasOwn(list, at)) throw unfit();
  return at;
}

const unfit = (): ServiceError => invalidInput('input: has a "meta" that does not fit its "json"');
