import { createHash } from 'node:crypto';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { ShapeAspect } from './data-aspect.js';
import { insertedWordLists, listedAmong, type NumerousWord, type WordAtPath, wordListsOf } from './numerous-words.js';
import type { PathVocabulary, Vocabulary, WordPath } from './vocabulary.js';

export interface EventVocabulary {
  readonly seq: string;
  /** The event's vocabulary was never written before. */
  readonly isNew: boolean;
  readonly vocabulary: Vocabulary;
}

/**
 * Changes for `oneStatement`: every search knows the vocabulary after the commit (S-14). Write that of a transaction at
 * once and last: a common order keeps lock waits short. `pathIds`: of all its paths.
 */
export async function vocabularyInsertions(
  transaction: Queryable,
  events: readonly EventVocabulary[],
  pathIds: PathIds,
): Promise<readonly Sql[]> {
  const paths = byPath(events).map((found) => ({ id: pathIds.get(nameOfPath(found.path)), found }));
  if (paths.length === 0) return [];
  const isListed = await listedAmong(transaction, oldNumerousOf(paths));
  return [
    ...insertedWords(paths, isListed),
    ...insertedShapes(paths.flatMap(({ id, found }) => [...found.aspects].map((aspect) => ({ id, aspect })))),
  ];
}

/** Everything at one path. */
class Collected {
  readonly words = new Set<string>();
  /** For new events. */
  readonly newNumerous: NumerousWord[] = [];
  /** Some may already be in a list. */
  readonly numerous: NumerousWord[] = [];
  readonly aspects = new Set<ShapeAspect>();

  constructor(readonly path: WordPath) {}

  add({ seq, isNew }: EventVocabulary, { words, numerous, aspects }: PathVocabulary): void {
    for (const word of words) this.words.add(word);
    for (const word of numerous) (isNew ? this.newNumerous : this.numerous).push({ word, seq });
    for (const aspect of aspects) this.aspects.add(aspect);
  }
}

function byPath(events: readonly EventVocabulary[]): readonly Collected[] {
  const collected = new Map<string, Collected>();
  for (const event of events) {
    for (const at of event.vocabulary.paths) {
      const key = nameOfPath(at);
      const known = collected.get(key) ?? new Collected(at);
      collected.set(key, known);
      known.add(event, at);
    }
  }
  return [...collected.values()];
}

interface Path {
  readonly id: number | undefined;
  readonly found: Collected;
}

/** For events written before. */
const oldNumerousOf = (paths: readonly Path[]): readonly WordAtPath[] =>
  paths.flatMap(({ id, found }) => (id === undefined ? [] : found.numerous.map((one) => ({ ...one, pathId: id }))));

function insertedWords(paths: readonly Path[], isListed: (word: WordAtPath) => boolean): readonly Sql[] {
  const listed = paths.map(({ id, found }) => ({ id, found, lists: wordListsOf(id, found.newNumerous) }));
  // For a common order.
  const rows = [
    ...listed.flatMap(({ id, found: { words, newNumerous }, lists }) =>
      [...words, ...(lists.length === 0 ? newNumerous.map(({ word }) => word) : [])].map((word) => ({ id, word })),
    ),
    ...oldNumerousOf(paths)
      .filter((one) => !isListed(one))
      .map(({ pathId, word }) => ({ id: pathId, word })),
  ];
  const lists = insertedWordLists(listed.flatMap((one) => one.lists));
  if (rows.length === 0) return lists;
  return [
    ...lists,
    sql`
      insert into fuzzy_word (path_id, word)
      select path_id, word
        from unnest(
          ${rows.map(({ id }) => id)}::int[],
          ${rows.map(({ word }) => word)}::text[]) as new (path_id, word)
       order by path_id, word collate "C"
          on conflict do nothing`,
  ];
}

function insertedShapes(rows: readonly { readonly id: number | undefined; readonly aspect: string }[]): readonly Sql[] {
  if (rows.length === 0) return [];
  return [
    sql`
      insert into data_shape (path_id, aspect)
      select path_id, aspect
        from unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ aspect }) => aspect)}::text[]) as new (path_id, aspect)
       order by path_id, aspect collate "C"
          on conflict do nothing`,
  ];
}

/** By `nameOfPath`. */
export type PathIds = ReadonlyMap<string, number>;

/** Creates missing ones; `known` ids are not looked up. */
export async function pathIdsOf(
  transaction: Queryable,
  vocabularies: readonly Vocabulary[],
  known: PathIds = new Map(),
): Promise<PathIds> {
  const ids = new Map<string, number>();
  const others: NamedPath[] = [];
  for (const [name, at] of pathsByName(vocabularies)) {
    const id = known.get(name);
    if (id === undefined) others.push(named(name, at));
    else ids.set(name, id);
  }
  const add = async (paths: readonly NamedPath[]): Promise<void> => {
    for (const [name, id] of await existingIdsOf(transaction, paths)) ids.set(name, id);
  };
  if (others.length > 0) await add(others);
  const missing = others.filter(({ name }) => !ids.has(name));
  if (missing.length === 0) return ids;
  await transaction.query(sql`
    insert into fuzzy_path (hash, path, is_field)
    select decode(hash, 'hex'), path, is_field
      from unnest(
        ${missing.map(({ hash }) => hash)}::text[],
        ${missing.map(({ path }) => path)}::text[],
        ${missing.map(({ isField }) => isField)}::boolean[]) as new (hash, path, is_field)
     order by hash collate "C"
        on conflict do nothing`);
  await add(missing);
  return ids;
}

/** The ids of the paths visible to searches. */
export async function storedPathIds(reader: Queryable, vocabularies: readonly Vocabulary[]): Promise<PathIds> {
  const paths = [...pathsByName(vocabularies)].map(([name, at]) => named(name, at));
  if (paths.length === 0) return new Map();
  const rows = await reader.query<WordPath & { id: number }>(sql`
    select stored.id, stored.path, stored.is_field as "isField"
      from unnest(
             ${paths.map(({ hash }) => hash)}::text[],
             ${paths.map(({ path }) => path)}::text[],
             ${paths.map(({ isField }) => isField)}::boolean[]) as asked (hash, path, is_field)
           join fuzzy_path stored
             on stored.hash = decode(asked.hash, 'hex') and stored.path = asked.path and stored.is_field = asked.is_field`);
  return new Map(rows.map((row) => [nameOfPath(row), row.id]));
}

interface NamedPath extends WordPath {
  readonly name: string;
  readonly hash: string;
}

const pathsByName = (vocabularies: readonly Vocabulary[]): ReadonlyMap<string, WordPath> =>
  new Map(vocabularies.flatMap((one) => one.paths).map((at) => [nameOfPath(at), at]));

/** Hashed, since paths have any length. */
const named = (name: string, { path, isField }: WordPath): NamedPath => ({
  name,
  hash: createHash('sha256').update(name).digest('hex'),
  path,
  isField,
});

async function existingIdsOf(transaction: Queryable, paths: readonly NamedPath[]): Promise<PathIds> {
  const rows = await transaction.query<{ hash: string; id: number }>(sql`
    select encode(hash, 'hex') as hash, id from fuzzy_path
     where hash = any (array(select decode(hex, 'hex') from unnest(${paths.map(({ hash }) => hash)}::text[]) as hex))`);
  const names = new Map(paths.map(({ hash, name }) => [hash, name]));
  return new Map(rows.map(({ hash, id }) => [names.get(hash) ?? '', id]));
}

/** The key of a path in `PathIds`. */
export const nameOfPath = ({ path, isField }: WordPath): string => `${isField ? 'field' : 'member'} ${path}`;
