import { setImmediate } from 'node:timers/promises';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { sql, Sql } from '../../kernel/sql/sql.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { MAY_IDLE } from '../../platform/database/connection/session-settings.js';
import type { Database } from '../../platform/database/pools/database.js';
import { CHUNK_BITS, chunkOf, EVERY_TERM, NO_BITS, positionOf } from '../index/statistics/write-bitmaps.js';
import { derivedSnapshot } from '../index/derived-snapshot.js';
import { keysOfStored } from '../index/terms/near-words.js';
import { LOCATION_FIELDS, type LocationColumn } from '../index/searched-columns.js';
import { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { readTerms } from '../index/terms/terms.js';
import type { Vocabulary } from '../index/terms/vocabulary.js';
import { nameOfPath, type PathIds, storedPathIds } from '../index/terms/write-vocabulary.js';
import { linesIn } from '../index/values/document.js';
import type { Derivation } from '../records/event-change.js';
import { SEARCH_COLUMNS } from '../records/record-row.js';
import { jsonList, LIVE_TABLES, type NumberedRow, searchRows } from '../records/write-changes.js';
import { eventBatches, type EventRow, everyEvent } from './noted-changes.js';
import { derivedRow } from './row-maker.js';

export interface Difference {
  /** A column, or a table and a fault. */
  readonly kind: string;
  readonly count: number;
  /** The first ids; a `seq` without an event. */
  readonly events: readonly string[];
}

const NAMED_EVENTS = 10;

/** Counted by kind. */
export class Differences {
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

interface StoredBitmap {
  readonly term: string;
  readonly place_column: LocationColumn | null;
  readonly places: readonly string[] | null;
}

/** Compares bitmaps with the records, by chunk. Marked records are skipped, as in searches. */
export class BitmapCheck {
  private chunk = 0;
  /** By term, the required bitmap of the chunk. */
  private expected = new Map<string, Buffer>();
  private unknown: string[] = [];
  private readonly looked: number[] = [];

  private constructor(
    private readonly reader: Queryable,
    private readonly differences: Differences,
    private readonly bitmaps: ReadonlySet<string>,
    /** By column and place. */
    private readonly areas: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** All reads require one snapshot. */
  static async begin(reader: Queryable, differences: Differences): Promise<BitmapCheck> {
    const bitmaps = await reader.query<StoredBitmap>(sql`select term, place_column, places from bitmap`);
    const areas = new Map<string, string[]>();
    for (const { term, place_column: column, places } of bitmaps) {
      for (const place of places ?? []) {
        const key = `${column} ${place}`;
        areas.set(key, [...(areas.get(key) ?? []), term]);
      }
    }
    return new BitmapCheck(reader, differences, new Set(bitmaps.map(({ term }) => term)), areas);
  }

  /** By ascending `seq`; undefined rows are unknown. */
  async add(seq: string, row: NumberedRow['row'] | undefined): Promise<void> {
    const chunk = Math.floor(Number(seq) / CHUNK_BITS);
    if (chunk !== this.chunk) await this.compare();
    this.chunk = chunk;
    if (row === undefined) this.unknown.push(seq);
    else if (this.bitmaps.size > 0) {
      const ofAreas = LOCATION_FIELDS.flatMap(
        ({ column, read }) => this.areas.get(`${column} ${read(row.record)}`) ?? [],
      );
      const terms = [String(EVERY_TERM), ...ofAreas, ...row.terms.slice(1, -1).split(',')];
      for (const term of terms) this.set(term, Number(seq) % CHUNK_BITS);
    }
  }

  /** Compares the rest, including bits of missing events. */
  async finish(): Promise<void> {
    await this.compare();
    const others = await this.reader.query<{ chunk: number }>(
      sql`select distinct chunk from bitmap_chunk where chunk <> all (${this.looked}::int[]) order by chunk`,
    );
    for (const { chunk } of others) {
      this.chunk = chunk;
      await this.compare();
    }
  }

  private set(term: string, position: number): void {
    if (!this.bitmaps.has(term)) return;
    const bits = this.expected.get(term) ?? Buffer.alloc(CHUNK_BITS / 8);
    this.expected.set(term, bits);
    bits.writeUInt8(bits.readUInt8(position >> 3) | (0x80 >> (position & 7)), position >> 3);
  }

  private async compare(): Promise<void> {
    const rows = await this.reader.query<{ differing: string }>(this.comparison());
    const positions = rows.flatMap(({ differing }) => [...differing.matchAll(/1/g)].map(({ index }) => index));
    const seqs = positions.map((position) => String(this.chunk * CHUNK_BITS + position));
    const ids = new Map(
      (
        await this.reader.query<{ seq: string; id: string }>(
          sql`select seq, id from event where seq = any (${[...new Set(seqs)]}::bigint[])`,
        )
      ).map(({ seq, id }) => [seq, id]),
    );
    for (const seq of seqs) this.differences.add('bitmap_chunk', ids.get(seq) ?? `seq ${seq}`);
    this.looked.push(this.chunk);
    this.expected = new Map();
    this.unknown = [];
  }

  /** Terms with the differing bits, as text. */
  private comparison() {
    const terms = [...this.expected.keys()];
    const bits = [...this.expected.values()].map((buffer) => `x${buffer.toString('hex')}`);
    const marked = sql`select seq from bitmap_dirty union select unnest(${this.unknown}::bigint[])`;
    return sql`
      with passed_over as materialized (
        select coalesce(bit_or(set_bit(${NO_BITS}, ${positionOf(sql`seq`)}, 1)), ${NO_BITS}) as bits
          from (${marked}) as marked where ${chunkOf(sql`seq`)} = ${this.chunk}::int),
      compared as (
        select term, (coalesce(live.bits, ${NO_BITS}) # coalesce(must.bits, ${NO_BITS})) & ~passed_over.bits as differing
          from (select term, bits from bitmap_chunk where term = any (${[...this.bitmaps]}::bigint[]) and chunk = ${this.chunk}::int) as live
               full join (select term, bits::bit(15360) from unnest(${terms}::bigint[], ${bits}::text[]) as new (term, bits))
                 as must using (term)
               cross join passed_over)
      select differing::text from compared where differing <> ${NO_BITS} order by term`;
  }
}

type Table = 'fuzzy_word' | 'fuzzy_key' | 'data_shape';

interface Entry {
  readonly table: Table;
  /** The path's id, or the key. */
  readonly number: string;
  readonly text: string;
}

/** For `looked (number, text)`: scalars, which use the index. */
const IS_MISSING: Readonly<Record<Table, Sql>> = {
  fuzzy_word: sql`(select true from fuzzy_word where path_id = looked.number::int and word = looked.text) is null`,
  fuzzy_key: sql`(select true from fuzzy_key where key = looked.number::int and word = looked.text) is null`,
  data_shape: sql`(select true from data_shape where path_id = looked.number::int and aspect = looked.text) is null`,
};

export class MissingVocabulary {
  private readonly there = new KnownVocabulary();

  /** All reads require one snapshot. */
  constructor(private readonly reader: Queryable) {}

  /** For each row, the tables with missing vocabulary. */
  async among(rows: readonly NumberedRow[]): Promise<readonly { readonly seq: string; readonly table: Table }[]> {
    const entries = new Map<string, Entry>();
    const pathIds = await storedPathIds(
      this.reader,
      rows.map(({ row }) => row.vocabulary),
    );
    for (const { row } of rows) {
      for (const entry of entriesOf(this.there.missing(row.vocabulary), pathIds)) entries.set(keyOf(entry), entry);
    }
    const missing = new Set<string>();
    for (const [table, isMissing] of Object.entries(IS_MISSING)) {
      const looked = [...entries.values()].filter((entry) => entry.table === table);
      for (const entry of await this.missingAmong(looked, isMissing)) missing.add(keyOf(entry));
    }
    return rows.flatMap(({ seq, row }) => {
      const lacking =
        missing.size === 0 ? [] : entriesOf(row.vocabulary, pathIds).filter((entry) => missing.has(keyOf(entry)));
      if (lacking.length === 0) this.there.add(row.vocabulary);
      return [...new Set(lacking.map(({ table }) => table))].map((table) => ({ seq, table }));
    });
  }

  private async missingAmong(looked: readonly Entry[], isMissing: Sql): Promise<readonly Entry[]> {
    if (looked.length === 0) return [];
    const rows = await this.reader.query<{ at: number }>(sql`
      select at::int
        from unnest(
               ${looked.map(({ number }) => number)}::bigint[],
               ${looked.map(({ text }) => text)}::text[]) with ordinality as looked (number, text, at)
       where ${isMissing}`);
    return rows.flatMap(({ at }) => looked[at - 1] ?? []);
  }
}

function entriesOf({ paths }: Vocabulary, pathIds: PathIds): readonly Entry[] {
  return [
    ...paths.flatMap((at): readonly Entry[] => {
      // No path has the id 0.
      const number = String(pathIds.get(nameOfPath(at)) ?? 0);
      const words = [...at.words];
      return [
        ...words.map((text) => ({ table: 'fuzzy_word' as const, number, text })),
        ...words.flatMap((text) =>
          keysOfStored(text).map((key) => ({ table: 'fuzzy_key' as const, number: String(key), text })),
        ),
        ...[...at.aspects].map((text) => ({ table: 'data_shape' as const, number, text })),
      ];
    }),
  ];
}

const keyOf = ({ table, number, text }: Entry): string => `${table} ${number} ${text}`;

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
