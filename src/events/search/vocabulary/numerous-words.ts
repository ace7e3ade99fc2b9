import type { Queryable } from '../../../database/queryable.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import { isNumberOrEmail } from '../fuzzy/fuzzy-dictionary.js';

/** Shorter numbers come again. */
const SHORT = 5;

/** Fewer words of a path are cheaper as rows. */
const WORTH_A_LIST = 16;

/** So many are added to a dictionary in less than a millisecond. */
const LONGEST_LIST = 512;

/** Whether a word is of those of which nearly every record has others: longer numbers and e-mail addresses. */
export const isNumerous = (word: string): boolean => word.length > SHORT && isNumberOrEmail(word);

/** A numerous word of an event. */
export interface NumerousWord {
  readonly word: string;
  /** The event's. */
  readonly seq: string;
}

/** Numerous words of one path, in one row: each in a row of its own would be most of what an import costs. */
export interface WordList {
  readonly pathId: number | undefined;
  readonly found: readonly NumerousWord[];
}

/** The lists of the words of one path; none when they are too few. */
export const wordListsOf = (pathId: number | undefined, found: readonly NumerousWord[]): readonly WordList[] =>
  found.length < WORTH_A_LIST
    ? []
    : Array.from({ length: Math.ceil(found.length / LONGEST_LIST) }, (_, at) => ({
        pathId,
        found: found.slice(at * LONGEST_LIST, (at + 1) * LONGEST_LIST),
      }));

/** Words of new events: one that other events have too is then there more than once, which does no harm. */
export async function writeWordLists(transaction: Queryable, lists: readonly WordList[]): Promise<void> {
  if (lists.length === 0) return;
  await transaction.query(sql`
    insert into fuzzy_word_list (path_id, seqs, words)
    select path_id, int8range(first, last, '[]'), words
      from unnest(
        ${lists.map(({ pathId }) => pathId)}::int[],
        ${lists.map(({ found }) => Math.min(...found.map(({ seq }) => Number(seq))))}::bigint[],
        ${lists.map(({ found }) => Math.max(...found.map(({ seq }) => Number(seq))))}::bigint[],
        ${lists.map(({ found }) => found.map(({ word }) => word).join(' '))}::text[]) as new (path_id, first, last, words)`);
}

/** Whether a list has a word of an event. */
export const isListed = (pathId: Sql, word: Sql, seq: Sql): Sql =>
  sql`exists (select from fuzzy_word_list as list
               where list.seqs @> ${seq} and list.path_id = ${pathId}
                 and strpos(' ' || list.words || ' ', ' ' || ${word} || ' ') > 0)`;
