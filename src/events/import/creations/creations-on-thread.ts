import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { TaskThread } from '../../../platform/database/task-thread/task-thread.js';
import type {
  ConfigurationData,
  EventConfiguration,
} from '../../../kernel/domain/event-configuration/event-configuration.js';
import type { NdjsonLine } from '../../../kernel/input/ndjson-lines.js';
import type { Creation, Creations, PreparedCreation, SentLine } from './creation.js';

/**
 * Makes creations on a thread of its own. One is enough: it derives about as fast as PostgreSQL writes, and each
 * further one would have to learn the vocabulary, and compile the same code, once more.
 */
export class CreationsOnThread implements Creations {
  private readonly thread: TaskThread<readonly SentLine[], Creation>;

  constructor(database: Queryable, { types, configured }: EventConfiguration) {
    const data: ConfigurationData = { types, configured };
    this.thread = new TaskThread(new URL('./creation-thread.js', import.meta.url), data, database);
  }

  async of(lines: readonly NdjsonLine[]): Promise<PreparedCreation> {
    const { result, written, discarded } = await this.thread.do(
      lines.map(({ number, text, fault }) => ({ number, text, fault })),
    );
    return { ...result, written, discarded };
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
