import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { answerIn } from '../../src/events/index/values/document.js';
import { any, identifier, type Sql, sql, Sql as Fragment } from '../../src/kernel/sql/sql.js';
import { type CountedSearch, RECORDS } from './counted-search.js';

/** A page that is asked for, and the matches of its search in SQL of its own. */
export interface DrawnPage extends Pick<CountedSearch, 'matches'> {
  readonly body: { readonly query: object; readonly limit: number; readonly offset: number };
}

export interface Counted {
  readonly total: number;
  readonly bodies: readonly string[];
}

/** Totals and pages of all these, by one pass over the records of the transaction, and one over their documents. */
export async function countedPages(
  transaction: Queryable,
  drawn: readonly DrawnPage[],
  records: keyof typeof RECORDS,
): Promise<Counted[]> {
  // Nothing that an index says is believed here; what is joined stays in memory at ten million records.
  await transaction.query(sql`
    select set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true),
           set_config('enable_bitmapscan', 'off', true), set_config('work_mem', '2GB', true)`);
  const marks = drawn.map((_, at) => identifier(`m${at}`));
  const pages = drawn.map(
    ({ body: { limit, offset } }, at) => sql`
      select ${at}::int as at, (select count(*) from marked where ${marks[at]}) as total,
             array(select seq from marked where ${marks[at]}
                    order by updated_at desc, id limit ${limit}::bigint offset ${offset}::bigint) as seqs`,
  );
  const counted = await transaction.query<{ total: string; seqs: readonly string[] }>(sql`
    with marked as materialized (
      select * from (
        select seq, id, updated_at, ${listed(drawn.map(({ matches }, at) => sql`${matches} as ${marks[at]}`))}
          from ${RECORDS[records]} offset 0
      ) r where ${any(marks)}
    )
    select total, seqs from (${Fragment.join(pages, ' union all ')}) page order by at`);
  const shown = [...new Set(counted.flatMap(({ seqs }) => seqs))];
  const documents = await transaction.query<{ seq: string; body: string }>(
    sql`select seq, ${answerIn(sql`body`)} as body from event_document where seq = any(${shown}::bigint[])`,
  );
  const bodies = new Map(documents.map(({ seq, body }) => [seq, body]));
  return counted.map(({ total, seqs }) => ({ total: Number(total), bodies: seqs.map((seq) => bodies.get(seq) ?? '') }));
}

const listed = (columns: readonly Sql[]): Sql => Fragment.join(columns, ', ');
