import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../database/connections.js';
import { Database } from '../../../database/database.js';
import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';
import type { DataPath } from '../terms.js';
import type { WordsNear } from './fuzzy-dictionary.js';
import { FuzzyDictionary } from './fuzzy-dictionary.js';
import { RememberedWords } from './remembered-words.js';

interface WordRow {
  readonly path_id: number;
  readonly word: string;
}

/** What a process has read: every word that was visible in this snapshot of the database (`pg_current_snapshot()`). */
type Position = string;

/** More new words than this are read through a cursor. */
const MOST_AT_ONCE = 1_000;

/** How often words are read that nobody has asked for yet, so that a search after an import need not read all of them. */
const FOLLOW_MS = 2_000;

/**
 * The dictionary of this process, which follows the database: a search catches up before it asks, so that it knows
 * every word whose writing was answered before the search came, by whichever process (S-14). Words say which transaction
 * wrote them, and what was in progress at the last reading is read again, so that no order of commits loses one. Nothing
 * is locked and no writer is held up.
 */
@Injectable()
export class DictionaryFollower implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly dictionary = new FuzzyDictionary();
  private position: Position | undefined;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** Begins to read the words there are; a search that comes before they are all read waits for them. */
  onApplicationBootstrap(): void {
    this.follow();
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running?.catch(() => undefined);
    clearTimeout(this.timer);
  }

  /**
   * The words near others, for one search: everything that was committed before the call. Throws when the database
   * cannot be read; the next call tries again.
   */
  async caughtUp(): Promise<WordsNear> {
    await this.catchUp();
    return new RememberedWords(this.dictionary);
  }

  /** How many words there are, and the memory that they take, in bytes. */
  get size(): FuzzyDictionary['size'] {
    return this.dictionary.size;
  }

  /** A reading that has begun may have missed what the caller must see: those who come meanwhile share the next one. */
  private catchUp(): Promise<void> {
    if (this.running === undefined) return this.start();
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.start();
      });
    return this.next;
  }

  private start(): Promise<void> {
    const reading = this.read().finally(() => {
      if (this.running === reading) this.running = undefined;
    });
    this.running = reading;
    return reading;
  }

  private follow(): void {
    this.catchUp()
      // The next search tells of it, if it lasts.
      .catch(() => undefined)
      .finally(() => {
        this.timer = setTimeout(() => {
          this.follow();
        }, FOLLOW_MS).unref();
      });
  }

  private async read(): Promise<void> {
    if (this.position === undefined) {
      await this.database.query(ADOPT);
      await this.readAll(sql`select path_id, word from fuzzy_word`);
      return;
    }
    const found = newWords(this.position);
    const rows = await this.database.query<WordRow & { position: Position }>(sql`
      select pg_current_snapshot()::text as position, path_id, word
        from (select) one left join lateral (${found} limit ${MOST_AT_ONCE + 1}::int) found on true`);
    if (rows.length > MOST_AT_ONCE) {
      await this.readAll(found);
      return;
    }
    await this.add(
      this.database,
      // No new word is one row without a word.
      rows.filter((row) => (row.word as string | null) !== null),
    );
    this.position = rows[0]?.position;
  }

  private readAll(words: Sql): Promise<void> {
    return this.database.snapshot(async (transaction) => {
      const [row] = await transaction.query<{ position: Position }>(
        sql`select pg_current_snapshot()::text as position`,
      );
      await transaction.query(sql`declare words no scroll cursor for ${words}`);
      while (await this.addSome(transaction));
      this.position = row?.position;
    });
  }

  private async addSome(transaction: Transaction): Promise<boolean> {
    const rows = await transaction.query<WordRow>(FETCH);
    await this.add(transaction, rows);
    return rows.length > 0;
  }

  private async add(reader: Pick<Transaction, 'query'>, rows: readonly WordRow[]): Promise<void> {
    const unknown = new Set(rows.map((row) => row.path_id).filter((id) => !this.dictionary.hasPath(id)));
    if (unknown.size > 0) {
      const paths = await reader.query<{ id: number; path: DataPath; is_field: boolean }>(
        sql`select id, path, is_field from fuzzy_path where id = any (${[...unknown]}::int[])`,
      );
      for (const { id, path, is_field: isField } of paths) this.dictionary.addPath(id, { path, isField });
    }
    for (const { path_id: id, word } of rows) this.dictionary.add(id, word);
  }
}

/** Words of transactions that were not over, or not begun, at `position`: `xmin:xmax:in progress,…`. */
function newWords(position: Position): Sql {
  const [, begun = '', inProgress = ''] = position.split(':');
  const ids = inProgress === '' ? [] : inProgress.split(',');
  return sql`select path_id, word from fuzzy_word where written_by >= ${begun}::xid8
             union all select path_id, word from fuzzy_word where written_by = any (${ids}::xid8[])`;
}

/** Words restored from another cluster's dump can name transactions that this one has still to come to. */
const ADOPT = sql`update fuzzy_word set written_by = pg_current_xact_id()
                   where written_by >= pg_snapshot_xmax(pg_current_snapshot())`;

// A count cannot be a parameter of FETCH. So many words are added in some ten milliseconds.
const FETCH = sql`fetch forward 5000 from words`;
