import { setImmediate } from 'node:timers/promises';
import type { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { MAY_IDLE } from '../../../platform/database/connection/session-settings.js';
import type { Database } from '../../../platform/database/pools/database.js';
import { derivedSnapshot } from '../../index/derived-snapshot.js';
import { readTerms } from '../../index/terms/terms.js';
import { linesIn } from '../../index/values/document.js';
import type { Derivation } from '../../records/event-change.js';
import { SEARCH_COLUMNS } from '../../records/record-row.js';
import { jsonList, LIVE_TABLES, type NumberedRow, searchRows } from '../../records/store/insert-rows.js';
import { eventBatches, type EventRow, everyEvent } from '../event-batches.js';
import { derivedRow } from '../row-maker.js';
import { BitmapCheck } from './bitmap-check.js';
import { type Difference, Differences } from './differences.js';
import { MissingVocabulary } from './missing-vocabulary.js';

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
    const vocabulary = new MissingVocabulary(reader);
    const bitmaps = await BitmapCheck.begin(reader, differences);
    let events = 0;
    await reader.query(BY_INDEX);
    for await (const batch of eventBatches(reader, everyEvent())) {
      await compare(reader, batch, { configuration, terms, differences, vocabulary, bitmaps });
      events += batch.length;
      onProgress(events, counted?.total ?? 0);
    }
    await bitmaps.finish();
    await findStrays(reader, differences);
    return { events, differences: differences.all };
  });

/** The cost must not depend on the size of the tables. */
const BY_INDEX = sql`select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`;
const AS_PLANNED = sql`select set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true)`;

interface Checks extends Derivation {
  readonly differences: Differences;
  readonly vocabulary: MissingVocabulary;
  readonly bitmaps: BitmapCheck;
}

async function compare(reader: Queryable, events: readonly EventRow[], checks: Checks): Promise<void> {
  const { differences, vocabulary, bitmaps } = checks;
  const rows = await derive(events, checks);
  const ids = new Map(events.map(({ seq, id }) => [seq, id]));
  const add = (kind: string, seq: string): void => {
    differences.add(kind, ids.get(seq) ?? `seq ${seq}`);
  };
  for (const { seq, columns } of await differingSearchColumns(reader, rows)) for (const kind of columns) add(kind, seq);
  for (const { seq, columns } of await differingFacts(reader, rows)) for (const kind of columns) add(kind, seq);
  for (const { seq, table } of await vocabulary.among(rows)) add(table, seq);
  const bySeq = new Map(rows.map(({ seq, row }) => [seq, row]));
  for (const { seq, body } of events) {
    const row = bySeq.get(seq);
    if (body === null) add('event_document: no row', seq);
    else if (row !== undefined && row.body !== body) add('event_document.body', seq);
    await bitmaps.add(seq, row);
  }
}

/** The rows of the events with a readable record. */
async function derive(
  events: readonly EventRow[],
  { configuration, terms, differences }: Checks,
): Promise<readonly NumberedRow[]> {
  const rows: NumberedRow[] = [];
  for (const [at, event] of events.entries()) {
    try {
      const row = await derivedRow(event, { configuration, terms });
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
