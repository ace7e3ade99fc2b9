import { parentPort, workerData } from 'node:worker_threads';

import type { Queryable } from '../../../database/queryable.js';
import { EventConfiguration } from '../../../domain/event-configuration/event-configuration.js';
import { memoryOf } from '../../../sql/binary-params.js';
import type { Sql } from '../../../sql/sql.js';
import { CreationMaker } from './creation-maker.js';
import type { FromThread, ThreadData, ToThread } from './messages.js';

/** The beginning of a thread that makes creations: see creations-on-thread.ts. */

const { types, configured } = workerData as ThreadData;

const tell = (message: FromThread, memory: readonly ArrayBuffer[] = []): void => {
  parentPort?.postMessage(message, memory);
};

interface Waiting {
  readonly resolve: (rows: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const waiting = new Map<number, Waiting>();
let queries = 0;

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

const maker = new CreationMaker(database, new EventConfiguration(types, configured));
const made = new Map<number, () => void>();
let last: Promise<void> = Promise.resolve();

async function make(batch: number, lines: Parameters<CreationMaker['make']>[0]): Promise<void> {
  try {
    const { creation, written } = await maker.make(lines);
    made.set(batch, written);
    tell({ kind: 'made', batch, creation }, creation.statement === undefined ? [] : memoryOf(creation.statement));
  } catch (error) {
    tell({ kind: 'failed', batch, error });
  }
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'make':
      last = last.then(() => make(message.batch, message.lines));
      return;
    case 'written':
      made.get(message.batch)?.();
      made.delete(message.batch);
      return;
    case 'discarded':
      made.delete(message.batch);
      return;
    case 'rows':
      waiting.get(message.query)?.resolve(message.rows);
      waiting.delete(message.query);
      return;
    case 'refused':
      waiting.get(message.query)?.reject(message.error);
      waiting.delete(message.query);
  }
});
