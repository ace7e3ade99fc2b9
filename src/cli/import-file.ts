import { createReadStream } from 'node:fs';

import type { INestApplicationContext } from '@nestjs/common';

import { Database } from '../database/pools/database.js';
import { EventConfiguration } from '../domain/event-configuration/event-configuration.js';
import { CreationThreads } from '../intake/import/creations/creation-threads.js';
import { importRecords } from '../intake/import/import-records.js';
import { publishedChanges } from '../intake/published-changes.js';
import { Publisher } from '../webhooks/delivery/publisher.js';
import { answer, tell } from './output.js';
import { startProgress } from './progress.js';
import { RejectsFile } from './rejects-file.js';

/** Derives about as fast as one connection of PostgreSQL writes with all indexes. */
const THREADS = 1;

interface FileImport {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly publish: boolean;
  readonly json: boolean;
}

/** Imports a file of records, shows the progress, and writes rejected lines to a file beside it. */
export async function importFile(
  services: INestApplicationContext,
  { file, size, publish, json }: FileImport,
): Promise<void> {
  const rejects = new RejectsFile(`${file}.rejected.ndjson`);
  const publisher = services.get(Publisher);
  const database = services.get(Database);
  const configuration = services.get(EventConfiguration);
  const progress = startProgress('Importing', size, 'bytes');
  try {
    const { imported, updated, rejected } = await importRecords(
      database,
      configuration,
      createReadStream(file, { highWaterMark: 1_048_576 }),
      {
        onRejected: (line) => rejects.add(line),
        onProgress: ({ bytes, records: done }) => {
          progress.update(bytes, `${done} records`);
        },
        ...(publish
          ? {
              onWritten: async (transaction, events) => {
                await publisher.publish(transaction, events.flatMap(publishedChanges));
              },
            }
          : { creations: () => new CreationThreads(THREADS, database, configuration) }),
      },
    );
    if (publish) publisher.announce();
    progress.stop();
    const counts = { imported, updated, rejected };
    answer(json, counts, `${imported} imported, ${updated} updated, ${rejected} rejected`);
  } finally {
    progress.stop();
    await rejects.close();
  }
  if (rejects.count > 0) tell(`The rejected lines and their faults are in ${rejects.path}.`);
}
