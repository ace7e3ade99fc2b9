import { createHash } from 'node:crypto';

import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from './builders/a-uuid.js';
import type { TestDatabase } from './postgres.js';

interface UploadFacts {
  readonly uploader: string;
  readonly eventId: Uuid | null;
  readonly hoursAgo: number;
  /** False for one that is still arriving. */
  readonly isWhole: boolean;
  readonly bytes: number;
  readonly type: string;
}

/** A row of an upload, without its file; an id and a path of its own. */
export async function anUpload(
  { database }: TestDatabase,
  facts: Partial<UploadFacts> = {},
): Promise<{ readonly id: Uuid; readonly path: string }> {
  const { uploader = 'hospital', eventId = null, hoursAgo = 0, isWhole = true, bytes = 3, type = 'image/png' } = facts;
  const id = aUuid();
  const path = `${eventId === null ? 'uploads/somebody' : `events/${eventId}`}/tx-${id}.png`;
  const sha256 = createHash('sha256').update(id).digest();
  await database.query(
    isWhole
      ? sql`insert into upload (id, uploader, path, event_id, transaction_id, type, bytes, sha256, created_at)
            values (${id}, ${uploader}, ${path}, ${eventId}, ${`tx-${id}`}, ${type}, ${bytes}, ${sha256},
                    now() - make_interval(hours => ${hoursAgo}))`
      : sql`insert into upload (id, uploader, created_at)
            values (${id}, ${uploader}, now() - make_interval(hours => ${hoursAgo}))`,
  );
  return { id, path };
}

/** Which events name uploads, by their path. */
export async function namesOf({ database }: TestDatabase): Promise<Readonly<Record<string, Uuid | null>>> {
  const rows = await database.query<{ path: string; namedBy: Uuid | null }>(
    sql`select path, named_by as "namedBy" from upload where path is not null`,
  );
  return Object.fromEntries(rows.map(({ path, namedBy }) => [path, namedBy]));
}
