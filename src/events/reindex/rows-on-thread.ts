import type { Queryable } from '../../platform/database/connection/queryable.js';
import { TaskThread, ThreadEnded } from '../../platform/database/task-thread/task-thread.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type {
  ConfigurationData,
  EventConfiguration,
} from '../../kernel/domain/event-configuration/event-configuration.js';
import { bytesOf, type EventRow } from './event-batches.js';
import { type DerivedRows, type PreparedRows, RowMaker, type RowSource } from './row-maker.js';

/** A larger event is derived here: a thread has bounded memory. */
const MOST_BYTES = 4 * MIB;

/** Derives rows on a thread of its own, while this one reads events and hands rows to PostgreSQL. */
export class RowsOnThread implements RowSource {
  private readonly thread: TaskThread<readonly EventRow[], DerivedRows>;
  private readonly here: RowMaker;

  constructor(database: Queryable, configuration: EventConfiguration) {
    const { types, configured } = configuration;
    const data: ConfigurationData = { types, configured };
    this.thread = new TaskThread(new URL('./row-thread.js', import.meta.url), data, database);
    this.here = new RowMaker(database, configuration);
  }

  async of(events: readonly EventRow[]): Promise<PreparedRows> {
    if (bytesOf(events) > MOST_BYTES) return this.here.of(events);
    try {
      const { result, written } = await this.thread.do(events);
      return { ...result, written };
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      return this.here.of(events);
    }
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
