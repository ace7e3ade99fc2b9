import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { KIB } from '../../kernel/domain/bytes.js';
import { Faults } from '../../kernel/errors/faults.js';
import { invalidInput } from '../../kernel/errors/invalid-input.js';
import { memberPath } from '../../kernel/errors/issue-path.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type AttachmentFields, FIELD_NAMES, fieldsOf } from './attachment-fields.js';

/** More than a form of ours has, so that everything in excess is named. */
const MOST_PARTS = 16;
/**
 * So much is parsed at a time: a part may have seven bytes, and costs as much as thousands of a file. More pieces would
 * make files slower.
 */
const PIECE_BYTES = 4 * KIB;
/** The longest value of a field; no right one is as long. */
const FIELD_BYTES = KIB;

interface FormBody {
  readonly body: Readable;
  /** With the boundary of its parts. */
  readonly contentType: string;
  readonly limitBytes: number;
}

/**
 * Reads a form with one file, while it arrives: `take` gets the file as a stream, whatever comes before or after it.
 * When anything else is wrong, `take` has been called or not, and what it kept is to be thrown away. Throws 400 with
 * every fault of the form, or those up to the part that is one too many, 413 for a file past the limit, or the failure
 * of `take` or of the body.
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
      // Whoever reads it gets the error; nobody has to.
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
  // The failure of either becomes that of the other.
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
    // What it kept can be thrown away once it keeps nothing more.
    await taken?.catch(() => undefined);
    throw reason;
  }
}

/** The body in small pieces, until it is over: the parser would go through the rest of it, part by part. */
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
