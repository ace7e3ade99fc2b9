import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { KIB } from '../../kernel/domain/bytes.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { Faults, invalidInput, memberPath } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

const FIELD_NAMES = ['transactionId', 'eventId', 'path'] as const;

interface AttachmentFields {
  readonly transactionId: string;
  /** Undefined if not given. */
  readonly eventId: Uuid | undefined;
}

/** Becomes a path segment, therefore without special characters. */
const TRANSACTION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Releases before 2.1 send it in place of `eventId`. */
const PATH = /^\/?(?:events\/)?([^/]+)\/?$/;

/** Undefined after faults. */
function fieldsOf(texts: ReadonlyMap<string, string>, faults: Faults): AttachmentFields | undefined {
  const transactionId = texts.get('transactionId');
  if (transactionId === undefined) faults.add('transactionId', 'is required');
  else if (!TRANSACTION_ID.test(transactionId)) {
    faults.add('transactionId', 'must be 1 to 128 letters, digits, ".", "_" or "-", and begin with a letter or digit');
  }
  const [eventId, path] = [texts.get('eventId'), texts.get('path')];
  const ofEventId = parseUuid(eventId);
  const ofPath = parseUuid(PATH.exec(path ?? '')?.[1]);
  if (eventId !== undefined && ofEventId === undefined) faults.add('eventId', 'must be a UUID');
  if (path !== undefined && ofPath === undefined) faults.add('path', 'must be events/ and the id of the event');
  if (ofEventId !== undefined && ofPath !== undefined && ofEventId !== ofPath) {
    faults.add('path', 'must name the same event as eventId');
  }
  if (transactionId === undefined || !faults.none) return undefined;
  return { transactionId, eventId: ofEventId ?? ofPath };
}

/** Above the form's parts, so that surplus ones are named. */
const MOST_PARTS = 16;
/** Parser input size: a part of seven bytes costs as much as thousands of a file; smaller pieces would slow files. */
const PIECE_BYTES = 4 * KIB;
/** Longer than any valid field. */
const FIELD_BYTES = KIB;

interface FormBody {
  readonly body: Readable;
  /** Includes the boundary. */
  readonly contentType: string;
  readonly limitBytes: number;
}

/**
 * Parses a form with one file as it arrives; `take` gets the file as a stream. After other faults, discard what it
 * stored. Throws 400 with every fault up to the part limit, 413 for a large file, or the failure of `take` or the body.
 */
export async function readAttachmentForm<T>(
  { body, contentType, limitBytes }: FormBody,
  take: (file: Readable) => Promise<T>,
): Promise<{ readonly fields: AttachmentFields; readonly file: T }> {
  const parser = parserOf(contentType, limitBytes);
  const faults = new Faults();
  const texts = new Map<string, string>();
  const parts: Readable[] = [];
  let taken: Promise<T> | undefined;
  let excess: ServiceError | undefined;
  const failed = new Promise<never>((_, reject) => {
    parser.on('field', (name: string, value: string, _nameIsCut: boolean, valueIsCut: boolean) => {
      if (name === 'file') faults.add('file', 'must be a file: the part has no file name');
      else if (!FIELD_NAMES.some((known) => known === name)) faults.add(pathOf(name), UNKNOWN);
      else if (texts.has(name)) faults.add(name, TWICE);
      else texts.set(name, valueIsCut ? '' : value);
    });
    parser.on('file', (name: string, part: Readable) => {
      // The reader, if any, gets the error.
      part.on('error', () => undefined);
      parts.push(part);
      if (name === 'file' && taken === undefined) {
        part.once('limit', () => part.destroy(tooLarge(limitBytes)));
        taken = take(part);
        taken.catch(reject);
        return;
      }
      const isField = FIELD_NAMES.some((known) => known === name);
      faults.add(pathOf(name), name === 'file' ? TWICE : isField ? 'must be text, without a file name' : UNKNOWN);
      part.resume();
    });
    parser.on('partsLimit', () => {
      faults.add('', `must have at most ${MOST_PARTS} parts`);
      excess = faults.toError();
      reject(excess);
    });
  });
  failed.catch(() => undefined);
  // The first failure of body or parser becomes that of the other.
  const first = { ofBody: false, ofParser: false };
  body.once('error', () => (first.ofBody = !first.ofParser));
  parser.once('error', () => (first.ofParser = !first.ofBody));
  try {
    await Promise.race([
      pipeline(
        piecesOf(body, () => excess !== undefined),
        parser,
      ),
      failed,
    ]);
    const fields = fieldsOf(texts, faults);
    if (taken === undefined && !faults.issues.some(isOfFile)) faults.add('file', 'is required');
    const file = await taken;
    faults.throwIfAny();
    if (fields === undefined || file === undefined) throw new Error('a form without faults has its fields and a file');
    return { fields, file };
  } catch (error) {
    const reason = excess ?? (first.ofParser ? malformed(error) : error);
    for (const part of parts) part.destroy(reason instanceof Error ? reason : undefined);
    body.destroy();
    // Its data can be discarded once it has finished.
    await taken?.catch(() => undefined);
    throw reason;
  }
}

/** Stops early: the parser would otherwise process the rest, part by part. */
async function* piecesOf(body: Readable, isOver: () => boolean): AsyncGenerator<Buffer> {
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length && !isOver(); at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
    if (isOver()) return;
  }
}

const UNKNOWN = `is unknown: a form has ${FIELD_NAMES.join(', ')} and file`;
const TWICE = 'is given more than once';

const pathOf = (name: string | undefined): string => memberPath('', (name ?? '').slice(0, 100));
const isOfFile = ({ message }: { readonly message: string }): boolean => message.startsWith('file: ');

function parserOf(contentType: string, limitBytes: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: MOST_PARTS,
        fieldSize: FIELD_BYTES,
        fileSize: limitBytes,
        headerPairs: 20,
        headerSize: 8_192,
      },
    });
  } catch (error) {
    throw malformed(error);
  }
}

const malformed = (cause: unknown): ServiceError =>
  invalidInput('body: must be multipart/form-data with a boundary, and whole', { cause });

const tooLarge = (limitBytes: number): ServiceError =>
  new ServiceError('PAYLOAD_TOO_LARGE', 'Request body is too large', {
    issues: [{ message: `file: must have at most ${limitBytes} bytes` }],
  });
