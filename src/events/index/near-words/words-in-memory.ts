import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import type { Transaction } from '../../../platform/database/pools/connections.js';
import { ALL_BUT_YEARS, type ShapeAspect } from '../terms/data-aspect.js';
import { KnownShapes, MOST_YEARS } from '../terms/shapes.js';
import { BEYOND, type DataPath } from '../values/data-path.js';
import { FuzzyDictionary } from './fuzzy-dictionary.js';
import { MOST_PATH_CHARACTERS, MOST_PATHS } from './known-paths.js';
import type { WordInBlocks } from './stored-words.js';
import type { Position, Reading, Row } from './word-rows.js';

/** Years come last, and may be cut off. */
const MOST_AT_A_PATH = ALL_BUT_YEARS.length + MOST_YEARS + 1;

/** Over all paths beyond the limit. */
export const MOST_BEYOND = 100_000;

/** Rows `Row`. */
const shapesAt = (pathIds: readonly number[]): Sql => sql`
  select told.id as path_id, null as words, found.aspects
    from unnest(${pathIds}::int[]) as told (id)
         cross join lateral (
           select array_agg(aspect) as aspects
             from (select aspect from data_shape
                    where path_id = told.id order by aspect limit ${MOST_AT_A_PATH}::int) as first) as found`;

interface AspectSomewhere {
  readonly isField: boolean;
  readonly aspect: ShapeAspect;
}

/** Distinct kinds of values from this path on. */
async function shapesFrom(
  reader: Pick<Queryable, 'query'>,
  pathId: number,
): Promise<readonly AspectSomewhere[] | 'too many'> {
  const rows = await reader.query<AspectSomewhere & { readonly count: number }>(sql`
    select is_field as "isField", aspect, count(*)::int as count
      from (select path_id, aspect from data_shape
             where path_id >= ${pathId}::int order by path_id, aspect limit ${MOST_BEYOND + 1}::int) as later
           join fuzzy_path on id = path_id
     group by is_field, aspect`);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return count > MOST_BEYOND ? 'too many' : rows;
}

/** How often other work gets its turn. */
const LONGEST_TURN_MS = 2;

const LOG = new Logger('Words');

/** The limit of S-11. */
const MOST_EDITS = 2;

/** Words and shapes read from one server. */
export class WordsInMemory {
  readonly dictionary = new FuzzyDictionary();
  readonly shapes = new KnownShapes();
  position: Position | undefined;
  /** Separate: shapes are few, and need not wait for words. */
  shapesPosition: Position | undefined;
  private inBlocks: Reading | undefined;

  private isToldOfMore = false;

  /** Some forgotten words are no longer recorded as in blocks. */
  lacksWords = false;

  /** Called after all rows of a reading, in order. */
  keepRecent(reading: Reading): void {
    const { numbersBefore = '0', namesBefore = '0' } = this.inBlocks ?? {};
    this.lacksWords ||=
      BigInt(reading.numbersBefore) < BigInt(numbersBefore) || BigInt(reading.namesBefore) < BigInt(namesBefore);
    this.inBlocks = reading;
    const [, next = ''] = reading.position.split(':');
    const nextId = BigInt(next);
    this.dictionary.keep(
      { nextId, inBlocksBefore: BigInt(reading.numbersBefore) },
      { nextId, inBlocksBefore: BigInt(reading.namesBefore) },
    );
  }

  mayBeInBlocks(words: readonly string[]): readonly WordInBlocks[] {
    const {
      numbersBefore = '0',
      namesBefore = '0',
      shortestAddress = null,
      numberLetters = null,
    } = this.inBlocks ?? {};
    const nameLetters = namesBefore === '0' ? undefined : this.inBlocks?.nameLetters;
    return words.flatMap((word) => {
      // Most words are shorter than any address.
      const addresses = word.length + MOST_EDITS >= (shortestAddress ?? Infinity);
      const mayBeNumber = numbersBefore !== '0' && (addresses || /[\d@]/.test(word));
      const numbers = mayBeNumber ? { letters: numberLetters ?? undefined, addresses } : undefined;
      return numbers !== undefined || nameLetters !== undefined ? [{ word, numbers, nameLetters }] : [];
    });
  }

  async add(reader: Pick<Transaction, 'query'>, rows: readonly Row[]): Promise<void> {
    const idOf = await this.addPaths(
      reader,
      rows.map((row) => row.path_id),
    );
    let began = performance.now();
    for (const { path_id, words, aspects } of rows) {
      const id = idOf(path_id);
      if (words !== null) this.dictionary.addAll(id, words.split(' '));
      const path = this.dictionary.pathOf(id);
      if (path !== undefined) for (const aspect of aspects ?? []) this.shapes.add(path, aspect);
      if (performance.now() - began < LONGEST_TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
  }

  /** Resolves with the ids for values. */
  async addPaths(reader: Pick<Transaction, 'query'>, ids: readonly number[]): Promise<(id: number) => number> {
    const unknown = new Set(ids.filter((id) => this.dictionary.pathOf(id) === undefined));
    const kept = new Map<number, number>();
    if (unknown.size > 0) {
      // Invented paths follow those of the forms.
      const paths = await reader.query<{ id: number; path: DataPath; is_field: boolean }>(
        sql`select id, path, is_field from fuzzy_path where id = any (${[...unknown]}::int[]) order by id`,
      );
      for (const { id, path, is_field: isField } of paths) kept.set(id, this.dictionary.addPath(id, { path, isField }));
      if (this.dictionary.knownPaths.hasMore && !this.isToldOfMore) {
        this.isToldOfMore = true;
        LOG.warn('declarations have more field ids and keys than are told apart; the newest are searched as one');
      }
    }
    return (id) => kept.get(id) ?? id;
  }

  /** Registers the oldest paths, and reads the others' kinds of values. Resolves with the statement for the rest. */
  async beginShapes(snapshot: Pick<Transaction, 'query'>): Promise<Sql> {
    const firstBeyond = await this.addOldestPaths(snapshot);
    if (firstBeyond !== undefined) {
      const found = await shapesFrom(snapshot, firstBeyond);
      if (found === 'too many') this.shapes.addAnythingBeyond();
      else for (const { isField, aspect } of found) this.shapes.add({ path: BEYOND, isField }, aspect);
    }
    return shapesAt(this.dictionary.knownPaths.ids);
  }

  /** Up to the limit. Resolves with the first of the others. */
  private async addOldestPaths(reader: Pick<Transaction, 'query'>): Promise<number | undefined> {
    // One more than the limit.
    const oldest = await reader.query<{ id: number }>(sql`
      select id from (select id, sum(length(path)) over (order by id) - length(path) as characters_before
                        from (select id, path from fuzzy_path order by id limit ${MOST_PATHS + 1}::int) first) paths
       where characters_before <= ${MOST_PATH_CHARACTERS}::int
       order by id`);
    const idOf = await this.addPaths(
      reader,
      oldest.map(({ id }) => id),
    );
    return oldest.find(({ id }) => idOf(id) !== id)?.id;
  }
}
