import { Injectable } from '@nestjs/common';

import { ADVISORY_LOCKS } from '../database/advisory-locks.js';
import { Database } from '../database/pools/database.js';
import type { Queryable } from '../database/queryable.js';
import type { AttachmentType } from '../domain/attachment-type.js';
import type { Uuid } from '../domain/uuid.js';
import { sql } from '../sql/sql.js';
import type { FileFacts } from './upload/received-file.js';

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

/** An upload that broke off is not going on any more by then, however slow it was. */
const ARRIVAL_HOURS = 2;
/** After that another process may try to remove what one has begun to. */
const REMOVAL_MINUTES = 10;
const MOST_AT_A_TIME = 100;

/** The table of uploads. */
@Injectable()
export class Uploads {
  constructor(private readonly database: Database) {}

  /** To be called before anything is written to the store, so that whatever a crash leaves there is found. */
  async begin(id: Uuid, uploader: string): Promise<void> {
    await this.database.query(sql`insert into upload (id, uploader) values (${id}, ${uploader})`);
  }

  /** Makes an upload that has arrived whole known; fails with `23505` if its path or its transaction is known. */
  async settle(transaction: Queryable, id: Uuid, upload: Settlement): Promise<void> {
    const { path, eventId, transactionId, type, bytes, sha256 } = upload;
    await transaction.query(sql`
      update upload set path = ${path}, event_id = ${eventId}, transaction_id = ${transactionId}, type = ${type},
             bytes = ${bytes}, sha256 = ${sha256} where id = ${id}`);
  }

  /**
   * The upload under the same path, or by the same transaction of the same uploader; if no event names it yet, its 24
   * hours begin anew.
   */
  async findAgain({ path, uploader, transactionId }: Settlement): Promise<StoredUpload | undefined> {
    const found = await this.database.query<StoredUpload>(sql`
      update upload set created_at = case when named_by is null then now() else created_at end
       where removing_since is null and path is not null
         and (path = ${path} or (uploader = ${uploader} and transaction_id = ${transactionId}))
      returning ${COLUMNS}`);
    return found.find((one) => one.uploader === uploader) ?? found[0];
  }

  /** The file that the event names, whose path ends in `/{fileId}`. */
  async namedBy(eventId: Uuid, fileId: string): Promise<StoredUpload | undefined> {
    const [found] = await this.database.query<StoredUpload>(sql`
      select ${COLUMNS} from upload where named_by = ${eventId} and right(path, ${fileId.length + 1}) = ${`/${fileId}`}
       order by event_id is null, path limit 1`);
    return found;
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

  /** From here on nobody finds it, and no event can name it; what one names already stays. */
  async giveUp(id: Uuid): Promise<void> {
    await this.database.query(sql`update upload set removing_since = now() where id = ${id} and named_by is null`);
  }

  /**
   * Gives up uploads that no event has named within `hours`, and those that broke off; some at a time, by one process
   * at a time. Also returns those whose removal another process has not finished.
   */
  async giveUpUnnamed(hours: number): Promise<readonly Uuid[]> {
    return this.database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ readonly isOurs: boolean }>(
        sql`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.uploads}::bigint) as "isOurs"`,
      );
      if (lock?.isOurs !== true) return [];
      const rows = await transaction.query<{ readonly id: Uuid }>(sql`
        update upload set removing_since = now() where id in (
          select id from upload
           where named_by is null
             and created_at < now() - make_interval(hours => case when path is null then ${ARRIVAL_HOURS}::int else ${hours}::int end)
             and (removing_since is null or removing_since < now() - make_interval(mins => ${REMOVAL_MINUTES}::int))
           order by created_at limit ${MOST_AT_A_TIME} for update skip locked)
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
