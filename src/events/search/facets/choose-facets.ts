import type { Queryable } from '../../../database/queryable.js';
import { sql } from '../../../sql/sql.js';
import { readStatistics } from '../plan/read-statistics.js';

/** Below, any search goes through all records as fast. */
const FEWEST_RECORDS = 20_000;

/** Of records with a rarer term, a search looks at each. */
const LEAST_SHARE = 0.01;

/** A bitmap takes 125 kB for each million records. */
const MOST_TERMS = 256;

interface Choice {
  readonly wanted: readonly bigint[];
  readonly unwanted: readonly bigint[];
}

/**
 * Which bitmaps are to be made and taken away: frequent terms have one, provided that they are countable, so that no other
 * can have their hash. One that was frequent keeps it while it is half as frequent. 0 stands for every record.
 */
export async function chooseFacets(database: Queryable): Promise<Choice> {
  const { records, terms } = await readStatistics(database);
  const kept = new Set(await trackedTerms(database));
  if (records < FEWEST_RECORDS) return { wanted: [], unwanted: [] };
  const frequent = [...terms].filter(([, share]) => share >= LEAST_SHARE / 2).toSorted(([, a], [, b]) => b - a);
  const countable = new Set(
    await countableAmong(
      database,
      frequent.map(([term]) => term),
    ),
  );
  const chosen = frequent
    .filter(([term, share]) => countable.has(term) && (share >= LEAST_SHARE || kept.has(term)))
    .slice(0, MOST_TERMS)
    .map(([term]) => term);
  const all = new Set([0n, ...chosen]);
  return {
    wanted: [...all].filter((term) => !kept.has(term)),
    unwanted: [...kept].filter((term) => !all.has(term)),
  };
}

async function trackedTerms(database: Queryable): Promise<readonly bigint[]> {
  const rows = await database.query<{ readonly term: string }>(sql`select term from facet`);
  return rows.map(({ term }) => BigInt(term));
}

async function countableAmong(database: Queryable, terms: readonly bigint[]): Promise<readonly bigint[]> {
  const rows = await database.query<{ readonly hash: string }>(sql`
    select hash from term where hash = any(${terms}::bigint[])
       and not exists (select from term_doubt d where d.hash = term.hash)`);
  return rows.map(({ hash }) => BigInt(hash));
}
