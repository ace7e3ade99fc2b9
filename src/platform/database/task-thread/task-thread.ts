import { Worker } from 'node:worker_threads';

import { messageOf } from '../../../kernel/errors/message-of.js';
import { asSql } from '../../../kernel/sql/binary-params.js';
import type { Queryable } from '../connection/queryable.js';
import type { FromThread, ToThread } from './messages.js';

/**
 * What a thread may take: a batch of records, and the vocabulary that it remembers. All of a batch lives until its end,
 * so with half the space for what is young, much of it was moved to what is old, where it takes a full collection to
 * go.
 */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 48 };

interface Waiting<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** What a task comes to, and what the thread waits to hear of it. */
export interface Done<Result> {
  readonly result: Result;
  /** To be called when it is committed: the thread then remembers what is in the database. */
  readonly written: () => void;
  /** To be called when it will not be. */
  readonly discarded: () => void;
}

/** The thread has ended, for lack of memory perhaps: what it was doing can be done elsewhere. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/**
 * A thread that does tasks one after another, with queries on the connections of the one that started it: `script`
 * calls `doTasks`. Tasks and results are plain data. A task that fails rejects with its error.
 */
export class TaskThread<Task, Result> {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, Waiting<Result>>();
  /** The errors of queries that were refused during this task: the thread does one at a time. */
  private readonly refused = new Map<number, unknown>();
  private tasks = 0;
  private broken: Error | undefined;

  constructor(
    script: URL,
    workerData: unknown,
    private readonly database: Queryable,
  ) {
    this.worker = new Worker(script, { workerData, resourceLimits: LIMITS });
    this.worker.on('message', (message: FromThread<Result>) => {
      this.hear(message);
    });
    this.worker.on('error', (error: unknown) => {
      this.fail(new ThreadEnded(messageOf(error), { cause: error }));
    });
    this.worker.on('exit', () => {
      this.fail(new ThreadEnded('the thread has ended'));
    });
  }

  async do(task: Task): Promise<Done<Result>> {
    const id = this.tasks++;
    const result = await this.resultOf(id, task);
    return {
      result,
      written: () => {
        this.tell({ kind: 'written', id });
      },
      discarded: () => {
        this.tell({ kind: 'discarded', id });
      },
    };
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private resultOf(id: number, task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.broken !== undefined) {
        reject(this.broken);
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.tell({ kind: 'do', id, task });
    });
  }

  private tell(message: ToThread<Task>): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromThread<Result>): void {
    switch (message.kind) {
      case 'done':
        this.waiting.get(message.id)?.resolve(message.result);
        this.waiting.delete(message.id);
        this.refused.clear();
        return;
      case 'failed':
        this.waiting.get(message.id)?.reject(this.refused.get(message.query ?? NaN) ?? message.error);
        this.waiting.delete(message.id);
        this.refused.clear();
        return;
      case 'query':
        this.database.query(asSql(message.statement)).then(
          (rows) => {
            this.tell({ kind: 'rows', query: message.query, rows });
          },
          (error: unknown) => {
            this.refused.set(message.query, error);
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
