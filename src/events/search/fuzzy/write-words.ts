import { createHash } from 'node:crypto';

import type { Queryable } from '../../../database/queryable.js';
import { sql } from '../../../sql/sql.js';
import type { WordPath } from './fuzzy-dictionary.js';
import type { WordsAtPath } from './words-of-facts.js';

/**
 * Writes the words of records that the transaction writes, so that every dictionary finds them once it has committed
 * (S-14). A word that is there already is not touched. All of a transaction's words are to be written at once and last:
 * then they are in one order in all transactions, and nobody waits long for a word that another is about to commit.
 */
export async function writeWords(transaction: Queryable, words: Iterable<WordsAtPath>): Promise<void> {
  const byPath = byHash(words);
  if (byPath.size === 0) return;
  const ids = await idsOf(transaction, new Map([...byPath].map(([hash, { path }]) => [hash, path])));
  const rows = [...byPath].flatMap(([hash, at]) => [...at.words].map((word) => ({ id: ids.get(hash), word })));
  await transaction.query(sql`
    insert into fuzzy_word (path_id, word)
    select path_id, word
      from unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ word }) => word)}::text[]) as new (path_id, word)
     order by path_id, word collate "C"
        on conflict do nothing`);
}

interface Collected {
  readonly path: WordPath;
  readonly words: Set<string>;
}

/** The words of each path, by the path's hash. */
function byHash(words: Iterable<WordsAtPath>): ReadonlyMap<string, Collected> {
  const collected = new Map<string, Collected>();
  for (const at of words) {
    const key = `${at.isField} ${at.path}`;
    const known = collected.get(key) ?? { path: at, words: new Set<string>() };
    collected.set(key, known);
    for (const word of at.words) known.words.add(word);
  }
  return new Map([...collected.values()].map((at) => [hashOf(at.path), at]));
}

/** Ids of the paths, by their hashes; new ones are made for those that have none. */
async function idsOf(
  transaction: Queryable,
  paths: ReadonlyMap<string, WordPath>,
): Promise<ReadonlyMap<string, number>> {
  const ids = await knownIdsOf(transaction, [...paths.keys()]);
  const missing = [...paths].filter(([hash]) => !ids.has(hash));
  if (missing.length === 0) return ids;
  await transaction.query(sql`
    insert into fuzzy_path (hash, path, is_field)
    select decode(hash, 'hex'), path, is_field
      from unnest(
        ${missing.map(([hash]) => hash)}::text[],
        ${missing.map(([, { path }]) => path)}::text[],
        ${missing.map(([, { isField }]) => isField)}::boolean[]) as new (hash, path, is_field)
     order by hash collate "C"
        on conflict do nothing`);
  return knownIdsOf(transaction, [...paths.keys()]);
}

async function knownIdsOf(transaction: Queryable, hashes: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.query<{ hash: string; id: number }>(sql`
    select encode(hash, 'hex') as hash, id from fuzzy_path
     where hash = any (array(select decode(hex, 'hex') from unnest(${hashes}::text[]) as hex))`);
  return new Map(rows.map(({ hash, id }) => [hash, id]));
}

/** Of a path of any length; no two paths are known to have the same. */
const hashOf = ({ path, isField }: WordPath): string =>
  createHash('sha256')
    .update(`${isField ? 'field' : 'member'} ${path}`)
    .digest('hex');
