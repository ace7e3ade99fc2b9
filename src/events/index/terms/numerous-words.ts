import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { inGroupsOf } from '../../../kernel/domain/in-groups-of.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { isNumberOrEmail } from './is-number-or-email.js';

/** Shorter numbers repeat. */
const SHORT = 5;

/** Fewer words of a path are cheaper as rows. */
const WORTH_A_LIST = 16;

/** Added to a dictionary in less than a millisecond. */
const LONGEST_LIST = 512;

/** Different in nearly every record. */
export const isNumerous = (word: string): boolean => word.length > SHORT && isNumberOrEmail(word);

export interface NumerousWord {
  readonly word: string;
  readonly seq: string;
}

/** One row for a path: single rows would dominate an import. */
export interface WordList {
  readonly pathId: number | undefined;
  readonly found: readonly NumerousWord[];
}

/** Empty if there are too few words. */
export const wordListsOf = (pathId: number | undefined, found: readonly NumerousWord[]): readonly WordList[] =>
  found.length < WORTH_A_LIST ? [] : inGroupsOf(found, LONGEST_LIST).map((some) => ({ pathId, found: some }));

/** Duplicates of other events' words are harmless. */
export function insertedWordLists(lists: readonly WordList[]): readonly Sql[] {
  if (lists.length === 0) return [];
  return [
    sql`
    insert into fuzzy_word_list (path_id, seqs, words)
    select path_id, int8range(first, last, '[]'), words
      from unnest(
        ${lists.map(({ pathId }) => pathId)}::int[],
        ${lists.map(({ found }) => Math.min(...found.map(({ seq }) => Number(seq))))}::bigint[],
        ${lists.map(({ found }) => Math.max(...found.map(({ seq }) => Number(seq))))}::bigint[],
        ${lists.map(({ found }) => found.map(({ word }) => word).join(' '))}::text[]) as new (path_id, first, last, words)`,
  ];
}

export interface WordAtPath extends NumerousWord {
  readonly pathId: number;
}

/** Whether a list contains each word. Lists are read once: a record can have tens of thousands of words. */
export async function listedAmong(
  reader: Queryable,
  words: readonly WordAtPath[],
): Promise<(word: WordAtPath) => boolean> {
  if (words.length === 0) return () => false;
  const [pathIds, seqs] = [new Set(words.map(({ pathId }) => pathId)), new Set(words.map(({ seq }) => seq))];
  // A join would read all lists of all events.
  const lists = await reader.query<{ pathId: number; first: string; end: string; words: string }>(sql`
    select path_id as "pathId", lower(seqs) as first, upper(seqs) as end, words from fuzzy_word_list
     where seqs && (select range_agg(int8range(seq, seq, '[]')) from unnest(${[...seqs]}::bigint[]) as asked (seq))
       and path_id = any (${[...pathIds]}::int[])`);
  const ranges = new Map<string, [first: number, end: number][]>();
  for (const { pathId, first, end, words: listed } of lists) {
    for (const word of listed.split(' ')) {
      const key = `${pathId} ${word}`;
      const known = ranges.get(key) ?? [];
      ranges.set(key, known);
      known.push([Number(first), Number(end)]);
    }
  }
  return ({ pathId, word, seq }) =>
    ranges.get(`${pathId} ${word}`)?.some(([first, end]) => first <= Number(seq) && Number(seq) < end) ?? false;
}
