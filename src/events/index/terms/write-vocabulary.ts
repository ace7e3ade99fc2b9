import { createHash } from 'node:crypto';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { ShapeAspect } from './terms.js';
import { keysOfStored } from './near-words.js';
import type { Vocabulary, WordPath } from './vocabulary.js';

/**
 * Changes for `oneStatement`: every search knows the vocabulary after the commit (S-14). Write that of a transaction at
 * once and last: a common order keeps lock waits short. `pathIds`: of all its paths.
 */
export function vocabularyInsertions(vocabularies: readonly Vocabulary[], pathIds: PathIds): readonly Sql[] {
  const paths = byPath(vocabularies).map((found) => ({ id: pathIds.get(nameOfPath(found.path)), found }));
  const words = paths.flatMap(({ id, found }) => [...found.words].map((word) => ({ id, word })));
  return [
    ...insertedWords(words),
    ...insertedKeys([...new Set(words.map(({ word }) => word))]),
    ...insertedShapes(paths.flatMap(({ id, found }) => [...found.aspects].map((aspect) => ({ id, aspect })))),
  ];
}

/** Everything at one path. */
interface Collected {
  readonly path: WordPath;
  readonly words: Set<string>;
  readonly aspects: Set<ShapeAspect>;
}

function byPath(vocabularies: readonly Vocabulary[]): readonly Collected[] {
  const collected = new Map<string, Collected>();
  for (const at of vocabularies.flatMap(({ paths }) => paths)) {
    const key = nameOfPath(at);
    const known = collected.get(key) ?? { path: at, words: new Set(), aspects: new Set() };
    collected.set(key, known);
    for (const word of at.words) known.words.add(word);
    for (const aspect of at.aspects) known.aspects.add(aspect);
  }
  return [...collected.values()];
}

function insertedWords(rows: readonly { readonly id: number | undefined; readonly word: string }[]): readonly Sql[] {
  if (rows.length === 0) return [];
  return [
    sql`
      insert into fuzzy_word (path_id, word)
      select path_id, word
        from unnest(
          ${rows.map(({ id }) => id)}::int[],
          ${rows.map(({ word }) => word)}::text[]) as new (path_id, word)
       order by word collate "C", path_id
          on conflict do nothing`,
  ];
}

/** All keys of a word are written at once: where the first is there, the others are. */
function insertedKeys(words: readonly string[]): readonly Sql[] {
  if (words.length === 0) return [];
  const keys = words.map(keysOfStored);
  return [
    sql`
      insert into fuzzy_key (key, word)
      select key::int, word
        from (select word, keys
                from unnest(
                  ${words}::text[],
                  ${keys.map(([first]) => first)}::int[],
                  ${keys.map((some) => some.join(' '))}::text[]) as new (word, first, keys)
               -- A scalar uses the index, whatever the planner expects of the lists.
               where (select true from fuzzy_key as known where known.key = first and known.word = new.word) is null
              offset 0) as missing, string_to_table(keys, ' ') as key
       order by key::int, word collate "C"
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

const named = (name: string, at: WordPath): NamedPath => ({ ...at, name, hash: hashOfPath(at) });

/** In hexadecimal: paths have any length. */
export const hashOfPath = (at: WordPath): string => createHash('sha256').update(nameOfPath(at)).digest('hex');

async function existingIdsOf(transaction: Queryable, paths: readonly NamedPath[]): Promise<PathIds> {
  const rows = await transaction.query<{ hash: string; id: number }>(sql`
    select encode(hash, 'hex') as hash, id from fuzzy_path
     where hash = any (array(select decode(hex, 'hex') from unnest(${paths.map(({ hash }) => hash)}::text[]) as hex))`);
  const names = new Map(paths.map(({ hash, name }) => [hash, name]));
  return new Map(rows.map(({ hash, id }) => [names.get(hash) ?? '', id]));
}

/** The key of a path in `PathIds`. */
export const nameOfPath = ({ path, isField }: WordPath): string => `${isField ? 'field' : 'member'} ${path}`;
