import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { inGroupsOf } from '../../../kernel/domain/in-groups-of.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { isNumberOrEmail } from './is-number-or-email.js';

/** Shorter numbers repeat. */
const SHORT = 5;

/** Fewer words of a path are cheaper as rows. */
const WORTH_A_LIST = 16;

/** This many are added to a dictionary in less than a millisecond. */
const LONGEST_LIST = 512;

/** Whether a word is of a kind that differs in nearly every record: longer numbers and e-mail addresses. */
export const isNumerous = (word: string): boolean => word.length > SHORT && isNumberOrEmail(word);

/** A numerous word of an event. */
export interface NumerousWord {
  readonly word: string;
  /** The event's. */
  readonly seq: string;
}

/** Numerous words of one path, in one row: a row for each would make up most of the cost of an import. */
export interface WordList {
  readonly pathId: number | undefined;
  readonly found: readonly NumerousWord[];
}

/** The lists of the words of one path; none if there are too few. */
export const wordListsOf = (pathId: number | undefined, found: readonly NumerousWord[]): readonly WordList[] =>
  found.length < WORTH_A_LIST ? [] : inGroupsOf(found, LONGEST_LIST).map((some) => ({ pathId, found: some }));

/** Words of new events: a word that other events have too is then stored more than once, which does no harm. */
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

/** A numerous word of an event at a path. */
export interface WordAtPath extends NumerousWord {
  readonly pathId: number;
}

/**
 * Yields for each of the words whether a list contains it. The lists of the words' events are read once, and each word
 * is looked up: a record can have tens of thousands of them.
 */
export async function listedAmong(
  reader: Queryable,
  words: readonly WordAtPath[],
): Promise<(word: WordAtPath) => boolean> {
  if (words.length === 0) return () => false;
  const [pathIds, seqs] = [new Set(words.map(({ pathId }) => pathId)), new Set(words.map(({ seq }) => seq))];
  // One range for events that follow one another: joined with each of them, all lists of all events would be read.
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
