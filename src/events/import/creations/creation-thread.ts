import { workerData } from 'node:worker_threads';
import { doTasks } from '../../../platform/database/task-thread/do-tasks.js';
import {
  type ConfigurationData,
  EventConfiguration,
} from '../../../kernel/domain/event-configuration/event-configuration.js';
import { memoryOf } from '../../../kernel/sql/binary-params.js';
import type { Creation, SentLine } from './creation.js';
import { CreationMaker } from './creation-maker.js';

/** The beginning of a thread that makes creations: see creations-on-thread.ts. */

const { types, configured } = workerData as ConfigurationData;

doTasks<Creation>((database) => {
  const maker = new CreationMaker(database, new EventConfiguration(types, configured));
  return async (lines) => {
    const { creation, written } = await maker.make(lines as readonly SentLine[]);
    return {
      result: creation,
      memory: [creation.statement, creation.terms].flatMap((statement) => (statement ? memoryOf(statement) : [])),
      written,
    };
  };
});
