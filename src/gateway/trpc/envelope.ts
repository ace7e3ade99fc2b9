import { Readable } from 'node:stream';
import { MIB } from '../../kernel/domain/bytes.js';
import { ERROR_STATUS, type ErrorCode, type Issue } from '../../kernel/errors/service-error.js';
import { streamedBody, type Write } from '../../events/search/answer/streamed-body.js';

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
