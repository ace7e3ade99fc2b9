import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { MAY_IDLE } from '../../../platform/database/connection/session-settings.js';
import type { Connections, Transaction } from '../../../platform/database/pools/connections.js';
import type { Database } from '../../../platform/database/pools/database.js';
import { derivedSnapshot } from '../../index/derived-snapshot.js';
import type { SearchPlan } from '../plan/plan.js';
import { STORED_BODY } from '../predicate/compile-search.js';
import { compileBody, type CompiledExport, LONGEST_TOGETHER, unlessLong } from '../statement/page.js';
import { runSearch } from './run-search.js';
import { resultOf, type SearchResult, withOneMore, withPage } from './search-answer.js';

interface Begun extends Omit<SearchResult, 'bodies'> {
  readonly ids: readonly string[];
}

type Take = (page: Begun, bodies: AsyncIterable<readonly string[]>) => Promise<void>;

/** The search is planned in the snapshot, which is of the primary. */
export function streamPage(
  database: Database,
  plan: (snapshot: Queryable) => Promise<SearchPlan>,
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  return derivedSnapshot(
    database,
    async (snapshot) => {
      await snapshot.query(MAY_IDLE);
      const planned = await plan(snapshot);
      const { limit, shown } = planned.search.page;
      const found = await runSearch(snapshot, withOneMore(withPage(planned, { idsAlone: true })));
      const { bodies: ids, ...page } = resultOf(found, limit);
      await take({ ...page, ids }, bodiesOf(snapshot, ids, shown));
    },
    signal,
  );
}

/** Usually a few hundred kilobytes; long records are read alone. */
const AT_A_TIME = 100;

async function* bodiesOf(
  queryable: Queryable,
  ids: readonly string[],
  shown: Sql | undefined,
): AsyncGenerator<readonly string[]> {
  for (let from = 0; from < ids.length; from += AT_A_TIME) {
    const rows = await queryable.query<ReadRow>(sql`
      select id, ${unlessLong(shown ?? STORED_BODY, LONGEST_TOGETHER)} as body
      from unnest(${ids.slice(from, from + AT_A_TIME)}::uuid[]) with ordinality as wanted (id, position)
      join event_search s using (id) join event_document d using (seq)
      order by wanted.position`);
    yield* bodiesInParts(queryable, rows, shown);
  }
}

/** The body is empty where it is too long to be read together with others. */
export interface ReadRow {
  readonly id: string;
  readonly body: string;
}

/** In order. Each long body is read alone: a hundred exceed the memory of one answer. */
async function* bodiesInParts(
  snapshot: Queryable,
  rows: readonly ReadRow[],
  shown: Sql | undefined,
): AsyncGenerator<readonly string[]> {
  let part: string[] = [];
  for (const { id, body } of rows) {
    if (body !== '') part.push(body);
    else {
      if (part.length > 0) yield part;
      part = [];
      yield (await snapshot.query<ReadRow>(compileBody(id, shown))).map((row) => row.body);
    }
  }
  if (part.length > 0) yield part;
}

export interface Exporting extends CompiledExport {
  /** Runs in the export's snapshot, with the ids of the first records. */
  readonly begun?: ((ids: readonly string[]) => Promise<void>) | undefined;
}

/**
 * Passes bodies to `take`, up to two hundred at a time, from one snapshot and in constant memory. Compiled in the
 * snapshot.
 */
export const exportRecords = (
  database: Connections,
  compile: (snapshot: Queryable) => Promise<Exporting>,
  take: (bodies: readonly string[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> =>
  derivedSnapshot(
    database,
    async (transaction) => {
      await transaction.query(MAY_IDLE);
      const { statement, shown, begun } = await compile(transaction);
      await transaction.query(sql`set local cursor_tuple_fraction = 1`);
      await transaction.query(sql`declare exported no scroll cursor for ${statement}`);
      let rows = await fetch(transaction);
      await begun?.(rows.map(({ id }) => id));
      for (; rows.length > 0; rows = await fetch(transaction)) {
        for await (const bodies of bodiesInParts(transaction, rows, shown)) await take(bodies);
      }
    },
    signal,
  );

const fetch = (transaction: Transaction): Promise<ReadRow[]> => transaction.query(FETCH);

// A count cannot be a parameter of FETCH. 200 of the longest records take little memory.
const FETCH = sql`fetch forward 200 from exported`;
