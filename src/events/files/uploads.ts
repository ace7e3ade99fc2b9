import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import {
  ATTACHMENT_TYPES,
  type AttachmentType,
  attachmentTypeOf,
  extensionOf,
  HEAD_BYTES,
} from '../../kernel/domain/attachment-type.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { SENDING_PACE } from '../../platform/dto/accepts.js';
import { IS_LASTING, UNNAMED_HOURS } from './file-naming.js';

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

/** A complete upload. */
export interface StoredUpload {
  /** Id in the store. */
  readonly id: Uuid;
  /** Referred to by declarations: `events/{id}/{transactionId}.{ext}`. */
  readonly path: string;
  readonly uploader: string;
  /** The event in its path; null without one. */
  readonly eventId: Uuid | null;
  readonly type: AttachmentType;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly namedBy: Uuid | null;
}

export interface Settlement extends FileFacts {
  readonly path: string;
  readonly uploader: string;
  readonly eventId: Uuid | null;
  readonly transactionId: string;
}

const COLUMNS = sql`id, path, uploader, event_id as "eventId", type, bytes::int as bytes, sha256, named_by as "namedBy"`;

/** Margin for the store, beyond the slowest client. */
const STORE_HOURS = 1;
/** Then another process may retry the removal. */
const REMOVAL_MINUTES = 10;
const MOST_AT_A_TIME = 100;
/** Summing so many takes some tens of milliseconds. */
const MOST_UNNAMED = 100_000;

@Injectable()
export class Uploads {
  private readonly arrivalHours: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ATTACHMENT_LIMIT_BYTES' | 'UNNAMED_UPLOAD_BYTES'>,
  ) {
    // By then even the slowest upload has ended.
    const slowestHours = config.ATTACHMENT_LIMIT_BYTES / SENDING_PACE.leastBytesPerSecond / 3_600;
    this.arrivalHours = STORE_HOURS + Math.ceil(slowestHours);
  }

  /** Call it before writing to the store, for leftovers of a crash. Throws 413 as `settle`. */
  async begin(id: Uuid, uploader: string): Promise<void> {
    await this.requireRoom(this.database, uploader, 1);
    await this.database.query(sql`insert into upload (id, uploader) values (${id}, ${uploader})`);
  }

  /**
   * Makes a complete upload known; named if an event from outside already names it. Fails with `23505` for a known path
   * or transaction, 413 beyond the uploader's unnamed limit (F-2), 503 if the row is lost or being removed.
   */
  async settle(transaction: Queryable, id: Uuid, upload: Settlement): Promise<void> {
    const { path, eventId, transactionId, type, bytes, sha256 } = upload;
    const namedBy = eventId !== null && (await isNamedBy(transaction, eventId, path)) ? eventId : null;
    if (namedBy === null) {
      const one = sql`hashtext('matricula.uploads'), hashtext(${upload.uploader})`;
      await transaction.query(sql`select pg_advisory_xact_lock(${one})`);
      await this.requireRoom(transaction, upload.uploader, bytes);
    }
    const settled = await transaction.query(sql`
      update upload set path = ${path}, event_id = ${eventId}, transaction_id = ${transactionId}, type = ${type},
             bytes = ${bytes}, sha256 = ${sha256}, named_by = ${namedBy}
       where id = ${id} and removing_since is null returning id`);
    if (settled.length === 0) throw new ServiceError('SERVICE_UNAVAILABLE', 'The upload was lost; send it again');
  }

  private async requireRoom(reader: Queryable, uploader: string, bytes: number): Promise<void> {
    const [held] = await reader.query<{ readonly bytes: number; readonly files: number }>(sql`
      select coalesce(sum(bytes), 0)::float8 as bytes, count(*)::int as files from upload
       where uploader = ${uploader} and named_by is null and removing_since is null`);
    const most = this.config.UNNAMED_UPLOAD_BYTES;
    if (held === undefined || (held.bytes + bytes <= most && held.files <= MOST_UNNAMED)) return;
    const message = `file: uploads that no record names may have ${most} bytes together (UNNAMED_UPLOAD_BYTES), in ${MOST_UNNAMED} files`;
    throw new ServiceError('PAYLOAD_TOO_LARGE', 'Request body is too large', { issues: [{ message }] });
  }

  /** By path, or this uploader's transaction. If unnamed, its 24 hours restart; once over, it is given up. */
  async findAgain({ path, uploader, transactionId }: Settlement): Promise<StoredUpload | undefined> {
    const isSame = sql`removing_since is null and path is not null
      and (path = ${path} or (uploader = ${uploader} and transaction_id = ${transactionId}))`;
    const found = await this.database.query<StoredUpload>(sql`
      with over as (update upload set removing_since = now() where ${isSame} and not ${IS_LASTING})
      update upload set created_at = case when named_by is null then now() else created_at end
       where ${isSame} and ${IS_LASTING}
      returning ${COLUMNS}`);
    return found.find((one) => one.uploader === uploader) ?? found[0];
  }

  /** Named files whose paths end in `/{fileId}`; at most two. */
  async namedBy(eventId: Uuid, fileId: string): Promise<readonly StoredUpload[]> {
    return this.database.query<StoredUpload>(sql`
      select ${COLUMNS} from upload where named_by = ${eventId} and right(path, ${fileId.length + 1}) = ${`/${fileId}`}
       order by event_id is null, path limit 2`);
  }

  async under(path: string): Promise<StoredUpload | undefined> {
    const [found] = await this.database.query<StoredUpload>(
      sql`select ${COLUMNS} from upload where path = ${path} and removing_since is null`,
    );
    return found;
  }

  async find(id: Uuid): Promise<StoredUpload | undefined> {
    const [found] = await this.database.query<StoredUpload>(
      sql`select ${COLUMNS} from upload where id = ${id} and path is not null and removing_since is null`,
    );
    return found;
  }

  /** Prevents settling; settled uploads stay. Returns whether the file may be deleted, also if the row is lost. */
  async giveUp(id: Uuid): Promise<boolean> {
    const given = await this.database.query(
      sql`update upload set removing_since = now() where id = ${id} and path is null returning id`,
    );
    if (given.length > 0) return true;
    const known = await this.database.query(sql`select id from upload where id = ${id}`);
    return known.length === 0;
  }

  /**
   * Gives up uploads unnamed for `UNNAMED_HOURS`, and interrupted ones, in batches, one process at a time. Unfinished
   * removals come last, so that they block no others.
   */
  async giveUpUnnamed(): Promise<readonly Uuid[]> {
    return this.database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ readonly isOurs: boolean }>(
        sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.uploads}::bigint) as "isOurs"`,
      );
      if (lock?.isOurs !== true) return [];
      const rows = await transaction.query<{ readonly id: Uuid }>(sql`
        update upload set removing_since = now() where id in (
          select id from upload
           where named_by is null
             and created_at < now() - make_interval(hours => case when path is null then ${this.arrivalHours}::int else ${UNNAMED_HOURS}::int end)
             and (removing_since is null or removing_since < now() - make_interval(mins => ${REMOVAL_MINUTES}::int))
           order by removing_since nulls first, created_at limit ${MOST_AT_A_TIME} for update skip locked)
        returning id`);
      return rows.map(({ id }) => id);
    });
  }

  /** Call it after deleting the file. */
  async forget(id: Uuid): Promise<void> {
    await this.database.query(
      sql`delete from upload where id = ${id} and named_by is null and removing_since is not null`,
    );
  }
}

/**
 * Searches the stored text without reading the event. With the lock, a concurrent writer finds the upload, or is found
 * here.
 */
async function isNamedBy(transaction: Queryable, eventId: Uuid, path: string): Promise<boolean> {
  const [event] = await transaction.query<{ readonly seq: string }>(
    sql`select seq from event where id = ${eventId} for no key update`,
  );
  if (event === undefined) return false;
  const { seq } = event;
  const member = `"path":${JSON.stringify(path)}`;
  const [found] = await transaction.query<{ readonly isNamed: boolean }>(sql`
    select exists (
      select from (select imported from event where seq = ${seq}
                   union all select body from event_document where seq = ${seq}
                   union all select actions from event_history where event_seq = ${seq}) stored (text)
       where strpos(text, ${member}) > 0) as "isNamed"`);
  return found?.isNamed === true;
}
