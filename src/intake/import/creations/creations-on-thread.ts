import { Worker } from 'node:worker_threads';

import type { Queryable } from '../../../database/queryable.js';
import type { EventConfiguration } from '../../../domain/event-configuration/event-configuration.js';
import type { NdjsonLine } from '../../../input/ndjson-lines.js';
import { asSql } from '../../../sql/binary-params.js';
import type { Creation, Creations, PreparedCreation } from './creation.js';
import type { FromThread, ThreadData, ToThread } from './messages.js';

/** What a thread may take: a batch of records, and the vocabulary that it remembers. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 24 };

interface Waiting {
  readonly resolve: (creation: Creation) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes creations on a thread of its own. One is enough: it derives about as fast as PostgreSQL writes, and each
 * further one would have to learn the vocabulary, and compile the same code, once more.
 */
export class CreationsOnThread implements Creations {
  private readonly thread: CreationThread;
  private batches = 0;

  constructor(database: Queryable, configuration: EventConfiguration) {
    this.thread = new CreationThread(database, configuration);
  }

  async of(lines: readonly NdjsonLine[]): Promise<PreparedCreation> {
    const batch = this.batches++;
    const creation = await this.thread.make(batch, lines);
    return {
      ...creation,
      written: () => {
        this.thread.tell({ kind: 'written', batch });
      },
      discarded: () => {
        this.thread.tell({ kind: 'discarded', batch });
      },
    };
  }

  async close(): Promise<void> {
    await this.thread.end();
  }
}

class CreationThread {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private broken: Error | undefined;

  constructor(
    private readonly database: Queryable,
    { types, configured }: EventConfiguration,
  ) {
    const workerData: ThreadData = { types, configured };
    this.worker = new Worker(new URL('./creation-thread.js', import.meta.url), { workerData, resourceLimits: LIMITS });
    this.worker.on('message', (message: FromThread) => {
      this.hear(message);
    });
    this.worker.on('error', (error: unknown) => {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    });
    this.worker.on('exit', () => {
      this.fail(new Error('a thread of the import has ended'));
    });
  }

  make(batch: number, lines: readonly NdjsonLine[]): Promise<Creation> {
    return new Promise((resolve, reject) => {
      if (this.broken !== undefined) {
        reject(this.broken);
        return;
      }
      this.waiting.set(batch, { resolve, reject });
      this.tell({ kind: 'make', batch, lines: lines.map(({ number, text, fault }) => ({ number, text, fault })) });
    });
  }

  tell(message: ToThread): void {
    this.worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private hear(message: FromThread): void {
    switch (message.kind) {
      case 'made':
        this.waiting.get(message.batch)?.resolve(message.creation);
        this.waiting.delete(message.batch);
        return;
      case 'failed':
        this.waiting.get(message.batch)?.reject(message.error);
        this.waiting.delete(message.batch);
        return;
      case 'query':
        this.database.query(asSql(message.statement)).then(
          (rows) => {
            this.tell({ kind: 'rows', query: message.query, rows });
          },
          (error: unknown) => {
            this.tell({ kind: 'refused', query: message.query, error });
          },
        );
    }
  }

  private fail(error: Error): void {
    this.broken ??= error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
