import { setImmediate } from 'node:timers/promises';
import { sql } from '../../../kernel/sql/sql.js';
import { type Queryable, together } from '../../../platform/database/connection/queryable.js';
import type { ShapeAspect } from './terms.js';
import { isFindable, KnownShapes, MOST_YEARS, type PathShape, type Shapes } from './vocabulary.js';
import { hashOfPath } from './write-vocabulary.js';
import type { DataPath } from '../values/data-path.js';
import { isComparedExactly, keysOfSearched, type NearInFields, type NearWord, type WordsNear } from './near-words.js';
import { Alignment, allowedEdits, codePointsOf } from './optimal-string-alignment.js';

/** The conditions of a search ask this about all declarations. */
export interface AskedVocabulary {
  /** Paths of conditions, as of a field and as inside one. */
  readonly paths: ReadonlySet<DataPath>;
  /** Near words of these (S-11) at the paths. */
  readonly near: ReadonlySet<string>;
  readonly nearInEachField: ReadonlySet<string>;
  /** Their fields. */
  readonly exact: ReadonlySet<string>;
  /** All fields with one of these. */
  readonly aspects: ReadonlySet<ShapeAspect>;
}

export interface ReadVocabulary {
  readonly dictionary: WordsNear;
  readonly shapes: Shapes;
}

/** Aspects of every text, name or date with words. */
export const WORDED: readonly ShapeAspect[] = ['nameWord', 'word', 'sole', 'day', 'long'];

/** Fields with an aspect, and pairs of a field and a near word: bounds the cost of invented fields. */
const MOST_FIELDS = 4_000;
const MOST_PAIRS = 2_000;

/** Reads words and kinds of values in the search's own snapshot, hence includes everything that it can find (S-14). */
export async function readVocabulary(reader: Queryable, asked: AskedVocabulary): Promise<ReadVocabulary> {
  const searched = [...new Set([...asked.near, ...asked.nearInEachField])].filter((word) => !isComparedExactly(word));
  const [named, withAspects, near] = await together(
    shapesAt(reader, asked.paths),
    fieldsWithOneOf(reader, asked.aspects),
    nearEach(reader, searched),
  );
  const nearOf = (words: ReadonlySet<string>): readonly Sought[] =>
    [...words].flatMap((word) => {
      const found = near.get(word);
      return found === undefined || found.size === 0 ? [] : [{ word, near: found }];
    });
  const ids = named.map(({ id }) => id);
  const [atPaths, inFields] = await together(
    placesAt(reader, nearOf(asked.near), ids),
    placesInFields(reader, [
      ...nearOf(asked.nearInEachField),
      ...[...asked.exact]
        .filter((word) => !asked.nearInEachField.has(word))
        .map((word) => ({ word, near: new Map([[word, 0]]) })),
    ]),
  );
  const hasEach = withAspects.length <= MOST_FIELDS;
  const shapes = new KnownShapes([...named, ...(hasEach ? withAspects : []), ...inFields], hasEach);
  return { shapes, dictionary: new ReadWords(near, { named, atPaths, inFields }, shapes) };
}

interface StoredPath extends PathShape {
  readonly id: number;
}

/** Years come last. */
const ASPECTS = sql`array(select aspect from data_shape where path_id = path.id order by aspect limit ${MOST_YEARS + 100}::int)`;

async function shapesAt(reader: Queryable, paths: ReadonlySet<DataPath>): Promise<readonly StoredPath[]> {
  if (paths.size === 0) return [];
  const hashes = [...paths].flatMap((path) => [true, false].map((isField) => hashOfPath({ path, isField })));
  return reader.query<StoredPath>(sql`
    select id, path, is_field as "isField", ${ASPECTS} as aspects from fuzzy_path as path
     where hash = any (array(select decode(hex, 'hex') from unnest(${hashes}::text[]) as hex))`);
}

/** One more than the limit. */
async function fieldsWithOneOf(reader: Queryable, aspects: ReadonlySet<ShapeAspect>): Promise<readonly PathShape[]> {
  if (aspects.size === 0) return [];
  return reader.query<PathShape>(sql`
    select path, true as "isField", ${ASPECTS} as aspects
      from (select distinct path_id from data_shape join fuzzy_path on id = path_id
             where aspect = any (${[...aspects]}::text[]) and is_field limit ${MOST_FIELDS + 1}::int) as found
           join fuzzy_path as path on path.id = path_id`);
}

/** Millions of words may share a key: those of one are then read in parts. */
const MOST_CANDIDATES = 20_000;
/** Bounds an answer of `candidatesOf` to some megabytes, whatever words are stored. */
const WORDS_AT_ONCE = 32;

/** The near words of each, with their edits; none for a word without candidates. */
async function nearEach(
  reader: Queryable,
  words: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const near = new Map<string, ReadonlyMap<string, number>>();
  for (let at = 0; at < words.length; at += WORDS_AT_ONCE) {
    for (const [word, candidates] of await candidatesOf(reader, words.slice(at, at + WORDS_AT_ONCE))) {
      near.set(word, await nearAmong(reader, word, candidates));
      // Each takes a millisecond or two.
      await setImmediate();
    }
  }
  return near;
}

/** Words that share a key and have a near length, with duplicates; undefined if there are too many. */
async function candidatesOf(
  reader: Queryable,
  words: readonly string[],
): Promise<readonly (readonly [word: string, candidates: readonly string[] | undefined])[]> {
  const lengths = words.map((word) => Array.from(word).length);
  const rows = await reader.query<{ at: string; count: number; words: string }>(sql`
    select at, count, words
      from unnest(
             ${words.map((word) => keysOfSearched(word).join(' '))}::text[],
             ${lengths.map((length) => length - allowedEdits(length))}::int[],
             ${lengths.map((length) => length + allowedEdits(length))}::int[])
             with ordinality as searched (keys, shortest, longest, at)
           cross join lateral (
             select count(*)::int as count, string_agg(word, ' ') as words
               from (select word from fuzzy_key
                      where key = any (string_to_array(keys, ' ')::int[])
                        and char_length(word) between shortest and longest
                      limit ${MOST_CANDIDATES + 1}::int) as shared) as candidates
     where count > 0`);
  return rows.map(({ at, count, words: found }) => [
    words[Number(at) - 1] ?? '',
    count > MOST_CANDIDATES ? undefined : found.split(' '),
  ]);
}

/** The near words, with their edits. */
async function nearAmong(
  reader: Queryable,
  searched: string,
  candidates: readonly string[] | undefined,
): Promise<ReadonlyMap<string, number>> {
  const points = codePointsOf(searched);
  const alignment = new Alignment(points, allowedEdits(points.length));
  const near = new Map<string, number>();
  const compare = (words: readonly string[]): void => {
    for (const word of words) {
      const edits = alignment.editsToWord(word);
      if (edits <= alignment.most) near.set(word, edits);
    }
  };
  if (candidates !== undefined) compare(candidates);
  else for await (const words of everyCandidate(reader, searched)) compare(words);
  return near;
}

async function* everyCandidate(reader: Queryable, searched: string): AsyncGenerator<readonly string[]> {
  for (const key of keysOfSearched(searched)) {
    let after: string | undefined = '';
    while (after !== undefined) {
      const rows: { word: string }[] = await reader.query<{ word: string }>(sql`
        select word from fuzzy_key where key = ${key}::int and word > ${after}::text
         order by word limit ${MOST_CANDIDATES}::int`);
      yield rows.map(({ word }) => word);
      after = rows.length < MOST_CANDIDATES ? undefined : rows.at(-1)?.word;
    }
  }
}

interface Sought {
  readonly word: string;
  /** With their edits. */
  readonly near: ReadonlyMap<string, number>;
}

interface Place {
  readonly id: number;
  /** Separated by spaces. */
  readonly words: string;
}

async function placesAt(
  reader: Queryable,
  sought: readonly Sought[],
  ids: readonly number[],
): Promise<readonly Place[]> {
  const words = new Set(sought.flatMap(({ near }) => [...near.keys()]));
  if (words.size === 0 || ids.length === 0) return [];
  return reader.query<Place>(sql`
    select path_id as id, string_agg(word, ' ') as words from fuzzy_word
     where word = any (${[...words]}::text[]) and path_id = any (${ids}::int[])
     group by path_id`);
}

interface PlaceInField extends PathShape {
  readonly searched: string;
  readonly words: readonly NearWord[];
}

/** Reads one pair more than the limit for each searched word. */
async function placesInFields(reader: Queryable, sought: readonly Sought[]): Promise<readonly PlaceInField[]> {
  if (sought.length === 0) return [];
  const rows = await reader.query<PathShape & { at: string; words: string }>(sql`
    select at, found.words, path, true as "isField", ${ASPECTS} as aspects
      from unnest(${sought.map(({ near }) => [...near.keys()].join(' '))}::text[]) with ordinality as sought (near, at)
           cross join lateral (
             select path_id, string_agg(word, ' ') as words
               from (select path_id, word from fuzzy_word join fuzzy_path on id = path_id
                      where word = any (string_to_array(near, ' ')) and is_field
                      limit ${MOST_PAIRS + 1}::int) as pairs
              group by path_id) as found
           join fuzzy_path as path on path.id = path_id`);
  return rows.flatMap(({ at, words, ...place }) => {
    const { word, near } = sought[Number(at) - 1] ?? NOTHING_SOUGHT;
    return word === '' ? [] : [{ ...place, searched: word, words: withEdits(words, near) }];
  });
}

const NOTHING_SOUGHT: Sought = { word: '', near: new Map() };

const withEdits = (words: string, near: ReadonlyMap<string, number>): readonly NearWord[] =>
  words.split(' ').map((word) => ({ word, edits: near.get(word) ?? 0 }));

interface Places {
  readonly named: readonly StoredPath[];
  readonly atPaths: readonly Place[];
  readonly inFields: readonly PlaceInField[];
}

class ReadWords implements WordsNear {
  private readonly wordsAt = new Map<DataPath, Set<string>>();
  private readonly inFields = new Map<string, Map<DataPath, readonly NearWord[]>>();

  constructor(
    private readonly near: ReadonlyMap<string, ReadonlyMap<string, number>>,
    { named, atPaths, inFields }: Places,
    private readonly shapes: Shapes,
  ) {
    const pathOf = new Map(named.map(({ id, path }) => [id, path]));
    for (const { id, words } of atPaths) {
      const path = pathOf.get(id);
      if (path === undefined) continue;
      const here = this.wordsAt.get(path) ?? new Set();
      this.wordsAt.set(path, here);
      for (const word of words.split(' ')) here.add(word);
    }
    for (const { searched, path, words } of inFields) {
      const fields = this.inFields.get(searched) ?? new Map<DataPath, readonly NearWord[]>();
      this.inFields.set(searched, fields.set(path, words));
    }
  }

  at(path: DataPath, word: string): readonly NearWord[] {
    if (isComparedExactly(word)) return itself(word);
    const here = this.wordsAt.get(path);
    if (here === undefined) return [];
    const found: NearWord[] = [];
    for (const [near, edits] of this.near.get(word) ?? []) if (here.has(near)) found.push({ word: near, edits });
    return found;
  }

  inEachField(word: string): NearInFields {
    if (isComparedExactly(word)) {
      const [words, fields] = [itself(word), this.wordedFields()];
      return { words, byField: fields && new Map([...fields].map((path) => [path, words])) };
    }
    const byField = this.inFields.get(word) ?? new Map<DataPath, readonly NearWord[]>();
    const words = [...new Map([...byField.values()].flat().map((one) => [one.word, one])).values()];
    if (this.pairsOf(byField) <= MOST_PAIRS) return { words, byField };
    // The fields are not all known, and nor are the words that they have.
    return {
      words: withEdits([...(this.near.get(word)?.keys() ?? [])].join(' '), this.near.get(word) ?? new Map()),
      byField: undefined,
    };
  }

  fieldsOf(word: string): ReadonlySet<DataPath> | undefined {
    if (isComparedExactly(word)) return this.wordedFields();
    const byField = this.inFields.get(word) ?? new Map<DataPath, readonly NearWord[]>();
    if (this.pairsOf(byField) > MOST_PAIRS) return undefined;
    return new Set([...byField].flatMap(([path, near]) => (near.some((one) => one.edits === 0) ? [path] : [])));
  }

  private pairsOf(byField: ReadonlyMap<DataPath, readonly NearWord[]>): number {
    let pairs = 0;
    for (const words of byField.values()) pairs += words.length;
    return pairs;
  }

  private wordedFields(): ReadonlySet<DataPath> | undefined {
    const fields = WORDED.map((aspect) => this.shapes.fieldsWith(aspect));
    const known = fields.filter((some) => some !== undefined);
    return known.length < fields.length ? undefined : new Set(known.flatMap((some) => [...some]));
  }
}

const itself = (word: string): readonly NearWord[] => (isFindable(word) ? [{ word, edits: 0 }] : []);
