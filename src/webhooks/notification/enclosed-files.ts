import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import { Database } from '../../platform/database/pools/database.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { FileMissing, FileStore } from '../../events/files/file-store.js';
import { unlessAborted } from '../../platform/database/connection/queryable.js';
import { FairQueue } from '../../platform/queue/fair-queue.js';
import { sql } from '../../kernel/sql/sql.js';
import { topicsOfAction } from '../../kernel/domain/life-cycle/topic.js';
import { type FilesByPath, FilesToEnclose } from '../../events/write/event-publisher.js';

/** For one file, and for one notification (W-13): it becomes one JSON text. */
const MOST_BYTES = 2 * MIB;
const MOST_BYTES_TOGETHER = 8 * MIB;
const MOST_FILES = 50;
const MOST_BYTES_OF_EVENTS = 16 * MIB;
/** For one event, or the first of several, including the wait for a turn (W-4). */
const DEADLINE_MS = 30_000;
const AT_ONCE = 4;
const MOST_TRIES = 2;
const PAUSE_MS = 1_000;

interface Row {
  readonly id: Uuid;
  readonly path: string;
  readonly type: string;
  readonly bytes: number;
}

const NONE: FilesByPath = new Map();

const untilDeadline = (): AbortSignal => AbortSignal.timeout(DEADLINE_MS);

interface PublishedEvent {
  readonly eventId: Uuid;
  readonly actions: readonly ActionType[];
}

interface FirstFiles {
  readonly count: number;
  readonly files: ReadonlyMap<Uuid, FilesByPath>;
}

/**
 * Before the transaction of the notification, so that no lock or connection waits for the store. Later files are
 * referred to by path.
 */
@Injectable()
export class EnclosedFiles extends FilesToEnclose {
  private readonly log = new Logger(EnclosedFiles.name);
  private readonly turns = new FairQueue({ atOnce: AT_ONCE, mostWaiting: 100 });
  constructor(
    private readonly database: Database,
    private readonly store: FileStore,
  ) {
    super();
  }

  /** By path; none without a subscription. Retries once if the store fails. */
  async of(eventId: Uuid, actions: readonly ActionType[], deadline = untilDeadline()): Promise<FilesByPath> {
    const topics = actions.flatMap(topicsOfAction);
    if (topics.length === 0 || deadline.aborted) return NONE;
    const rows = await this.rowsOf(eventId, topics);
    if (rows.length === 0) return NONE;
    const found = new Map<string, { readonly contentType: string; readonly bytes: Buffer }>();
    const read = async (): Promise<void> => {
      for (const row of rows) {
        const { path, type } = row;
        if (found.has(path)) continue;
        deadline.throwIfAborted();
        const bytes = await this.read(row, deadline).catch((error: unknown) => {
          if (!(error instanceof FileMissing)) throw error;
          this.log.error(`the store has lost ${path}`, error);
        });
        if (bytes !== undefined) found.set(path, { contentType: type, bytes });
      }
    };
    const readAgain = async (): Promise<void> => {
      for (let tries = 1; ; tries += 1) {
        try {
          await this.turns.run(eventId, deadline, read);
          return;
        } catch (error) {
          if (tries === MOST_TRIES) throw error;
          await sleep(PAUSE_MS, undefined, { signal: deadline });
        }
      }
    };
    try {
      await unlessAborted(readAgain(), deadline);
    } catch (error) {
      this.log.warn('files of a notification could not be read in time; they go by their path', error);
    }
    return new Map(found);
  }

  /** For the first events, with at most 16 MiB together, and for one at least, within the deadline of one. */
  async ofFirst(events: readonly PublishedEvent[]): Promise<FirstFiles> {
    const withFiles = await this.withFiles(events);
    const files = new Map<Uuid, FilesByPath>();
    const deadline = untilDeadline();
    let together = 0;
    for (const [at, { eventId, actions }] of events.entries()) {
      if (!withFiles.has(eventId)) continue;
      const found = await this.of(eventId, actions, deadline);
      for (const { bytes } of found.values()) together += bytes.length;
      if (files.size > 0 && together > MOST_BYTES_OF_EVENTS) return { count: at, files };
      files.set(eventId, found);
    }
    return { count: events.length, files };
  }

  private async withFiles(events: readonly PublishedEvent[]): Promise<ReadonlySet<Uuid>> {
    const ids = events
      .filter(({ actions }) => actions.flatMap(topicsOfAction).length > 0)
      .map(({ eventId }) => eventId);
    if (ids.length === 0) return new Set();
    const rows = await this.database.query<{ readonly id: Uuid }>(sql`
      select id from unnest(${ids}::uuid[]) as asked (id)
       where exists (select from upload where named_by = asked.id)
          or exists (select from upload where event_id = asked.id)`);
    return new Set(rows.map(({ id }) => id));
  }

  /** The smallest first, as many as fit. */
  private async rowsOf(eventId: Uuid, topics: readonly string[]): Promise<readonly Row[]> {
    const rows = await this.database.query<Row>(sql`
      select id, path, type, bytes::int as bytes from upload
       where (named_by = ${eventId} or event_id = ${eventId})
         and bytes <= ${MOST_BYTES} and removing_since is null
         and exists (select from webhook_subscription s
                      where s.topic = any (${topics}::text[]) and s.deleted_at is null and s.status <> 'ended')
       order by bytes, path limit ${MOST_FILES}`);
    let together = 0;
    return rows.filter(({ bytes }) => (together += bytes) <= MOST_BYTES_TOGETHER);
  }

  /** Fails with `FileMissing` if the upload had another length. */
  private async read({ id, bytes }: Row, signal: AbortSignal): Promise<Buffer> {
    // Closes a stream that is opened too late.
    const content = addAbortSignal(signal, await this.store.open(id, 'notifications'));
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of content as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > bytes) break;
      pieces.push(piece);
    }
    if (length !== bytes)
      throw new FileMissing(id, { cause: new Error(`the store has other bytes than these ${bytes}`) });
    return Buffer.concat(pieces);
  }
}
