import { createHash } from 'node:crypto';

import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../sql/sql.js';
import type { ShapeAspect } from '../terms/data-aspect.js';
import { kindsOf } from '../terms/data-aspect.js';
import type { Term } from '../terms/term-kind.js';
import { textOf } from '../terms/term-kind.js';
import type { NumerousWord } from './numerous-words.js';
import { listedAmong, wordListsOf, writeWordLists } from './numerous-words.js';
import type { PathVocabulary, Vocabulary, WordPath } from './vocabulary.js';

/** The vocabulary of one event. */
export interface EventVocabulary {
  readonly seq: string;
  /** The event's vocabulary was never written before. */
  readonly isNew: boolean;
  readonly vocabulary: Vocabulary;
}

/**
 * Writes the vocabulary of records that the transaction writes, so that every search knows it after the commit (S-14).
 * Existing rows are not touched. Write the whole vocabulary of a transaction at once, and last: then all transactions
 * write in the same order, and nobody waits long for a word that another is about to commit.
 */
export async function writeVocabulary(transaction: Queryable, events: readonly EventVocabulary[]): Promise<void> {
  const byPath = byHash(events);
  if (byPath.size > 0) {
    const ids = await idsOf(transaction, new Map([...byPath].map(([hash, { path }]) => [hash, path])));
    const paths = [...byPath].map(([hash, found]) => ({ id: ids.get(hash), found }));
    await writeWords(transaction, paths);
    await writeShapes(
      transaction,
      paths.flatMap(({ id, found }) => [...found.aspects].map((aspect) => ({ id, aspect }))),
    );
    await writeDoubts(
      transaction,
      paths.filter(({ found }) => found.aspects.has('several')).map(({ found }) => found.path),
    );
  }
  await writeTerms(
    transaction,
    events.flatMap(({ vocabulary }) => vocabulary.terms),
  );
}

/** What occurs at one path. */
class Collected {
  readonly words = new Set<string>();
  /** Of new events. */
  readonly newNumerous: NumerousWord[] = [];
  /** Of others, some of which may already be in a list. */
  readonly numerous: NumerousWord[] = [];
  readonly aspects = new Set<ShapeAspect>();

  constructor(readonly path: WordPath) {}

  add({ seq, isNew }: EventVocabulary, { words, numerous, aspects }: PathVocabulary): void {
    for (const word of words) this.words.add(word);
    for (const word of numerous) (isNew ? this.newNumerous : this.numerous).push({ word, seq });
    for (const aspect of aspects) this.aspects.add(aspect);
  }
}

/** What occurs at each path, by the path's hash. */
function byHash(events: readonly EventVocabulary[]): ReadonlyMap<string, Collected> {
  const collected = new Map<string, Collected>();
  for (const event of events) {
    for (const at of event.vocabulary.paths) {
      const key = `${at.isField} ${at.path}`;
      const known = collected.get(key) ?? new Collected(at);
      collected.set(key, known);
      known.add(event, at);
    }
  }
  return new Map([...collected.values()].map((at) => [hashOf(at.path), at]));
}

interface Path {
  readonly id: number | undefined;
  readonly found: Collected;
}

async function writeWords(transaction: Queryable, paths: readonly Path[]): Promise<void> {
  const listed = paths.map(({ id, found }) => ({ id, found, lists: wordListsOf(id, found.newNumerous) }));
  await writeWordLists(
    transaction,
    listed.flatMap(({ lists }) => lists),
  );
  const known = paths.flatMap(({ id, found }) =>
    id === undefined ? [] : found.numerous.map((one) => ({ ...one, pathId: id })),
  );
  const isListed = await listedAmong(transaction, known);
  // All rows in one statement, so that they are in one order.
  const rows = [
    ...listed.flatMap(({ id, found: { words, newNumerous }, lists }) =>
      [...words, ...(lists.length === 0 ? newNumerous.map(({ word }) => word) : [])].map((word) => ({ id, word })),
    ),
    ...known.filter((one) => !isListed(one)).map(({ pathId, word }) => ({ id: pathId, word })),
  ];
  if (rows.length === 0) return;
  await transaction.query(sql`
    insert into fuzzy_word (path_id, word)
    select path_id, word
      from unnest(
        ${rows.map(({ id }) => id)}::int[],
        ${rows.map(({ word }) => word)}::text[]) as new (path_id, word)
     order by path_id, word collate "C"
        on conflict do nothing`);
}

async function writeShapes(
  transaction: Queryable,
  rows: readonly { readonly id: number | undefined; readonly aspect: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query(sql`
    insert into data_shape (path_id, aspect)
    select path_id, aspect
      from unnest(${rows.map(({ id }) => id)}::int[], ${rows.map(({ aspect }) => aspect)}::text[]) as new (path_id, aspect)
     order by path_id, aspect collate "C"
        on conflict do nothing`);
}

/** Searches that have not read yet that a field has such values must not trust its terms to decide. */
async function writeDoubts(transaction: Queryable, fields: readonly WordPath[]): Promise<void> {
  if (fields.length === 0) return;
  const hashes = fields.map(({ path }) => kindsOf(path).kind('several').ownHash);
  await transaction.query(sql`
    insert into term_doubt select distinct hash from unnest(${hashes}::bigint[]) as new (hash) order by hash
        on conflict do nothing`);
}

async function writeTerms(transaction: Queryable, found: readonly Term[]): Promise<void> {
  const terms = [...new Map(found.map((term) => [textOf(term), term.hash]))];
  if (terms.length === 0) return;
  const written = await transaction.query<{ hash: string }>(sql`
    insert into term (hash, text)
    select hash, text
      from unnest(${terms.map(([, hash]) => hash)}::bigint[], ${terms.map(([text]) => text)}::text[]) as new (hash, text)
     order by hash
        on conflict do nothing returning hash`);
  if (written.length === terms.length) return;
  const isWritten = new Set(written.map(({ hash }) => hash));
  const hashes = new Set(terms.map(([, hash]) => hash));
  // If two of these texts have the same hash, it is not known which of them was written.
  const others = hashes.size < terms.length ? terms : terms.filter(([, hash]) => !isWritten.has(String(hash)));
  await writeCollisions(transaction, others);
}

/**
 * Hashes that already belong to another text. A separate statement: what the previous one waited for is visible only to
 * the next.
 */
async function writeCollisions(transaction: Queryable, terms: readonly (readonly [string, bigint])[]): Promise<void> {
  await transaction.query(sql`
    insert into term_doubt
    select distinct hash
      from unnest(${terms.map(([, hash]) => hash)}::bigint[], ${terms.map(([text]) => text)}::text[]) as new (hash, text)
      join term using (hash)
     where term.text <> new.text
     order by hash
        on conflict (hash) do update set moved_by = null where term_doubt.moved_by is not null`);
}

/** Ids of the paths, by their hashes; creates those that are missing. */
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

/** Of a path of any length; no two paths are known to have the same hash. */
const hashOf = ({ path, isField }: WordPath): string =>
  createHash('sha256')
    .update(`${isField ? 'field' : 'member'} ${path}`)
    .digest('hex');
