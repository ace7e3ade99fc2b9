import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { markChanged, markCreated } from '../../index/mark-dirty.js';
import { together } from '../../../platform/database/connection/together.js';
import {
  type EventVocabulary,
  type PathIds,
  pathIdsOf,
  vocabularyInsertions,
} from '../../index/terms/write-vocabulary.js';
import { type Admission, writeTerms } from '../../index/terms/write-terms.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { isOneOf } from '../../../kernel/sql/is-one-of.js';
import { oneStatement } from '../../../kernel/sql/one-statement.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { EventChange } from '../event-change.js';
import { eventActionView } from '../event-document-view.js';
import type { RecordRow } from '../record-row.js';
import { insertionsOf, LIVE_TABLES } from './insert-rows.js';
import { jsonList } from './json-list.js';

/** A change whose event has its `seq`. */
export type Numbered = EventChange & { readonly seq: string };

/** Changes whose events are written, and the ids of the paths of their vocabulary. */
export interface WrittenEvents {
  readonly changes: readonly Numbered[];
  readonly pathIds: PathIds;
}

/** Writes the changes of any number of events with a handful of statements, which are sent at two times. */
export async function writeChanges(transaction: Queryable, changes: readonly EventChange[]): Promise<void> {
  await writeContents(transaction, await writeEvents(transaction, changes));
}

/**
 * One statement that creates events of which none exists, and everything that is derived from them except the terms of
 * their vocabulary: see `writeTerms`. It violates a unique constraint if one does exist, or has the tracking id or the
 * registration number of another. `knownPaths` is added to.
 */
export async function creationStatement(
  database: Queryable,
  changes: readonly Numbered[],
  knownPaths: Map<string, number>,
): Promise<Sql | undefined> {
  const derived = changes.filter(hasRow);
  const pathIds = await pathIdsOf(
    database,
    derived.map(({ row }) => row.vocabulary),
    knownPaths,
  );
  for (const [name, id] of pathIds) knownPaths.set(name, id);
  return oneStatement([
    ...createdEvents(changes),
    ...appendedActions(changes),
    ...insertionsOf(LIVE_TABLES, derived),
    ...listed(derived),
    ...(await vocabularyInsertions(database, derived.map(vocabularyOf), pathIds)),
  ]);
}

/**
 * The first half: the events themselves. `knownPaths`: ids of paths that need not be looked up, and may be forgotten
 * meanwhile.
 */
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

interface Contents {
  /** Insertions, which may refer to the events. */
  readonly more: readonly Sql[];
  /** Of the terms of their vocabulary. */
  readonly admit?: Admission;
}

/**
 * The second half, with one statement and another one if there are new terms: their actions, everything that is derived
 * from them, and `more`.
 */
export async function writeContents(
  transaction: Queryable,
  { changes, pathIds }: WrittenEvents,
  { more, admit }: Contents = { more: [] },
): Promise<void> {
  const derived = changes.filter(hasRow);
  const vocabularies = derived.map(vocabularyOf);
  const statement = oneStatement([
    ...appendedActions(changes),
    ...insertionsOf(LIVE_TABLES, derived),
    ...listed(derived.filter(({ hadRows }) => !hadRows)),
    ...more,
    ...(await vocabularyInsertions(transaction, vocabularies, pathIds)),
  ]);
  await together(
    statement && transaction.query(statement),
    writeTerms(
      transaction,
      derived.flatMap(({ row }) => row.vocabulary.terms),
      admit,
    ),
  );
}

type Derived = Numbered & { readonly row: RecordRow };

const hasRow = (change: Numbered): change is Derived => change.row !== undefined;

const vocabularyOf = ({ seq, row, hadRows }: Derived): EventVocabulary => ({
  seq,
  isNew: !hadRows,
  vocabulary: row.vocabulary,
});

/**
 * Reading an event leaves its own row alone, unless that is the first action of an imported one: from then on its row
 * keeps the record to which its actions apply.
 */
const isEventChanged = ({ row, newActions, knownActions, imported }: EventChange): boolean =>
  row !== undefined ||
  (imported !== undefined && knownActions.length === 0) ||
  newActions.some(({ type }) => type !== 'READ');

/** With `seq`s that they were given; in the order of the ids, as `insertEvents`. */
const createdEvents = (changes: readonly Numbered[]): readonly Sql[] =>
  changes.length === 0
    ? []
    : [
        sql`
      insert into event (${EVENT_COLUMNS}, seq) overriding system value
      select * from unnest(${eventValues(changes)}, ${changes.map(({ seq }) => seq)}::bigint[])
          as new (${EVENT_COLUMNS}, seq)
       order by id`,
      ];

async function insertEvents(transaction: Queryable, changes: readonly EventChange[]): Promise<readonly Numbered[]> {
  if (changes.length === 0) return [];
  // In the order of the ids, the order in which rows are locked: see lockStoredEvents.
  const rows = await transaction.query<{ id: Uuid; seq: string }>(sql`
    insert into event (${EVENT_COLUMNS})
    select * from unnest(${eventValues(changes)}) as new (${EVENT_COLUMNS})
     order by id
    returning id, seq`);
  // In the order of seq from here on, so that the tables and primary keys on it only grow at their ends: a key that is
  // inserted in the middle splits pages, and leaves them two thirds full.
  const byId = new Map(changes.map((change) => [change.record.id, change]));
  return rows.flatMap(({ id, seq }) => {
    const change = byId.get(id);
    return change === undefined ? [] : [{ ...change, seq }];
  });
}

const EVENT_COLUMNS = sql`id, type, tracking_id, created_at, updated_at, is_draft`;

/** A list for each of `EVENT_COLUMNS`. */
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

/** Derived rows are replaced: nearly every column and every index entry changes anyway. */
async function removeRows(transaction: Queryable, changes: readonly Derived[]): Promise<void> {
  if (changes.length === 0) return;
  const seqs = changes.map((change) => change.seq);
  // Terms of areas come with the new row, so they are reported as gone: the final row is what counts.
  await together(
    transaction.query(
      markChanged(sql`
        delete from event_search as old
         using unnest(${seqs}::bigint[], ${changes.map(({ row }) => row.terms)}::text[]) as new (seq, terms)
         where old.seq = new.seq returning old.seq, old.terms as had, new.terms::bigint[] as has, old.updated_at`),
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
