import { setImmediate } from 'node:timers/promises';

import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/pools/connections.js';
import { Database } from '../../database/pools/database.js';
import { Refresher } from '../../database/refresher.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import type { ShapeAspect } from '../terms/data-aspect.js';
import type { DataPath } from '../values/data-path.js';
import type { Shapes } from '../words/shapes.js';
import { KnownShapes } from '../words/shapes.js';
import type { WordsNear } from './fuzzy-dictionary.js';
import { FuzzyDictionary } from './fuzzy-dictionary.js';
import { RememberedWords } from './remembered-words.js';
import { unlessAborted } from './unless-aborted.js';

/** Words, or an aspect of the values, at a path. */
interface Row {
  readonly path_id: number;
  /** Separated by spaces. */
  readonly words: string | null;
  readonly aspect: ShapeAspect | null;
}

/** What a process has read: every row that was visible in this snapshot of the database (`pg_current_snapshot()`). */
type Position = string;

/** More new rows than this are read through a cursor. */
const MOST_AT_ONCE = 1_000;

/** While words are added, how often other work of the process gets its turn. */
const LONGEST_TURN_MS = 2;

/**
 * How often words are read before any search asks for them, so that a search after an import need not read all of them.
 */
const FOLLOW_MS = 2_000;

/** What searches must know of all records, as of the time when it was requested. */
export interface Known {
  readonly dictionary: WordsNear;
  readonly shapes: Shapes;
}

/** Shapes as they were last read, for a statement that asks by itself whether they are still all. */
export interface ShapesAsRead {
  readonly shapes: Shapes;
  /** A condition: no other shape has been written since. */
  readonly unchanged: Sql;
  /** False once they were those of another server: to be asked after the statement. */
  readonly isOfThisServer: () => boolean;
}

/**
 * The dictionary of this process and the shapes of the data, which follow the database: a search catches up first, so
 * that it knows every word and shape whose writing was acknowledged before the search arrived, by whichever process
 * (S-14). Rows contain the id of the transaction that wrote them, and what was in progress at the last reading is read
 * again, so that no order of commits loses any. Nothing is locked and no writer has to wait.
 */
@Injectable()
export class DictionaryFollower implements OnApplicationShutdown {
  private memory = new Memory();
  private readonly everything = new Refresher(() => this.read(this.memory));
  private readonly shapesAlone = new Refresher(() => this.readShapes(this.memory));
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {
    // Where commits were lost, transaction ids start again at lower values: new rows cannot be told from known ones
    //
    database.primary.onNewServer(() => {
      this.memory = new Memory();
    });
  }

  /** Starts to read the existing words; searches that arrive before all are read wait for them. */
  start(): void {
    this.follow();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.everything.settled();
    await this.shapesAlone.settled();
    clearTimeout(this.timer);
  }

  /**
   * Words and shapes for one search: everything committed before the call. Throws when the database cannot be read, and
   * the next call tries again; throws the signal's reason when it aborts, while other callers continue to wait.
   */
  async caughtUp(signal?: AbortSignal): Promise<Known> {
    const { dictionary, shapes } = await this.upToDate(this.everything, signal);
    return { dictionary: new RememberedWords(dictionary), shapes };
  }

  /** Only the shapes, for a search that needs no words. */
  async shapes(signal?: AbortSignal): Promise<Shapes> {
    return (await this.upToDate(this.shapesAlone, signal)).shapes;
  }

  /** Without a statement of their own; undefined before they were read for the first time. */
  shapesAsRead(): ShapesAsRead | undefined {
    const { memory } = this;
    if (memory.shapesPosition === undefined) return undefined;
    return {
      shapes: memory.shapes,
      unchanged: sql`(select not exists (${newShapes(memory.shapesPosition)}))`,
      isOfThisServer: () => memory === this.memory,
    };
  }

  /** How many words there are, and their memory in bytes. */
  get size(): FuzzyDictionary['size'] {
    return this.memory.dictionary.size;
  }

  /** What is known once it has caught up; starts again if the server has changed meanwhile. */
  private async upToDate(refresher: Refresher, signal: AbortSignal | undefined): Promise<Memory> {
    for (;;) {
      const { memory } = this;
      await unlessAborted(refresher.refresh(), signal);
      if (memory === this.memory) return memory;
    }
  }

  private follow(): void {
    this.everything
      .refresh()
      // If the problem persists, the next search reports it.
      .catch(() => undefined)
      .finally(() => {
        this.timer = setTimeout(() => {
          this.follow();
        }, FOLLOW_MS).unref();
      });
  }

  private async read(memory: Memory): Promise<void> {
    if (memory.position === undefined) {
      for (const adopt of ADOPT) await this.database.patient.query(adopt);
      memory.position = await this.readAll(memory, sql`${EVERY_WORD} union all ${ALL_SHAPES}`);
    } else {
      memory.position = await this.readNew(memory, newRows(memory.position));
    }
  }

  private async readShapes(memory: Memory): Promise<void> {
    memory.shapesPosition =
      memory.shapesPosition === undefined
        ? await this.readAll(memory, ALL_SHAPES)
        : await this.readNew(memory, newShapes(memory.shapesPosition));
  }

  private async readNew(memory: Memory, found: Sql): Promise<Position | undefined> {
    const rows = await this.database.query<Row & { position: Position }>(sql`
      select pg_current_snapshot()::text as position, path_id, words, aspect
        from (select) one left join lateral (${found} limit ${MOST_AT_ONCE + 1}::int) found on true`);
    if (rows.length > MOST_AT_ONCE) return this.readAll(memory, found);
    await memory.add(
      this.database,
      // An empty result is one row of nulls.
      rows.filter((row) => (row.path_id as number | null) !== null),
    );
    return rows[0]?.position;
  }

  private readAll(memory: Memory, found: Sql): Promise<Position | undefined> {
    return this.database.patient.snapshot(async (transaction) => {
      const [row] = await transaction.query<{ position: Position }>(
        sql`select pg_current_snapshot()::text as position`,
      );
      await transaction.query(sql`declare words no scroll cursor for ${found}`);
      let rows: readonly Row[];
      do {
        rows = await transaction.query<Row>(FETCH);
        await memory.add(transaction, rows);
      } while (rows.length > 0);
      return row?.position;
    });
  }
}

/** What was read from one server. */
class Memory {
  readonly dictionary = new FuzzyDictionary();
  readonly shapes = new KnownShapes();
  position: Position | undefined;
  /** Shapes are few: callers that need no words do not wait for the first reading of all words. */
  shapesPosition: Position | undefined;

  async add(reader: Pick<Transaction, 'query'>, rows: readonly Row[]): Promise<void> {
    const unknown = new Set(rows.map((row) => row.path_id).filter((id) => this.dictionary.pathOf(id) === undefined));
    if (unknown.size > 0) {
      const paths = await reader.query<{ id: number; path: DataPath; is_field: boolean }>(
        sql`select id, path, is_field from fuzzy_path where id = any (${[...unknown]}::int[])`,
      );
      for (const { id, path, is_field: isField } of paths) this.dictionary.addPath(id, { path, isField });
    }
    let began = performance.now();
    for (const { path_id: id, words, aspect } of rows) {
      if (words !== null) this.dictionary.addAll(id, words.split(' '));
      const path = this.dictionary.pathOf(id);
      if (aspect !== null && path !== undefined) this.shapes.add(path, aspect);
      if (performance.now() - began < LONGEST_TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
  }
}

const ALL_WORDS = sql`select path_id, word as words, null as aspect from fuzzy_word`;
const ALL_LISTS = sql`select path_id, words, null as aspect from fuzzy_word_list`;
const ALL_SHAPES = sql`select path_id, null as words, aspect from data_shape`;

/** Some hundred words in a row: reading each separately takes longer than adding it. */
const EVERY_WORD = sql`
  select path_id, string_agg(word, ' ') as words, null as aspect
    from (select path_id, word, row_number() over (order by path_id, word) / 500 as part from fuzzy_word) as numbered
   group by path_id, part
   union all ${ALL_LISTS}`;

const newRows = (position: Position): Sql =>
  sql`${newAmong(ALL_WORDS, position)} union all ${newAmong(ALL_LISTS, position)} union all ${newShapes(position)}`;

const newShapes = (position: Position): Sql => newAmong(ALL_SHAPES, position);

/** Rows of transactions that had not ended, or not begun, at `position`: `xmin:xmax:in progress,…`. */
function newAmong(rows: Sql, position: Position): Sql {
  const [, begun = '', inProgress = ''] = position.split(':');
  const later = sql`${rows} where written_by >= ${begun}::xid8`;
  if (inProgress === '') return later;
  return sql`${later} union all ${rows} where written_by = any (${inProgress.split(',')}::xid8[])`;
}

/** Rows restored from another cluster's dump can have ids of transactions that are still in this cluster's future. */
const ADOPT = [sql`fuzzy_word`, sql`fuzzy_word_list`, sql`data_shape`].map(
  (table) => sql`update ${table} set written_by = pg_current_xact_id()
                  where written_by >= pg_snapshot_xmax(pg_current_snapshot())`,
);

// A count cannot be a parameter of FETCH. A row can contain some hundred words.
const FETCH = sql`fetch forward 100 from words`;
