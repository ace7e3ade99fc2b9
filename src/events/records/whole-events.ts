import { Injectable } from '@nestjs/common';

import { Capacities } from '../../platform/queue/capacities.js';
import { Database } from '../../platform/database/pools/database.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { isOneOf } from '../../kernel/sql/is-one-of.js';
import { sql } from '../../kernel/sql/sql.js';

/** What a byte of a stored event takes in memory while the event is parsed and shown, in bytes. */
const MEMORY_PER_BYTE = 8;

/** What reading any event takes, in bytes. */
const LEAST_MEMORY = 64 * KIB;

/** Who reads, and whether somebody still waits for it. */
interface Reader {
  readonly client: string;
  readonly hungUp?: AbortSignal;
}

/** The one way to read whole events outside the writer's queue: in turns, as many at a time as memory has room for. */
@Injectable()
export class WholeEvents {
  constructor(
    private readonly database: Database,
    private readonly capacities: Capacities,
  ) {}

  /**
   * Runs work that reads these events, and holds what it has read until it ends. Throws 503 SERVICE_UNAVAILABLE if its
   * turn does not come, and the reason of `hungUp`.
   */
  async reading<T>(ids: readonly Uuid[], reader: Reader, work: () => Promise<T>): Promise<T> {
    const weight = LEAST_MEMORY + MEMORY_PER_BYTE * (await this.bytesOf(ids));
    return this.capacities.run('records', { ...reader, weight }, work);
  }

  /** As they are stored, all together. */
  async bytesOf(ids: readonly Uuid[]): Promise<number> {
    // The length of a text is known without reading it.
    const [found] = await this.database.query<{ readonly bytes: number }>(sql`
      select coalesce(sum(octet_length(event.imported)), 0)::float8 + coalesce(sum(actions.bytes), 0)::float8 as bytes
        from event, lateral (select sum(octet_length(actions)) as bytes from event_history
                              where event_seq = event.seq) actions
       where ${isOneOf(sql`id`, ids, sql`uuid`)}`);
    return found?.bytes ?? 0;
  }
}
