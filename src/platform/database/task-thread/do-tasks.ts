import { parentPort } from 'node:worker_threads';

import type { Sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from '../connection/queryable.js';
import type { FromThread, ToThread } from './messages.js';

/** What a task comes to, within the thread. */
export interface Made<Result> {
  readonly result: Result;
  /** The parts of the result that are handed over rather than copied. */
  readonly memory: readonly ArrayBuffer[];
  /** Called when it is committed. */
  readonly written: () => void;
}

interface Waiting {
  readonly resolve: (rows: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Within a thread that a `TaskThread` has started: does its tasks, one at a time. */
export function doTasks<Result>(maker: (database: Queryable) => (task: unknown) => Promise<Made<Result>>): void {
  const waiting = new Map<number, Waiting>();
  /** The numbers of the queries that were refused during this task, by their errors. */
  const refused = new Map<unknown, number>();
  const unwritten = new Map<number, () => void>();
  let queries = 0;
  let last: Promise<void> = Promise.resolve();

  const tell = (message: FromThread<Result>, memory: readonly ArrayBuffer[] = []): void => {
    parentPort?.postMessage(message, memory);
  };

  /** The connections are the other thread's. */
  const database: Queryable = {
    query: <Row>(statement: Sql): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        const query = queries++;
        waiting.set(query, {
          resolve: (rows) => {
            resolve(rows as Row[]);
          },
          reject,
        });
        tell({ kind: 'query', query, statement: statement.toQuery() });
      }),
  };

  const make = maker(database);

  async function complete(id: number, task: unknown): Promise<void> {
    try {
      const { result, memory, written } = await make(task);
      unwritten.set(id, written);
      tell({ kind: 'done', id, result }, memory);
    } catch (error) {
      tell({ kind: 'failed', id, error, query: refused.get(error) });
    } finally {
      refused.clear();
    }
  }

  parentPort?.on('message', (message: ToThread<unknown>) => {
    switch (message.kind) {
      case 'do':
        last = last.then(() => complete(message.id, message.task));
        return;
      case 'written':
        unwritten.get(message.id)?.();
        unwritten.delete(message.id);
        return;
      case 'discarded':
        unwritten.delete(message.id);
        return;
      case 'rows':
        waiting.get(message.query)?.resolve(message.rows);
        waiting.delete(message.query);
        return;
      case 'refused':
        refused.set(message.error, message.query);
        waiting.get(message.query)?.reject(message.error);
        waiting.delete(message.query);
    }
  });
}
