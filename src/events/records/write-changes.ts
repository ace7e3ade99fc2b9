import type { Uuid } from '../../kernel/domain/uuid.js';
import { isOneOf, oneStatement, Sql, sql } from '../../kernel/sql/sql.js';
import { ADVISORY_LOCKS } from '../../platform/database/connection/advisory-locks.js';
import { type Queryable, together } from '../../platform/database/connection/queryable.js';
import { markChanged, markCreated, PLACES_OF_ROW } from '../index/mark-dirty.js';
import { type PathIds, pathIdsOf, vocabularyInsertions } from '../index/terms/write-vocabulary.js';
import { documentOf } from '../index/values/document.js';
import type { EventChange } from './event-change.js';
import { eventActionView } from './history-bounds.js';
import { type RecordRow, SEARCH_COLUMNS } from './record-row.js';
import type { StoredEvent } from './stored-events.js';

const SEPARATOR = '\u001e';

/** Joined by a control character, which JSON escapes; array notation would need escaped quotes. */
export const jsonList = (texts: readonly string[]): Sql =>
  sql`string_to_array(${texts.join(SEPARATOR)}::text, ${SEPARATOR}::text)`;

/** The derived tables, or copies of them. */
export interface DerivedTables {
  readonly search: Sql;
  readonly documents: Sql;
}

export const LIVE_TABLES: DerivedTables = { search: sql`event_search`, documents: sql`event_document` };

export interface NumberedRow {
  readonly seq: string;
  readonly row: RecordRow;
}

/** For `oneStatement`; the tables must have no rows of these events. */
export function insertionsOf({ search, documents }: DerivedTables, rows: readonly NumberedRow[]): readonly Sql[] {
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => seq);
  return [
    sql`insert into ${search} (seq, ${SEARCH_COLUMN_NAMES}) ${searchRows(rows, seqs)}`,
    sql`
      insert into ${documents} (seq, body)
      select * from unnest(${seqs}::bigint[], ${jsonList(rows.map(({ row }) => documentOf(row)))})`,
  ];
}

export function searchRows(rows: readonly NumberedRow[], seqs = rows.map(({ seq }) => seq)): Sql {
  const arrays = SEARCH_COLUMNS.map(({ sent, value }) => sql`${rows.map(({ row }) => value(row))}::${sent}`);
  return sql`select seq, ${Sql.join(STORED, ', ')}
      from unnest(${seqs}::bigint[], ${Sql.join(arrays, ', ')}) as new (seq, ${SEARCH_COLUMN_NAMES})`;
}

const SEARCH_COLUMN_NAMES = Sql.join(
  SEARCH_COLUMNS.map(({ name }) => name),
  ', ',
);

const STORED = SEARCH_COLUMNS.map(({ name, stored }) => (stored === undefined ? name : sql`${stored} as ${name}`));

export type Numbered = EventChange & { readonly seq: string };

export interface WrittenEvents {
  readonly changes: readonly Numbered[];
  readonly pathIds: PathIds;
}

/** A few statements in two round trips. */
export async function writeChanges(transaction: Queryable, changes: readonly EventChange[]): Promise<void> {
  await writeContents(transaction, await writeEvents(transaction, changes));
}

/** First half: the events. `knownPaths` caches path ids, which may be evicted meanwhile. */
export async function writeEvents(
  transaction: Queryable,
  changes: readonly EventChange[],
  knownPaths: PathIds = new Map(),
): Promise<WrittenEvents> {
  if (changes.length === 0) return { changes: [], pathIds: new Map() };
  const known = changes.filter((change): change is Numbered => change.seq !== undefined);
  const [created, , , pathIds] = await together(
    insertEvents(
      transaction,
      changes.filter((change) => change.seq === undefined),
    ),
    updateEvents(transaction, known.filter(isEventChanged)),
    removeRows(
      transaction,
      known.filter(hasRow).filter(({ hadRows }) => hadRows),
    ),
    pathIdsOf(
      transaction,
      changes.flatMap(({ row }) => row?.vocabulary ?? []),
      knownPaths,
    ),
  );
  return { changes: [...known, ...created], pathIds };
}

/** Second half: actions, derived rows and `more`, which refers to the events, in one statement. */
export async function writeContents(
  transaction: Queryable,
  { changes, pathIds }: WrittenEvents,
  more: readonly Sql[] = [],
): Promise<void> {
  const derived = changes.filter(hasRow);
  const vocabularies = derived.map(({ row }) => row.vocabulary);
  const statement = oneStatement([
    ...appendedActions(changes),
    ...insertionsOf(LIVE_TABLES, derived),
    ...listed(derived.filter(({ hadRows }) => !hadRows)),
    ...noted(derived),
    ...more,
    ...vocabularyInsertions(vocabularies, pathIds),
  ]);
  if (statement !== undefined) await transaction.query(statement);
}

type Derived = Numbered & { readonly row: RecordRow };

const hasRow = (change: Numbered): change is Derived => change.row !== undefined;

/** READ leaves the event row, except as the first action of an imported event, whose row keeps the record. */
const isEventChanged = ({ row, newActions, knownActions, imported }: EventChange): boolean =>
  row !== undefined ||
  (imported !== undefined && knownActions.length === 0) ||
  newActions.some(({ type }) => type !== 'READ');

async function insertEvents(transaction: Queryable, changes: readonly EventChange[]): Promise<readonly Numbered[]> {
  if (changes.length === 0) return [];
  // In order of id, as `lockStoredEvents` locks.
  const rows = await transaction.query<{ id: Uuid; seq: string }>(sql`
    insert into event (${EVENT_COLUMNS})
    select * from unnest(${eventValues(changes)}) as new (${EVENT_COLUMNS})
     order by id
    returning id, seq`);
  // In order of seq, so that tables and keys grow at their ends: other inserts split pages and leave them two thirds
  // full.
  const byId = new Map(changes.map((change) => [change.record.id, change]));
  return rows.flatMap(({ id, seq }) => {
    const change = byId.get(id);
    return change === undefined ? [] : [{ ...change, seq }];
  });
}

const EVENT_COLUMNS = sql`id, type, tracking_id, created_at, updated_at, is_draft`;

/** One list per column. */
function eventValues(changes: readonly EventChange[]): Sql {
  const records = changes.map((change) => change.record);
  return sql`
        ${records.map((record) => record.id)}::uuid[],
        ${records.map((record) => record.type)}::text[],
        ${records.map((record) => record.trackingId)}::text[],
        ${changes.map((change) => change.createdAt)}::timestamptz[],
        ${changes.map((change) => change.updatedAt)}::timestamptz[],
        ${changes.map((change) => change.isDraft)}::boolean[]`;
}

async function updateEvents(transaction: Queryable, changes: readonly Numbered[]): Promise<void> {
  if (changes.length === 0) return;
  const records = changes.map((change) => change.record);
  await transaction.query(sql`
    update event
       set type = new.type, tracking_id = new.tracking_id, created_at = new.created_at, updated_at = new.updated_at,
           imported = new.imported, imported_actions = new.imported_actions, is_draft = new.is_draft
      from unnest(
        ${changes.map((change) => change.seq)}::bigint[],
        ${records.map((record) => record.type)}::text[],
        ${records.map((record) => record.trackingId)}::text[],
        ${changes.map((change) => change.createdAt)}::timestamptz[],
        ${changes.map((change) => change.updatedAt)}::timestamptz[],
        ${changes.map((change) => change.imported?.body ?? null)}::text[],
        ${changes.map((change) => change.imported?.actions ?? 0)}::int[],
        ${changes.map((change) => change.isDraft)}::boolean[])
        as new (seq, type, tracking_id, created_at, updated_at, imported, imported_actions, is_draft)
     where event.seq = new.seq`);
}

const listed = (changes: readonly Numbered[]): readonly Sql[] =>
  changes.length === 0 ? [] : [markCreated(changes.map(({ seq }) => seq))];

/** For a reindex that runs: unless one holds the lock, the writer gets it, and a reindex waits for its commit. */
const noted = (changes: readonly Numbered[]): readonly Sql[] =>
  changes.length === 0
    ? []
    : [
        sql`insert into reindex_changed (seq) select * from unnest(${changes.map(({ seq }) => seq)}::bigint[]) as new (seq)
             where not (select pg_try_advisory_xact_lock_shared(${ADVISORY_LOCKS.listening}::bigint))`,
      ];

/** Rows are replaced, since nearly every column and index entry changes. */
async function removeRows(transaction: Queryable, changes: readonly Derived[]): Promise<void> {
  if (changes.length === 0) return;
  const seqs = changes.map((change) => change.seq);
  await together(
    transaction.query(
      markChanged(sql`
        delete from event_search as old
         using unnest(${seqs}::bigint[], ${changes.map(({ row }) => row.terms)}::text[]) as new (seq, terms)
         where old.seq = new.seq returning old.seq, old.terms as had, new.terms::bigint[] as has, ${PLACES_OF_ROW} as places`),
    ),
    transaction.query(sql`delete from event_document where ${isOneOf(sql`seq`, seqs, sql`bigint`)}`),
  );
}

function appendedActions(changes: readonly Numbered[]): readonly Sql[] {
  const grown = changes.filter(({ newActions }) => newActions.length > 0);
  if (grown.length === 0) return [];
  return [
    sql`
      insert into event_history (event_seq, position, actions)
      select * from unnest(
        ${grown.map(({ seq }) => seq)}::bigint[],
        ${grown.map(({ knownActions }) => knownActions.length)}::int[],
        ${jsonList(grown.map(({ newActions }) => JSON.stringify(newActions.map(eventActionView))))})`,
  ];
}

export async function deleteEvents(
  transaction: Queryable,
  events: readonly Pick<StoredEvent, 'seq' | 'id'>[],
): Promise<void> {
  if (events.length === 0) return;
  const seqs = events.map(({ seq }) => seq);
  await transaction.query(
    markChanged(sql`
      delete from event_search where seq = any (${seqs}::bigint[])
      returning seq, terms as had, '{}'::bigint[] as has, ${PLACES_OF_ROW} as places`),
  );
  await transaction.query(sql`delete from event where seq = any (${seqs}::bigint[])`);
  await transaction.query(
    sql`delete from performed_operation where event_id = any (${events.map(({ id }) => id)}::uuid[])`,
  );
}
