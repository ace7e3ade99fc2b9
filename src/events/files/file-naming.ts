import type { EventAction } from '../../kernel/domain/event-action.js';
import { isFileValue } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { StoredHistory } from '../records/stored-events.js';

/** Distinct, at any depth. */
export function filePathsOf(values: unknown): readonly string[] {
  const found = new Set<string>();
  const open: unknown[] = [values];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isFileValue(value)) found.add(value.path);
    for (const member of Object.values(value) as readonly unknown[]) if (typeof member === 'object') open.push(member);
  }
  return [...found].sort();
}

/** Including the declaration of an imported record. */
export const filePathsOfActions = (
  actions: readonly Pick<EventAction, 'declaration' | 'annotation' | 'content'>[],
  recorded?: unknown,
): readonly string[] =>
  filePathsOf([
    valuesOf(recorded),
    ...actions.map(({ declaration, annotation, content }) => [valuesOf(declaration), valuesOf(annotation), content]),
  ]);

/** Without field ids, which may also be `path` or `type`. */
const valuesOf = (fields: unknown): readonly unknown[] => Object.values(fields ?? {});

/** All files that a stored event has named (F-1). */
export const filePathsOfHistory = ({
  actions,
  imported,
}: Pick<StoredHistory, 'actions' | 'imported'>): readonly string[] =>
  filePathsOfActions(actions, imported && (JSON.parse(imported.body) as { declaration?: unknown }).declaration);

export const isOfEvent = (path: string, eventId: Uuid): boolean => path.startsWith(`events/${eventId}/`);

const isOfAnyEvent = (path: string): boolean => path.startsWith('events/');

/** Age at which unnamed uploads are deleted (F-2). */
export const UNNAMED_HOURS = 24;

/**
 * Condition on `upload`: named, or still nameable. Older files may be gone even if a restored or promoted database does
 * not know.
 */
export const IS_LASTING: Sql = sql`
  (named_by is not null or created_at > now() - make_interval(hours => ${UNNAMED_HOURS}::int))`;

export interface FileUse {
  readonly eventId: Uuid;
  /** `sub` of the writer. */
  readonly writer: string;
  readonly paths: readonly string[];
  readonly named: () => readonly string[];
}

interface Nameable {
  readonly path: string;
  readonly uploader: string;
  namedBy: Uuid | null;
}

/**
 * Files a record may name (F-1): its own, those it has named, and the writer's unnamed uploads without a record. Naming
 * keeps them.
 */
export class FileNaming {
  private readonly added: { readonly path: string; readonly eventId: Uuid }[] = [];

  private constructor(private readonly uploads: ReadonlyMap<string, Nameable>) {}

  /** No query if there are none. */
  static async of(transaction: Queryable, uses: readonly FileUse[]): Promise<FileNaming> {
    const paths = [...new Set(uses.flatMap((use) => use.paths))];
    if (paths.length === 0) return new FileNaming(new Map());
    const rows = await transaction.query<Nameable>(sql`
      select path, uploader, named_by as "namedBy" from upload
       where path = any (${paths}::text[]) and removing_since is null and ${IS_LASTING} order by path for update`);
    return new FileNaming(new Map(rows.map((row) => [row.path, row])));
  }

  /** Throws 400 for the first inadmissible file, as if missing. */
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

  /** Call it once the events exist. */
  async write(transaction: Queryable): Promise<void> {
    if (this.added.length > 0) await nameUploads(transaction, this.added);
  }

  private mayName(path: string, eventId: Uuid, writer: string): boolean {
    const upload = this.uploads.get(path);
    if (upload === undefined) return false;
    if (isOfEvent(path, eventId) || upload.namedBy === eventId) return true;
    // Another record's own file would be kept by only one of the two.
    return !isOfAnyEvent(path) && upload.namedBy === null && upload.uploader === writer;
  }
}

/** For records from outside, whose files may be anywhere: refuses nothing, names their own files here. */
export async function nameOwnFiles(
  transaction: Queryable,
  uses: readonly Pick<FileUse, 'eventId' | 'paths'>[],
): Promise<void> {
  const own = uses.flatMap(({ eventId, paths }) =>
    paths.filter((path) => isOfEvent(path, eventId)).map((path) => ({ path, eventId })),
  );
  if (own.length > 0) await nameUploads(transaction, own);
}

/** In order of path, as `FileNaming` locks them. */
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
