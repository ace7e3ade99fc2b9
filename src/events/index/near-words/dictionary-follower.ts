import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { inGroupsOf } from '../../../kernel/domain/in-groups-of.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { unlessAborted } from '../../../platform/database/connection/queryable.js';
import { MAY_IDLE } from '../../../platform/database/connection/session-settings.js';
import type { Transaction } from '../../../platform/database/pools/connections.js';
import { Database } from '../../../platform/database/pools/database.js';
import { Periodic, Refresher } from '../../../platform/jobs/periodic.js';
import { FairQueue } from '../../../platform/queue/fair-queue.js';
import { type Steps, stepwise } from '../../../platform/queue/time-slice.js';
import type { Shapes } from '../terms/shapes.js';
import type { DataPath } from '../values/data-path.js';
import type { FoundWord } from './found-word.js';
import type {
  AskedWord,
  FuzzyDictionary,
  NearInFields,
  NearWord,
  NearWords,
  WordsNear,
  WordsToSearch,
} from './fuzzy-dictionary.js';
import type { SearchTurn } from './search-turn.js';
import { storedWordsNear, type WordInBlocks } from './stored-words.js';
import {
  ADOPT,
  FETCH,
  type InBlocks,
  newRows,
  newShapes,
  type Reading,
  READING,
  readingOf,
  type Row,
  wordsFrom,
} from './word-rows.js';
import { WordsInMemory } from './words-in-memory.js';

/** A dictionary that answers in steps of a few milliseconds. */
interface WordsInSteps {
  stepsNear(word: string, among: WordsToSearch): Steps<NearWords>;
  stepsAt(path: DataPath, among: NearWords): Steps<readonly NearWord[]>;
  stepsInEachField(among: NearWords): Steps<NearInFields>;
}

export interface Searchable {
  readonly dictionary: WordsInSteps;
  readonly among: (word: string) => WordsToSearch;
}

/** Memoizes answers of `lookUp`. */
export class RememberedWords implements WordsNear {
  private readonly byPath = new Map<string, readonly NearWord[]>();
  private readonly byWord = new Map<string, NearInFields>();

  constructor(
    /** All words are looked up together. */
    private readonly searchable: (words: readonly string[], turn: SearchTurn) => Promise<Searchable>,
  ) {}

  at(path: DataPath, word: string): readonly NearWord[] {
    return lookedUp(this.byPath.get(keyOf(path, word)), word);
  }

  inEachField(word: string): NearInFields {
    return lookedUp(this.byWord.get(word), word);
  }

  async lookUp(asked: readonly AskedWord[], turn: SearchTurn): Promise<void> {
    const pathsByWord = new Map<string, Set<DataPath | undefined>>();
    for (const { word, path } of asked) {
      if (path === undefined ? this.byWord.has(word) : this.byPath.has(keyOf(path, word))) continue;
      pathsByWord.set(word, (pathsByWord.get(word) ?? new Set()).add(path));
    }
    if (pathsByWord.size === 0) return;
    const { dictionary, among } = await this.searchable([...pathsByWord.keys()], turn);
    for (const [word, paths] of pathsByWord) {
      const near = await stepwise(dictionary.stepsNear(word, among(word)), turn);
      for (const path of paths) {
        if (path === undefined) this.byWord.set(word, await stepwise(dictionary.stepsInEachField(near), turn));
        else this.byPath.set(keyOf(path, word), await stepwise(dictionary.stepsAt(path, near), turn));
      }
    }
  }
}

const keyOf = (path: DataPath, word: string): string => `${word} ${path}`;

/** Throws instead of an incomplete search. */
function lookedUp<T>(answer: T | undefined, word: string): T {
  if (answer === undefined) throw new Error(`the words near "${word}" were not looked up before they were needed`);
  return answer;
}

/** More rows use a cursor. */
const MOST_AT_ONCE = 1_000;

/** Reads ahead, for searches after an import. */
const FOLLOW_MS = 2_000;

/** As of the request. */
export interface Known {
  readonly dictionary: WordsNear;
  readonly shapes: Shapes;
  readonly reading: ReadBefore;
}

/** The search's statement verifies it. */
export interface ReadBefore {
  /** A condition: nothing else has been written since. */
  readonly unchanged: Sql;
  /** False for another server; checked after the statement. */
  readonly isOfThisServer: () => boolean;
}

export interface ShapesAsRead {
  readonly shapes: Shapes;
  readonly reading: ReadBefore;
}

/**
 * Dictionary and shapes of this process. A search catches up first, and knows everything acknowledged before it, by any
 * process (S-14). Rows contain their transaction id, and transactions in progress are read again, so that none is lost.
 * Nothing is locked.
 */
@Injectable()
export class DictionaryFollower implements OnApplicationShutdown {
  private memory = new WordsInMemory();
  private readonly everything = new Refresher(() => this.read(this.memory));
  private readonly shapesAlone = new Refresher(() => this.readShapes(this.memory));
  private readonly loop = new Periodic({
    everyMs: FOLLOW_MS,
    work: () => this.everything.refresh(),
    // The next search reports a lasting problem.
    onError: () => undefined,
  });
  /** Bounds connections: look-ups precede the search's turn. */
  private readonly lookUps = new FairQueue({ atOnce: 3, mostWaiting: Infinity });

  constructor(private readonly database: Database) {
    // After lost commits transaction ids restart lower, which would hide new rows.
    database.primary.onNewServer(() => {
      this.memory = new WordsInMemory();
    });
  }

  /** Searches wait for the first reading. */
  start(): void {
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.everything.settled();
    await this.shapesAlone.settled();
  }

  /**
   * Everything committed before the call. Throws if the database cannot be read (the next call tries again), and the
   * signal's reason when it aborts; others continue to wait.
   */
  async caughtUp(signal?: AbortSignal): Promise<Known> {
    const memory = await this.upToDate(this.everything, signal);
    const dictionary = new RememberedWords((words, turn) => this.searchable(words, memory, turn));
    // It has just been read.
    const unchanged = memory.position === undefined ? sql`false` : noneOf(newRows(memory.position));
    return { dictionary, shapes: memory.shapes, reading: this.readingOf(memory, unchanged) };
  }

  /** Shapes alone, for a search that needs no words. */
  async shapes(signal?: AbortSignal): Promise<Shapes> {
    return (await this.upToDate(this.shapesAlone, signal)).shapes;
  }

  /** Without a statement; undefined before the first reading. */
  shapesAsRead(): ShapesAsRead | undefined {
    const { memory } = this;
    if (memory.shapesPosition === undefined) return undefined;
    return {
      shapes: memory.shapes,
      reading: this.readingOf(memory, noneOf(newShapes(memory.shapesPosition))),
    };
  }

  private readingOf(memory: WordsInMemory, unchanged: Sql): ReadBefore {
    return { unchanged, isOfThisServer: () => memory === this.memory };
  }

  get paths(): FuzzyDictionary['knownPaths'] {
    return this.memory.dictionary.knownPaths;
  }

  /** The number of words, and their bytes. */
  get size(): FuzzyDictionary['size'] {
    return this.memory.dictionary.size;
  }

  /** Starts again if the server has changed meanwhile. */
  private async upToDate(refresher: Refresher, signal: AbortSignal | undefined): Promise<WordsInMemory> {
    for (;;) {
      const { memory } = this;
      await unlessAborted(refresher.refresh(), signal);
      if (memory === this.memory) return memory;
    }
  }

  /** Before blocks: moved words are forgotten. */
  private async searchable(words: readonly string[], known: WordsInMemory, turn: SearchTurn): Promise<Searchable> {
    for (let memory = known; ; memory = await this.upToDate(this.everything, turn.signal)) {
      const { dictionary } = memory;
      const { names } = dictionary;
      const found = new Map<string, readonly FoundWord[]>();
      for (const word of words) found.set(word, await stepwise(dictionary.recent.near(word), turn));
      for (const [word, stored] of await this.storedNear(memory.mayBeInBlocks(words), turn)) {
        found.set(word, [...(found.get(word) ?? []), ...stored]);
      }
      // The server has changed.
      if (memory !== this.memory) continue;
      const idOf = await memory.addPaths(
        this.database,
        [...found.values()].flatMap((each) => each.map(({ pathId }) => pathId)),
      );
      const foundOf = (word: string): readonly FoundWord[] =>
        (found.get(word) ?? []).map((one) => ({ ...one, pathId: idOf(one.pathId) }));
      return { dictionary, among: (word) => ({ names, found: foundOf(word) }) };
    }
  }

  /** Few words per turn, so that no search blocks others. */
  private async storedNear(
    words: readonly WordInBlocks[],
    turn: SearchTurn,
  ): Promise<ReadonlyMap<string, readonly FoundWord[]>> {
    const found = new Map<string, readonly FoundWord[]>();
    for (const some of inGroupsOf(words, WORDS_A_TURN)) {
      const stored = await this.lookUps.run(turn.client, turn.signal ?? NEVER, () =>
        storedWordsNear(this.database, some, turn),
      );
      for (const [word, near] of stored) found.set(word, near);
    }
    return found;
  }

  private async read(memory: WordsInMemory): Promise<void> {
    const { position } = memory;
    if (position === undefined) for (const adopt of ADOPT) await this.database.patient.query(adopt);
    const reading =
      position === undefined
        ? await this.readAll(memory, async (snapshot, inBlocks) => {
            const shapes = await memory.beginShapes(snapshot);
            return sql`${wordsFrom(inBlocks)} union all ${shapes}`;
          })
        : await this.readNew(memory, newRows(position));
    memory.position = reading.position;
    memory.keepRecent(reading);
    // Forgotten words may be in no block.
    if (memory.lacksWords) this.memory = new WordsInMemory();
  }

  /** Keeps the state of blocks: words may be older. */
  private async readShapes(memory: WordsInMemory): Promise<void> {
    const { shapesPosition } = memory;
    const reading =
      shapesPosition === undefined
        ? await this.readAll(memory, (snapshot) => memory.beginShapes(snapshot))
        : await this.readNew(memory, newShapes(shapesPosition));
    memory.shapesPosition = reading.position;
  }

  private async readNew(memory: WordsInMemory, found: Sql): Promise<Reading> {
    const rows = await this.database.query<Row & Reading>(sql`
      select reading.*, path_id, words, aspects
        from (${READING}) as reading left join lateral (${found} limit ${MOST_AT_ONCE + 1}::int) found on true`);
    const reading = readingOf(rows);
    if (rows.length > MOST_AT_ONCE) return this.readAll(memory, () => found);
    await memory.add(
      this.database,
      // An empty result is one row of nulls.
      rows.filter((row) => (row.path_id as number | null) !== null),
    );
    return reading;
  }

  private readAll(
    memory: WordsInMemory,
    found: (snapshot: Transaction, inBlocks: InBlocks) => Sql | Promise<Sql>,
  ): Promise<Reading> {
    return this.database.patient.snapshot(async (transaction) => {
      await transaction.query(MAY_IDLE);
      const reading = readingOf(await transaction.query<Reading>(READING));
      const statement = await found(transaction, reading);
      await transaction.query(sql`declare words no scroll cursor for ${statement}`);
      let rows: readonly Row[];
      do {
        rows = await transaction.query<Row>(FETCH);
        await memory.add(transaction, rows);
      } while (rows.length > 0);
      return reading;
    });
  }
}

/** Fits into a statement or two. */
const WORDS_A_TURN = 12;

const NEVER = new AbortController().signal;

const noneOf = (rows: Sql): Sql => sql`(select not exists (${rows}))`;
