import { Inject, Injectable } from '@nestjs/common';
import { SENDING_PACE } from '../../platform/openapi/accepts.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import { Database } from '../../platform/database/pools/database.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { AttachmentType } from '../../kernel/domain/attachment-type.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { IS_LASTING, UNNAMED_HOURS } from './unnamed-hours.js';
import type { FileFacts } from './received-file.js';

/** An attachment that has arrived whole. */
export interface StoredUpload {
  /** Its name in the store. */
  readonly id: Uuid;
  /** What declarations name it by: `events/{id}/{transactionId}.{ext}`. */
  readonly path: string;
  readonly uploader: string;
  /** The event whose files it is among; null if it was uploaded without one. */
  readonly eventId: Uuid | null;
  readonly type: AttachmentType;
  readonly bytes: number;
  readonly sha256: Buffer;
  /** The event that names it. */
  readonly namedBy: Uuid | null;
}

/** Who uploads what, under which path. */
export interface Settlement extends FileFacts {
  readonly path: string;
  readonly uploader: string;
  readonly eventId: Uuid | null;
  readonly transactionId: string;
}

const COLUMNS = sql`id, path, uploader, event_id as "eventId", type, bytes::int as bytes, sha256, named_by as "namedBy"`;

/** What the store may take beyond the slowest client. */
const STORE_HOURS = 1;
/** After that another process may try to remove what one has begun to. */
const REMOVAL_MINUTES = 10;
const MOST_AT_A_TIME = 100;
/** However small they are: so many are added up in some tens of milliseconds. */
const MOST_UNNAMED = 100_000;

/** The table of uploads. */
@Injectable()
export class Uploads {
  private readonly arrivalHours: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ATTACHMENT_LIMIT_BYTES' | 'UNNAMED_UPLOAD_BYTES'>,
  ) {
    // An upload that broke off is not going on any more by then, however slow it was.
    const slowestHours = config.ATTACHMENT_LIMIT_BYTES / SENDING_PACE.leastBytesPerSecond / 3_600;
    this.arrivalHours = STORE_HOURS + Math.ceil(slowestHours);
  }

  /**
   * To be called before anything is written to the store, so that whatever a crash leaves there is found. Throws 413 as
   * `settle` does.
   */
  async begin(id: Uuid, uploader: string): Promise<void> {
    await this.requireRoom(this.database, uploader, 1);
    await this.database.query(sql`insert into upload (id, uploader) values (${id}, ${uploader})`);
  }

  /**
   * Makes an upload that has arrived whole known, and named where its event came from outside and names it already;
   * fails with `23505` if its path or its transaction is known, with 413 if what the uploader has that no record names
   * would be too much with it (F-2), and with 503 if its row is gone or about to go: after
   * a failover to a standby that has not got it, or when it was taken for broken off.
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

  /**
   * The upload under the same path, or by the same transaction of the same uploader; if no event names it yet, its 24
   * hours begin anew. One whose 24 hours are over is given up.
   */
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

  /** The files that the event names, whose paths end in `/{fileId}`: two of them where there are more than one. */
  async namedBy(eventId: Uuid, fileId: string): Promise<readonly StoredUpload[]> {
    return this.database.query<StoredUpload>(sql`
      select ${COLUMNS} from upload where named_by = ${eventId} and right(path, ${fileId.length + 1}) = ${`/${fileId}`}
       order by event_id is null, path limit 2`);
  }

  /** The file under a path. */
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

  /**
   * From here on it cannot be made known; what is known already stays. Whether its file may go: also where its row is
   * gone, as the database was replaced.
   */
  async giveUp(id: Uuid): Promise<boolean> {
    const given = await this.database.query(
      sql`update upload set removing_since = now() where id = ${id} and path is null returning id`,
    );
    if (given.length > 0) return true;
    const known = await this.database.query(sql`select id from upload where id = ${id}`);
    return known.length === 0;
  }

  /**
   * Gives up uploads that no event has named within `UNNAMED_HOURS`, and those that broke off; some at a time, by one
   * process at a time. Also returns those whose removal has not been finished, after all that were not tried yet:
   * however many cannot be removed, they keep no others.
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

  /** After its file is gone from the store. */
  async forget(id: Uuid): Promise<void> {
    await this.database.query(
      sql`delete from upload where id = ${id} and named_by is null and removing_since is not null`,
    );
  }
}

/**
 * Whether some value of the event has this path, as those of files do. The database looks for it in the stored text:
 * the event is not read. It is locked: whoever writes it now either finds the upload or is found here.
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
