import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { isOfAnyEvent, isOfEvent } from './file-paths.js';
import { IS_LASTING } from './unnamed-hours.js';

/** The files that a write of one event names. */
export interface FileUse {
  readonly eventId: Uuid;
  /** `sub` of whoever writes. */
  readonly writer: string;
  readonly paths: readonly string[];
  /** Those that the event has named before. */
  readonly named: () => readonly string[];
}

/** An upload that may be named, locked until the end of the transaction. */
interface Nameable {
  readonly path: string;
  readonly uploader: string;
  namedBy: Uuid | null;
}

/**
 * Which files a record may name (F-1): those among its own, those that it has named before, and uploads of whoever
 * writes, for no record, that none has named. With the rest of a write, it is recorded which event names which uploads,
 * so that they stay.
 */
export class FileNaming {
  private readonly added: { readonly path: string; readonly eventId: Uuid }[] = [];

  private constructor(private readonly uploads: ReadonlyMap<string, Nameable>) {}

  /** Locks the uploads that the writes of a transaction name; no statement if they name no file. */
  static async of(transaction: Queryable, uses: readonly FileUse[]): Promise<FileNaming> {
    const paths = [...new Set(uses.flatMap((use) => use.paths))];
    if (paths.length === 0) return new FileNaming(new Map());
    const rows = await transaction.query<Nameable>(sql`
      select path, uploader, named_by as "namedBy" from upload
       where path = any (${paths}::text[]) and removing_since is null and ${IS_LASTING} order by path for update`);
    return new FileNaming(new Map(rows.map((row) => [row.path, row])));
  }

  /** Throws 400 for the first file that the record may not name, as for one that does not exist. */
  admit({ eventId, writer, paths, named }: FileUse): void {
    const before = new Set(paths.length === 0 ? [] : named());
    const missing = paths.find((path) => !before.has(path) && !this.mayName(path, eventId, writer));
    if (missing !== undefined) throw new ServiceError('BAD_REQUEST', `File not found: ${missing}`);
    for (const path of paths) {
      const upload = this.uploads.get(path);
      if (upload?.namedBy !== null || !this.mayName(path, eventId, writer)) continue;
      upload.namedBy = eventId;
      this.added.push({ path, eventId });
    }
  }

  /** Records it; the events exist by now. */
  async write(transaction: Queryable): Promise<void> {
    if (this.added.length > 0) await nameUploads(transaction, this.added);
  }

  private mayName(path: string, eventId: Uuid, writer: string): boolean {
    const upload = this.uploads.get(path);
    if (upload === undefined) return false;
    if (isOfEvent(path, eventId) || upload.namedBy === eventId) return true;
    // Two records could name what is among the own of one, and only one of them would keep it.
    return !isOfAnyEvent(path) && upload.namedBy === null && upload.uploader === writer;
  }
}

/**
 * The same for records that arrive from outside, whose files may be anywhere: nothing is refused, and those among their
 * own files that are here are recorded as named.
 */
export async function nameOwnFiles(
  transaction: Queryable,
  uses: readonly Pick<FileUse, 'eventId' | 'paths'>[],
): Promise<void> {
  const own = uses.flatMap(({ eventId, paths }) =>
    paths.filter((path) => isOfEvent(path, eventId)).map((path) => ({ path, eventId })),
  );
  if (own.length > 0) await nameUploads(transaction, own);
}

/** In the order of paths, as `FileNaming` locks them. */
async function nameUploads(
  transaction: Queryable,
  names: readonly { readonly path: string; readonly eventId: Uuid }[],
): Promise<void> {
  await transaction.query(sql`
    with locked as (
      select upload.id, new.event_id
        from upload
        join unnest(${names.map(({ path }) => path)}::text[], ${names.map(({ eventId }) => eventId)}::uuid[])
             as new (path, event_id) using (path)
       where removing_since is null and named_by is null order by path for update of upload)
    update upload set named_by = locked.event_id from locked where upload.id = locked.id`);
}
