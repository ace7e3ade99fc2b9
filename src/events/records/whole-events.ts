import { Injectable } from '@nestjs/common';
import { Capacities } from '../../platform/queue/capacities.js';
import { Database } from '../../platform/database/pools/database.js';
import { KIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { isOneOf, sql } from '../../kernel/sql/sql.js';

/** Bytes of memory per stored byte while an event is parsed and shown. */
const MEMORY_PER_BYTE = 8;

/** Minimum bytes per event read. */
const LEAST_MEMORY = 64 * KIB;

interface Reader {
  readonly client: string;
  readonly hungUp?: AbortSignal;
}

/** All reads of whole events outside the writer's queue: in turns, bounded by memory. */
@Injectable()
export class WholeEvents {
  constructor(
    private readonly database: Database,
    private readonly capacities: Capacities,
  ) {}

  /**
   * Reserves memory for these events until `work` ends. Throws 503 SERVICE_UNAVAILABLE after a timeout, and the reason
   * of `hungUp`.
   */
  async reading<T>(ids: readonly Uuid[], reader: Reader, work: () => Promise<T>): Promise<T> {
    const weight = LEAST_MEMORY + MEMORY_PER_BYTE * (await this.bytesOf(ids));
    return this.capacities.run('records', { ...reader, weight }, work);
  }

  /** Total stored bytes. */
  async bytesOf(ids: readonly Uuid[]): Promise<number> {
    // Reads lengths without the texts.
    const [found] = await this.database.query<{ readonly bytes: number }>(sql`
      select coalesce(sum(octet_length(event.imported)), 0)::float8 + coalesce(sum(actions.bytes), 0)::float8 as bytes
        from event, lateral (select sum(octet_length(actions)) as bytes from event_history
                              where event_seq = event.seq) actions
       where ${isOneOf(sql`id`, ids, sql`uuid`)}`);
    return found?.bytes ?? 0;
  }
}
