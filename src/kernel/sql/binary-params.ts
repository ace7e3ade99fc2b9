import { KIB } from '../domain/bytes.js';
import { Sql } from './sql.js';

/** `text`, in every PostgreSQL catalogue. */
const TEXT_OID = 25;
const HEADER = 20;
const EMPTY_HEADER = 12;
const LENGTH = 4;
const NULL_LENGTH = -1;
/** A UTF-16 unit takes at most three bytes. */
const MOST_BYTES_OF_UNIT = 3;
/** A shorter text is copied as fast as it is encoded. */
const LONG = 1_000;

/**
 * Lists and long texts become bytes, which need no escaping or parsing. A list becomes `text[]` and must be cast where
 * it stands: `$1::uuid[]` becomes `$1::text[]::uuid[]`.
 */
export function sentInBinary(statement: Sql): Sql {
  const { text, params } = statement.toQuery();
  const strings = text.split(/\$\d+/);
  const holes = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => params[Number(number) - 1]);
  const casts = strings.map((string, at) => (Array.isArray(holes[at - 1]) ? `::text[]${string}` : string));
  const encoded = new Map(params.map((param) => [param, inBytes(param)]));
  return Sql.of(
    casts,
    holes.map((hole) => encoded.get(hole)),
  );
}

function inBytes(param: unknown): unknown {
  if (Array.isArray(param)) return binaryTexts(param.map(textOf));
  return typeof param === 'string' && param.length > LONG ? new Uint8Array(new TextEncoder().encode(param)) : param;
}

function textOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      if (value === null || value === undefined) return null;
      throw new TypeError('not a value of a list of texts');
  }
}

let scratch: Buffer = Buffer.allocUnsafeSlow(64 * KIB);

/** The binary notation of an array, in memory of its own. */
function binaryTexts(texts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  let end = HEADER;
  let hasNull = false;
  for (const text of texts) {
    const most = end + LENGTH + (text === null ? 0 : text.length * MOST_BYTES_OF_UNIT);
    if (most > scratch.length) scratch = grown(most);
    const length = text === null ? NULL_LENGTH : scratch.write(text, end + LENGTH);
    hasNull ||= text === null;
    scratch.writeInt32BE(length, end);
    end += LENGTH + Math.max(0, length);
  }
  const [dimensions, lowerBound] = [texts.length === 0 ? 0 : 1, 1];
  for (const [at, word] of [dimensions, Number(hasNull), TEXT_OID, texts.length, lowerBound].entries()) {
    scratch.writeInt32BE(word, at * LENGTH);
  }
  const bytes = new Uint8Array(texts.length === 0 ? EMPTY_HEADER : end);
  bytes.set(scratch.subarray(0, bytes.length));
  return bytes;
}

function grown(least: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(2 * least);
  scratch.copy(larger);
  return larger;
}
