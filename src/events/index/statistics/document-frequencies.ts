import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { byColumn } from '../../../kernel/domain/searched-fields.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { type Queryable, unlessAborted } from '../../../platform/database/connection/queryable.js';
import { Database } from '../../../platform/database/pools/database.js';
import { Periodic } from '../../../platform/jobs/periodic.js';
import { INSTANT_FIELDS, type InstantColumn, PLACE_COLUMNS, type PlaceColumn } from '../searched-columns.js';
import { type Cardinalities, KnownCardinalities, type Statistics, UNKNOWN_CARDINALITIES } from './cardinalities.js';

interface Row {
  readonly name: string;
  readonly null_frac: number;
  readonly elements: readonly string[] | null;
  readonly element_shares: readonly number[] | null;
  readonly values: readonly string[] | null;
  readonly shares: readonly number[] | null;
  readonly bounds_ms: readonly number[] | null;
  readonly common_ms: readonly number[] | null;
}

const NONE: Row = {
  name: '',
  null_frac: 1,
  elements: null,
  element_shares: null,
  values: null,
  shares: null,
  bounds_ms: null,
  common_ms: null,
};

const LOCATION_NAMES = PLACE_COLUMNS.map(({ column }) => column);
const INSTANT_NAMES = INSTANT_FIELDS.map(({ column }) => column);

/** Changes with the statistics. A crash loses only the time of the last ANALYZE. */
async function stateOfStatistics(database: Queryable): Promise<string> {
  const [row] = await database.query<{ readonly state: string }>(sql`
    select concat_ws(' ', analyze_count + autoanalyze_count, greatest(last_analyze, last_autoanalyze)) as state
      from pg_stat_user_tables where relid = 'event_search'::regclass`);
  return row?.state ?? '';
}

/** Reads the results of ANALYZE: counts nothing. */
export async function readStatistics(database: Queryable): Promise<Statistics> {
  const [table] = await database.query<{ readonly records: string }>(
    sql`select greatest(reltuples, 0)::bigint as records from pg_class where oid = 'event_search'::regclass`,
  );
  // Elements of lists, values of locations, values and histograms of instants.
  const rows = await database.query<Row>(sql`
    select attname as name, null_frac,
           case when attname = 'terms' then most_common_elems::text::text[] end as elements,
           case when attname = 'terms' then most_common_elem_freqs end as element_shares,
           case when attname = any(${LOCATION_NAMES}::name[]) then most_common_vals::text::text[] end as "values",
           case when attname <> 'terms' then most_common_freqs end as shares,
           case when attname = any(${INSTANT_NAMES}::name[]) then ${milliseconds(sql`histogram_bounds`)} end as bounds_ms,
           case when attname = any(${INSTANT_NAMES}::name[]) then ${milliseconds(sql`most_common_vals`)} end as common_ms
      from pg_stats
     where schemaname = (select nspname from pg_namespace n join pg_class c on c.relnamespace = n.oid where c.oid = 'event_search'::regclass)
       and tablename = 'event_search'`);
  const columns = new Map(rows.map((row) => [row.name, row]));
  const locations = (name: PlaceColumn): ReadonlyMap<string, number> => {
    const { values, shares } = columns.get(name) ?? NONE;
    return new Map((values ?? []).map((id, at) => [id, shares?.[at] ?? 0]));
  };
  const instants = (name: InstantColumn): Statistics['instants'][InstantColumn] => {
    const { bounds_ms: boundsMs, common_ms: commonMs, shares, null_frac: missing } = columns.get(name) ?? NONE;
    return {
      common: new Map((commonMs ?? []).map((ms, at) => [ms, shares?.[at] ?? 0])),
      boundsMs: boundsMs ?? [],
      present: 1 - missing,
    };
  };
  const { elements, element_shares: elementShares } = columns.get('terms') ?? NONE;
  return {
    records: Number(table?.records ?? 0),
    // Three other entries follow the elements' frequencies.
    terms: new Map((elements ?? []).map((term, at) => [BigInt(term), elementShares?.[at] ?? 0])),
    locations: byColumn(PLACE_COLUMNS, ({ column }) => locations(column)),
    instants: byColumn(INSTANT_FIELDS, ({ column }) => instants(column)),
  };
}

/** Instants of `pg_stats` in order, in milliseconds since the epoch. */
const milliseconds = (instants: Sql): Sql => sql`array(
             select (extract(epoch from instant) * 1000)::float8
               from unnest(${instants}::text::timestamptz[]) with ordinality as i (instant, position)
              order by position)`;

/** For a new ANALYZE. */
const EVERY_MS = 10_000;

/** Approximate, from the statistics of `event_search`. They affect the speed of a plan, never its result. */
@Injectable()
export class DocumentFrequencies implements OnApplicationShutdown {
  private readonly log = new Logger(DocumentFrequencies.name);
  private known: Cardinalities = UNKNOWN_CARDINALITIES;
  private read: string | undefined;
  /** Set during the first reading from a new server. */
  private reading: Promise<void> | undefined;
  private readonly loop = new Periodic({
    everyMs: EVERY_MS,
    work: () => this.refresh(),
    onError: (error) => {
      this.tellFailure(error);
    },
  });

  constructor(private readonly database: Database) {
    database.primary.onNewServer(() => {
      this.known = UNKNOWN_CARDINALITIES;
      this.read = undefined;
      // Deferred past the call that found the new server.
      const reading = turn()
        .then(() => this.refreshed())
        .finally(() => {
          if (this.reading === reading) this.reading = undefined;
        });
      this.reading = reading;
    });
  }

  /**
   * Waits for a new server's statistics (Q-4): all searches would seem small. Throws the signal's reason when it
   * aborts.
   */
  async current(signal?: AbortSignal): Promise<Cardinalities> {
    if (this.reading !== undefined) await unlessAborted(this.reading, signal);
    return this.known;
  }

  get cardinalities(): Cardinalities {
    return this.known;
  }

  async start(): Promise<void> {
    await this.refreshed();
    this.loop.start(EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  async refresh(): Promise<void> {
    const state = await stateOfStatistics(this.database);
    if (state === this.read) return;
    this.known = new KnownCardinalities(await readStatistics(this.database));
    this.read = state;
  }

  private refreshed(): Promise<void> {
    return this.refresh().catch((error: unknown) => {
      this.tellFailure(error);
    });
  }

  private tellFailure(error: unknown): void {
    this.log.warn('the statistics of the records could not be read: plans are chosen by older ones', error);
  }
}
