import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { sentInBinary, type Sql, sql } from '../../../kernel/sql/sql.js';
import { type Term, textOf } from './term-kind.js';

/** Called before colliding terms are put in doubt; may throw. */
export type Admission = (transaction: Queryable, clashing: readonly TermRow[]) => Promise<void>;

const ADMIT_ALL: Admission = () => Promise.resolve();

/** Runs after the rest of the vocabulary. */
export const writeTerms = (transaction: Queryable, found: readonly Term[], admit = ADMIT_ALL): Promise<void> =>
  writePreparedTerms(transaction, termStatement(found), admit);

/** Undefined without terms. Returns the terms whose hash already had a text: another one, or a concurrent equal one. */
export function termStatement(found: readonly Term[]): Sql | undefined {
  const terms = [...new Map(found.map((term) => [textOf(term), term.hash]))];
  if (terms.length === 0) return undefined;
  return sentInBinary(
    sql`
      with new as (select hash, text from ${listed(terms.map(([text, hash]) => ({ hash, text })))}),
      missing as materialized (
        select hash, text from new
         where not exists (select from term where term.hash = new.hash and term.text = new.text)),
      written as (
        insert into term (hash, text) select hash, text from missing order by hash
            on conflict do nothing returning hash, text)
      select hash, text from missing where (hash, text) not in (select hash, text from written)`,
  );
}

export interface TermRow {
  readonly hash: bigint | string;
  readonly text: string;
}

/** Runs after the rest of the vocabulary. */
export async function writePreparedTerms(
  transaction: Queryable,
  statement: Sql | undefined,
  admit = ADMIT_ALL,
): Promise<void> {
  const refused = statement === undefined ? [] : await transaction.query<TermRow>(statement);
  if (refused.length === 0) return;
  await admit(transaction, refused);
  // A separate statement sees the rows that the previous one waited for.
  await transaction.query(
    sentInBinary(sql`
      insert into term_doubt
      select distinct hash from ${listed(refused)} join term using (hash)
       where term.text <> new.text
       order by hash
          on conflict (hash) do update set moved_by = null where term_doubt.moved_by is not null`),
  );
}

/** Rows `new (hash, text)`. */
export const listed = (terms: readonly TermRow[]): Sql =>
  sql`unnest(${terms.map(({ hash }) => hash)}::bigint[], ${terms.map(({ text }) => text)}::text[]) as new (hash, text)`;
