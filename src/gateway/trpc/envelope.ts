import { Readable } from 'node:stream';
import { streamedBody, type Write } from '../../events/search/answer/streamed-body.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ERROR_STATUS, type ErrorCode, type Issue, type ServiceError } from '../../kernel/errors/service-error.js';
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

/** JSON text, or a piece of it; `Pieces` are made while sent. */
export type Text = string | Buffer | Readable | Pieces;
type Pieces = AsyncIterable<string>;

const isInPieces = (text: Text): text is Pieces =>
  !(typeof text === 'string' || text instanceof Buffer || text instanceof Readable);

export type Outcome =
  | { readonly kind: 'done'; readonly json: Text }
  | {
      readonly kind: 'failed';
      readonly path: string;
      readonly code: ErrorCode;
      readonly message: string;
      readonly issues: readonly Issue[];
    };

/** The codes of tRPC 11: a name, and a number of JSON-RPC 2.0. */
const CODES: Readonly<Record<ErrorCode, readonly [name: string, number: number]>> = {
  BAD_REQUEST: ['BAD_REQUEST', -32600],
  UNAUTHORIZED: ['UNAUTHORIZED', -32001],
  FORBIDDEN: ['FORBIDDEN', -32003],
  NOT_FOUND: ['NOT_FOUND', -32004],
  METHOD_NOT_ALLOWED: ['METHOD_NOT_SUPPORTED', -32005],
  CONFLICT: ['CONFLICT', -32009],
  PAYLOAD_TOO_LARGE: ['PAYLOAD_TOO_LARGE', -32013],
  UNSUPPORTED_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', -32015],
  UNPROCESSABLE_CONTENT: ['UNPROCESSABLE_CONTENT', -32022],
  TOO_MANY_REQUESTS: ['TOO_MANY_REQUESTS', -32029],
  INTERNAL_SERVER_ERROR: ['INTERNAL_SERVER_ERROR', -32603],
  SERVICE_UNAVAILABLE: ['SERVICE_UNAVAILABLE', -32603],
};

/** For a batch with different statuses. */
const MIXED_STATUS = 207;

export function statusOf(outcomes: readonly Outcome[]): number {
  const statuses = new Set(outcomes.map((one) => (one.kind === 'done' ? 200 : ERROR_STATUS[one.code])));
  const [only = 200] = statuses;
  return statuses.size > 1 ? MIXED_STATUS : only;
}

/** Longer answers are streamed: joining them would block the process. */
const MOST_WHOLE = MIB;

/** The receiver, and who is told of an abort. */
type Taker = Pick<Parameters<typeof streamedBody>[0], 'signal' | 'onBroken'>;

/** JSON text, streamed if long, part by part, with the memory of one. */
export async function envelopeOf(
  outcomes: readonly Outcome[],
  isBatch: boolean,
  taker: Taker,
): Promise<Buffer | Readable> {
  const parts = outcomes.flatMap((outcome, at) => [...(at === 0 ? [] : [',']), ...partsOf(outcome)]);
  const all = isBatch ? ['[', ...parts, ']'] : parts;
  if (all.some(isInPieces)) {
    return streamedBody({ ...taker, produce: (write) => writeParts(all, write) });
  }
  const whole = all.filter((part): part is string | Buffer => typeof part === 'string' || part instanceof Buffer);
  const isShort = whole.length === all.length && whole.reduce((sum, { length }) => sum + length, 0) <= MOST_WHOLE;
  if (isShort) return Buffer.concat(whole.map((part) => Buffer.from(part)));
  return Readable.from(oneAfterAnother(all), { objectMode: false });
}

/** Short parts join the next piece: nothing is sent before it exists. */
async function writeParts(parts: readonly Text[], write: Write): Promise<void> {
  let short = '';
  for (const part of parts) {
    if (typeof part === 'string') short += part;
    else {
      for await (const chunk of part instanceof Buffer ? [part] : part) {
        const piece = Buffer.from(chunk as string | Buffer);
        await write(short === '' ? piece : Buffer.concat([Buffer.from(short), piece]));
        short = '';
      }
    }
  }
  await write(short);
}

const partsOf = (outcome: Outcome): readonly Text[] =>
  outcome.kind === 'done' ? ['{"result":{"data":{"json":', outcome.json, '}}}'] : [JSON.stringify(errorOf(outcome))];

export function errorOf({ path, code, message, issues }: Extract<Outcome, { kind: 'failed' }>): object {
  const [name, number] = CODES[code];
  const data = { code: name, httpStatus: ERROR_STATUS[code], path, ...(issues.length > 0 && { issues }) };
  return { error: { json: { message, code: number, data } } };
}

async function* oneAfterAnother(parts: readonly Text[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (typeof part === 'string' || part instanceof Buffer) yield Buffer.from(part);
    else for await (const chunk of part) yield Buffer.from(chunk as string | Buffer);
  }
}
