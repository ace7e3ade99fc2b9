import { setImmediate } from 'node:timers/promises';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { sql, Sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { MAY_IDLE } from '../../platform/database/connection/session-settings.js';
import type { Database } from '../../platform/database/pools/database.js';
import { bitsOfChunk, CHUNK, chunkOf, NO_BITS } from '../index/statistics/write-bitmaps.js';
import { derivedSnapshot } from '../index/derived-snapshot.js';
import { keysOfStored } from '../index/terms/near-words.js';
import { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { readTerms } from '../index/terms/terms.js';
import { nameOfPath, storedPathIds } from '../index/terms/write-vocabulary.js';
import { linesIn } from '../index/values/document.js';
import type { Derivation } from '../records/event-change.js';
import { SEARCH_COLUMNS } from '../records/record-row.js';
import { jsonList, LIVE_TABLES, type NumberedRow, searchRows } from '../records/write-changes.js';
import { eventBatches, type EventRow, everyEvent } from './event-batches.js';
import { derivedRow } from './row-writer.js';

export interface Difference {
  /** A column, or a table and a fault. */
  readonly kind: string;
  readonly count: number;
  /** The first ids; a `seq` without an event. */
  readonly events: readonly string[];
}

const NAMED_EVENTS = 10;

/** Counted by kind. */
class Differences {
  private readonly found = new Map<string, { count: number; readonly events: string[] }>();

  add(kind: string, event: string, times = 1): void {
    const difference = this.found.get(kind) ?? { count: 0, events: [] };
    this.found.set(kind, difference);
    difference.count += times;
    if (difference.events.length < NAMED_EVENTS) difference.events.push(event);
  }

  get all(): readonly Difference[] {
    return [...this.found].map(([kind, { count, events }]) => ({ kind, count, events }));
  }
}

/** Compares bitmaps with `event_search`, chunk by chunk. Marked records are skipped, as in searches. */
async function compareBitmaps(reader: Queryable, differences: Differences): Promise<void> {
  const [last] = await reader.query<{ chunk: number | null }>(
    sql`select greatest((select max(chunk) from bitmap_chunk), (select ${chunkOf(sql`max(seq)`)} from event_search)) as chunk`,
  );
  for (let chunk = 0; chunk <= (last?.chunk ?? -1); chunk++) {
    const differing = await reader.query<{ id: string }>(sql`
      with differing as (
        select distinct ${chunk}::bigint * ${CHUNK} + position as seq
          from (select coalesce(live.bits, ${NO_BITS}) # coalesce(must.bits, ${NO_BITS}) as bits
                  from (select term, bits from bitmap_chunk where chunk = ${chunk}::int) as live
                       full join (${bitsOfChunk(chunk)}) as must using (term)) as compared,
               generate_series(0, ${CHUNK} - 1) as position
         where bits <> ${NO_BITS} and get_bit(bits, position) = 1)
      select coalesce(event.id::text, 'seq ' || seq) as id from differing left join event using (seq)
       where seq not in (select seq from bitmap_dirty) order by seq`);
    for (const { id } of differing) differences.add('bitmap_chunk', id);
  }
}

type Table = 'fuzzy_word' | 'fuzzy_key' | 'data_shape';

/** For `looked (seq, number, text)`: scalars, which use the index. */
const IS_MISSING: Readonly<Record<Table, Sql>> = {
  fuzzy_word: sql`(select true from fuzzy_word where path_id = looked.number::int and word = looked.text) is null`,
  fuzzy_key: sql`(select true from fuzzy_key where key = looked.number::int and word = looked.text) is null`,
  data_shape: sql`(select true from data_shape where path_id = looked.number::int and aspect = looked.text) is null`,
};

/** The records with vocabulary that is not stored; that of the others is known afterwards. */
async function lackingVocabulary(
  reader: Queryable,
  rows: readonly NumberedRow[],
  known: KnownVocabulary,
): Promise<readonly { readonly seq: string; readonly table: string }[]> {
  const pathIds = await storedPathIds(
    reader,
    rows.map(({ row }) => row.vocabulary),
  );
  const entries = rows.flatMap(({ seq, row }) =>
    row.vocabulary.paths.flatMap((at) => {
      // No path has the id 0.
      const number = pathIds.get(nameOfPath(at)) ?? 0;
      return [
        ...[...at.words].map((text) => ({ table: 'fuzzy_word', seq, number, text })),
        ...[...at.words].flatMap((text) =>
          keysOfStored(text).map((key) => ({ table: 'fuzzy_key', seq, number: key, text })),
        ),
        ...[...at.aspects].map((text) => ({ table: 'data_shape', seq, number, text })),
      ];
    }),
  );
  const lacking: { readonly seq: string; readonly table: string }[] = [];
  for (const [table, isMissing] of Object.entries(IS_MISSING)) {
    const looked = entries.filter((entry) => entry.table === table);
    const found = await reader.query<{ seq: string }>(sql`
      select distinct seq
        from unnest(${looked.map(({ seq }) => seq)}::bigint[], ${looked.map(({ number }) => String(number))}::bigint[],
                    ${looked.map(({ text }) => text)}::text[]) as looked (seq, number, text)
       where ${isMissing}`);
    lacking.push(...found.map(({ seq }) => ({ seq, table })));
  }
  const incomplete = new Set(lacking.map(({ seq }) => seq));
  for (const { seq, row } of rows) if (!incomplete.has(seq)) known.add(row.vocabulary);
  return lacking;
}

interface Differing {
  readonly seq: string;
  /** As `table.column`, or `table: no row`. */
  readonly columns: readonly string[];
}

const differingSearchColumns = (reader: Queryable, rows: readonly NumberedRow[]): Promise<Differing[]> =>
  reader.query(sql`
    select seq, columns
      from (select seq, case when live.seq is null then array['event_search: no row']
                             else array_remove(array[${Sql.join(SEARCH_CASES, ', ')}], null) end as columns
              from (${searchRows(rows)}) as must left join ${LIVE_TABLES.search} as live using (seq)) as compared
     where columns <> '{}'`);

/** A list of one empty text counts as an empty list. */
const differingFacts = (reader: Queryable, rows: readonly NumberedRow[]): Promise<Differing[]> =>
  reader.query(sql`
    select seq, array['event_document.body: facts'] as columns
      from unnest(${rows.map(({ seq }) => seq)}::bigint[], ${jsonList(rows.map(({ row }) => row.facts))})
             as must (seq, facts) join ${LIVE_TABLES.documents} as live using (seq)
     where ${linesIn(sql`live.body`)} <> coalesce(must.facts, '')`);

const inOrder = (terms: Sql): Sql => sql`array(select distinct t from unnest(${terms}) t order by t)`;

const SEARCH_CASES = SEARCH_COLUMNS.map(({ name }) => {
  const label = sql`${`event_search.${name.toQuery().text}`}::text`;
  return name.toQuery().text === 'terms'
    ? sql`case when live.terms <> must.terms and ${inOrder(sql`live.terms`)} <> ${inOrder(sql`must.terms`)} then ${label} end`
    : sql`case when live.${name} is distinct from must.${name} then ${label} end`;
});

export interface CheckResult {
  readonly events: number;
  /** Empty: derived data agrees with the records. */
  readonly differences: readonly Difference[];
}

/** Events derived before other work gets its turn. */
const EVENTS_PER_TURN = 8;

/**
 * Compares rows, vocabulary and bitmaps with the records. One snapshot and constant memory; others may write
 * meanwhile.
 */
export const checkDerived = (
  database: Database,
  configuration: EventConfiguration,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<CheckResult> =>
  derivedSnapshot(database, async (reader) => {
    await reader.query(MAY_IDLE);
    const [counted] = await reader.query<{ total: number }>(
      sql`select count(*)::int as total from event where not is_draft`,
    );
    const differences = new Differences();
    const terms = await readTerms(reader);
    const known = new KnownVocabulary();
    let events = 0;
    await reader.query(BY_INDEX);
    for await (const batch of eventBatches(reader, everyEvent())) {
      await compare(reader, batch, { configuration, terms, known, differences });
      events += batch.length;
      onProgress(events, counted?.total ?? 0);
    }
    await findStrays(reader, differences);
    await compareBitmaps(reader, differences);
    return { events, differences: differences.all };
  });

/** The cost must not depend on the size of the tables. */
const BY_INDEX = sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;
const AS_PLANNED = sql`select set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)`;

interface Checks extends Derivation {
  readonly known: KnownVocabulary;
  readonly differences: Differences;
}

async function compare(reader: Queryable, events: readonly EventRow[], checks: Checks): Promise<void> {
  const { differences, known } = checks;
  const rows = await derive(events, checks);
  const ids = new Map(events.map(({ seq, id }) => [seq, id]));
  const add = (kind: string, seq: string): void => {
    differences.add(kind, ids.get(seq) ?? `seq ${seq}`);
  };
  for (const { seq, columns } of await differingSearchColumns(reader, rows)) for (const kind of columns) add(kind, seq);
  for (const { seq, columns } of await differingFacts(reader, rows)) for (const kind of columns) add(kind, seq);
  for (const { seq, table } of await lackingVocabulary(reader, rows, known)) add(table, seq);
  const bySeq = new Map(rows.map(({ seq, row }) => [seq, row]));
  for (const { seq, body } of events) {
    const row = bySeq.get(seq);
    if (body === null) add('event_document: no row', seq);
    else if (row !== undefined && row.body !== body) add('event_document.body', seq);
  }
}

/** The rows of the events with a readable record. */
async function derive(
  events: readonly EventRow[],
  { configuration, terms, known, differences }: Checks,
): Promise<readonly NumberedRow[]> {
  const rows: NumberedRow[] = [];
  for (const [at, event] of events.entries()) {
    try {
      const row = await derivedRow(event, { configuration, terms, known });
      rows.push({ seq: event.seq, row });
      const { id, type, trackingId } = row.record;
      if (id !== event.id || type !== event.type || trackingId !== event.trackingId) differences.add('event', event.id);
    } catch {
      differences.add('event: cannot be read', event.id);
    }
    if (at % EVENTS_PER_TURN === 0) await setImmediate();
  }
  return rows;
}

/** Rows of missing events, or of drafts. */
async function findStrays(reader: Queryable, differences: Differences): Promise<void> {
  await reader.query(AS_PLANNED);
  const strays = await reader.query<{ table: string; seq: string }>(sql`
    select 'event_search' as table, seq from event_search where not exists (select from event where event.seq = event_search.seq and not is_draft)
     union all
    select 'event_document', seq from event_document where not exists (select from event where event.seq = event_document.seq and not is_draft)`);
  for (const { table, seq } of strays) differences.add(`${table}: no event`, `seq ${seq}`);
}
