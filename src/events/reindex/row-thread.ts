import { workerData } from 'node:worker_threads';
import { doTasks } from '../../platform/database/task-thread/do-tasks.js';
import {
  type ConfigurationData,
  EventConfiguration,
} from '../../kernel/domain/event-configuration/event-configuration.js';
import { memoryOf } from '../../kernel/sql/binary-params.js';
import type { EventRow } from './event-batches.js';
import { type DerivedRows, RowMaker } from './row-maker.js';

/** The beginning of a thread that derives rows: see rows-on-thread.ts. */

const { types, configured } = workerData as ConfigurationData;

doTasks<DerivedRows>((database) => {
  const maker = new RowMaker(database, new EventConfiguration(types, configured));
  return async (events) => {
    const { written, ...result } = await maker.of(events as readonly EventRow[]);
    const memory = [result.rows, result.vocabulary, result.terms].flatMap((statement) =>
      statement ? memoryOf(statement) : [],
    );
    return { result, memory, written };
  };
});
