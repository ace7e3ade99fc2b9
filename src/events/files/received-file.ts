import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  ATTACHMENT_TYPES,
  type AttachmentType,
  attachmentTypeOf,
  extensionOf,
  HEAD_BYTES,
} from '../../kernel/domain/attachment-type.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

/** Known after the last byte. */
export interface FileFacts {
  readonly type: AttachmentType;
  readonly bytes: number;
  readonly sha256: Buffer;
}

/** The type is known before storing, the facts at the end. */
export class ReceivedFile {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  private constructor(
    readonly type: AttachmentType,
    private readonly head: readonly Buffer[],
    private readonly rest: AsyncIterator<Buffer>,
  ) {}

  /** Throws 415 for a type not `accepted`, 400 for an empty file. */
  static async begin(part: Readable, accepted: readonly string[]): Promise<ReceivedFile> {
    const rest = (part as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const head: Buffer[] = [];
    for (let length = 0; length < HEAD_BYTES;) {
      const next = await rest.next();
      if (next.done === true) break;
      head.push(next.value);
      length += next.value.length;
    }
    if (head.length === 0) throw invalidInput(EMPTY);
    const type = attachmentTypeOf(Buffer.concat(head));
    if (type === undefined || !accepted.includes(type)) throw wrongType(accepted);
    return new ReceivedFile(type, head, rest);
  }

  /** Can be read once. */
  async *content(): AsyncGenerator<Buffer> {
    for (const chunk of this.head) yield this.counted(chunk);
    for (let next = await this.rest.next(); next.done !== true; next = await this.rest.next()) {
      yield this.counted(next.value);
    }
  }

  facts(): FileFacts {
    return { type: this.type, bytes: this.bytes, sha256: this.hash.digest() };
  }

  private counted(chunk: Buffer): Buffer {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    return chunk;
  }
}

const EMPTY = 'file: must not be empty';

const wrongType = (accepted: readonly string[]): ServiceError => {
  const names = ATTACHMENT_TYPES.filter((type) => accepted.includes(type)).map((type) =>
    extensionOf(type).toUpperCase(),
  );
  return new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'Media type is not supported', {
    issues: [{ message: `file: must be one of ${names.join(', ')} by its content, whatever its name says` }],
  });
};
