import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { sql } from '../../../kernel/sql/sql.js';
import { subjectOfTerm, type TermSubject } from '../areas/subject-of-term.js';
import { readStatistics, stateOfStatistics } from '../statistics/read-statistics.js';
import { EVERY_TERM } from './bitmap.js';
import { UPDATE_SLICES } from './update-period.js';

/** With fewer records a full scan is as fast. */
const FEWEST_RECORDS = 20_000;

/**
 * Searches read each record of a rarer term. At most 20 areas of a column qualify; a form of many choices could fill
 * the list.
 */
const LEAST_SHARES: Readonly<Record<TermSubject, number>> = { metadata: 0.0005, area: 0.05, declaration: 0.0005 };

/** Existing bitmaps are kept down to this share. */
const KEPT_FROM = 0.5;

/** 125 kB per million records, a tenth for a rare term. */
const MOST_TERMS = 4_000;

interface Choice {
  /** Neither built nor begun. */
  readonly wanted: readonly bigint[];
  readonly unwanted: readonly bigint[];
}

/**
 * A frequent term qualifies if countable, so that no other term shares its hash. Metadata comes first, then areas;
 * every record and update slices always have one.
 */
export async function chooseBitmaps(database: Queryable): Promise<Choice> {
  const { records, terms, tracked } = await readStatistics(database);
  // Without statistics every term would seem rare.
  if (records < FEWEST_RECORDS || terms.size === 0) return { wanted: [], unwanted: [] };
  const kept = new Set([...tracked, ...(await begunBitmaps(database))]);
  const frequent = [...terms].filter(([, share]) => share >= KEPT_FROM * Math.min(...Object.values(LEAST_SHARES)));
  const texts = await textsOf(
    database,
    frequent.map(([term]) => term),
  );
  const of = (subject: TermSubject): readonly bigint[] =>
    frequent
      .filter(([term, share]) => {
        const text = texts.get(term);
        if (text === undefined || subjectOfTerm(text) !== subject) return false;
        return share >= (kept.has(term) ? KEPT_FROM : 1) * LEAST_SHARES[subject];
      })
      .toSorted(([, a], [, b]) => b - a)
      .map(([term]) => term);
  const chosen = [...of('metadata'), ...of('area'), ...of('declaration')].slice(0, MOST_TERMS);
  const all = new Set([EVERY_TERM, ...UPDATE_SLICES, ...chosen]);
  return {
    wanted: [...all].filter((term) => !kept.has(term)),
    unwanted: [...kept].filter((term) => !all.has(term)),
  };
}

/** Changes with all inputs of the choice: cheap, while choosing takes some hundred ms. */
export async function stateOfChoice(database: Queryable): Promise<string> {
  const [row] = await database.query<{ readonly state: string }>(sql`
    select concat_ws(' ', (select reltuples >= ${FEWEST_RECORDS} from pg_class where oid = 'event_search'::regclass),
                     (select md5(string_agg(term::text, ' ' order by term)) from bitmap_begun),
                     -- Of fields that were made up there may be very many.
                     (select concat(count(*), ' ', sum(hash)) from term_doubt)) as state`);
  return `${await stateOfStatistics(database)} ${row?.state ?? ''}`;
}

async function begunBitmaps(database: Queryable): Promise<readonly bigint[]> {
  const rows = await database.query<{ readonly term: string }>(sql`select term from bitmap_begun`);
  return rows.map(({ term }) => BigInt(term));
}

/** Countable terms without a collision. */
async function textsOf(database: Queryable, terms: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> {
  const rows = await database.query<{ readonly hash: string; readonly text: string }>(sql`
    select hash, text from term where hash = any(${terms}::bigint[])
       and not exists (select from term_doubt d where d.hash = term.hash)`);
  return new Map(rows.map(({ hash, text }) => [BigInt(hash), text]));
}
