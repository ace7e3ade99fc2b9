import { isUtf8 } from 'node:buffer';
import { MIB } from '../domain/bytes.js';
import { invalidInput } from '../errors/faults.js';
import { GatheredBytes } from './gathered-bytes.js';
import type { BoundedFaults } from './input.js';
import { exactJson, repeatedKey } from './json.js';

/** At most; fewer where the first line is shorter. */
export const KIND_BYTES = 1_024;

const KINDS = {
  gzip: 'is compressed by gzip: unpack it first (gunzip)',
  zip: 'is a ZIP archive or a workbook: write what it holds as JSON in UTF-8',
  utf16: 'is UTF-16: write it in UTF-8 first (iconv -f UTF-16 -t UTF-8)',
  xml: 'is XML or HTML: write it as JSON in UTF-8',
  csv: 'is CSV: write each row as a JSON object',
  array: 'is a JSON array: write an item a line, without the brackets and the commas between them (jq -c ".[]")',
  object: 'is a JSON object over several lines: write it in one line (jq -c .)',
} as const;

/** By first bytes; undefined where it may be NDJSON. */
export function otherThanNdjson(head: Buffer): string | undefined {
  const kind = kindOf(head);
  return kind && KINDS[kind];
}

/** As `otherThanNdjson`, for one JSON value. */
export function otherThanJson(head: Buffer): string | undefined {
  const kind = kindOf(head);
  return kind === undefined || kind === 'array' || kind === 'object' ? undefined : KINDS[kind];
}

function kindOf(head: Buffer): keyof typeof KINDS | undefined {
  const [first, second] = head;
  if (first === 0x1f && second === 0x8b) return 'gzip';
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return 'zip';
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || first === 0 || second === 0) return 'utf16';
  const line = firstLine(head).trimEnd();
  if (line.startsWith('[')) return 'array';
  if (line.startsWith('<')) return 'xml';
  if (line === '{') return 'object';
  return /^[^{].*[,;\t]/.test(line) ? 'csv' : undefined;
}

/** A byte order mark counts as white space. */
const firstLine = (head: Buffer): string => head.toString('utf8', 0, KIND_BYTES).trimStart().split('\n', 1)[0] ?? '';

const hasFirstLine = (head: Buffer): boolean => head.toString('latin1').trimStart().includes('\n');

/** Records a fault for invalid JSON or a duplicate key, which parsing would ignore. */
export function valueOfLine({ text, fault }: Pick<NdjsonLine, 'text' | 'fault'>, faults: BoundedFaults): unknown {
  if (fault !== undefined) {
    faults.add('', fault);
    return undefined;
  }
  let value: unknown;
  try {
    value = exactJson(text);
  } catch (error) {
    faults.add('', `must be JSON${error instanceof SyntaxError ? ` (${error.message})` : ''}`);
    return undefined;
  }
  const repeated = repeatedKey(text);
  if (repeated !== undefined) faults.add(repeated, 'is given twice');
  return value;
}

/** In bytes: a line is read in one piece, like a request body (Q-1). */
const LONGEST = MIB;
/** Bytes kept of a longer line. */
const BEGINNING = 1_000;

const NEW_LINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Not blank; `number` counts from 1. */
export interface NdjsonLine {
  readonly number: number;
  /** Without its end; only the beginning if too long; U+FFFD for invalid UTF-8. */
  readonly text: string;
  /** Undefined if the line can be read. */
  readonly fault: string | undefined;
  /** Bytes of the source up to the end of the line. */
  readonly end: number;
}

/**
 * Lines per chunk, in memory bounded by a line's length. LF or CRLF ends a line; a leading byte order mark and blank
 * lines are skipped.
 */
export async function* ndjsonLines(
  source: AsyncIterable<Uint8Array>,
  longest = LONGEST,
): AsyncGenerator<readonly NdjsonLine[], void, undefined> {
  const splitter = new LineSplitter(longest);
  for await (const chunk of source) yield splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  yield splitter.end();
}

/**
 * Throws 400 for a file that is not NDJSON in UTF-8, naming its kind: a JSON array would look like rejected lines
 * (R-3).
 */
export async function ndjsonSource(source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const chunks = source[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while (head.length < KIND_BYTES && !hasFirstLine(head)) {
    const next = await chunks.next();
    if (next.done === true) break;
    begun.push(next.value);
    head = Buffer.concat([head, next.value.subarray(0, KIND_BYTES - head.length)]);
  }
  const kind = otherThanNdjson(head);
  if (kind === undefined) return following(begun, chunks);
  await chunks.return?.();
  throw invalidInput(`body: ${kind}`);
}

async function* following(begun: readonly Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* begun;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

class LineSplitter {
  private line = new GatheredBytes();
  private length = 0;
  private number = 1;
  private bytes = 0;

  constructor(private readonly longest: number) {}

  push(chunk: Buffer): readonly NdjsonLine[] {
    const lines: NdjsonLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, from)) {
      this.grow(chunk.subarray(from, at));
      this.bytes += 1;
      lines.push(...this.complete());
      from = at + 1;
    }
    this.grow(chunk.subarray(from));
    return lines;
  }

  /** The last line needs no end. */
  end(): readonly NdjsonLine[] {
    return this.length === 0 ? [] : this.complete();
  }

  private grow(part: Buffer): void {
    this.bytes += part.length;
    this.length += part.length;
    if (this.length <= this.longest) {
      this.line.add(part);
      return;
    }
    const kept = this.line.bytes.subarray(0, BEGINNING);
    this.line = new GatheredBytes();
    this.line.add(Buffer.concat([kept, part.subarray(0, BEGINNING - kept.length)]));
  }

  private complete(): readonly NdjsonLine[] {
    const whole = this.line.bytes;
    const tooLong = this.length > this.longest;
    const number = this.number;
    this.line = new GatheredBytes();
    this.length = 0;
    this.number += 1;

    const bytes = content(whole, number === 1);
    const text = bytes.toString('utf8');
    if (text.trim() === '') return [];
    const fault = tooLong
      ? `must not be longer than ${this.longest} bytes`
      : isUtf8(bytes)
        ? undefined
        : 'must be UTF-8';
    return [{ number, text, fault, end: this.bytes }];
  }
}

function content(line: Buffer, isFirst: boolean): Buffer {
  const marked = isFirst && line.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return line.subarray(marked ? BYTE_ORDER_MARK.length : 0, line.at(-1) === RETURN ? -1 : undefined);
}
