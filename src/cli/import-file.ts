import { createReadStream } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { CLI } from '../platform/audit/audit-entry.js';
import { AuditLog } from '../platform/audit/audit-log.js';
import { Database } from '../platform/database/pools/database.js';
import { MIB } from '../kernel/domain/bytes.js';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { ndjsonSource } from '../kernel/input/ndjson-lines.js';
import { CreationsOnThread } from '../events/import/creations/creations-on-thread.js';
import { initialLoad } from '../events/import/initial/initial-load.js';
import type { ImportResult } from '../events/import/import-options.js';
import { importRecords } from '../events/import/import-records.js';
import { publishing } from '../events/import/publishing.js';
import { Outgoing } from '../events/write/outgoing.js';
import { EnclosedFiles } from '../webhooks/context/enclosed-files.js';
import { Publisher } from '../webhooks/delivery/publisher.js';
import { answer, tell } from './output.js';
import { type Progress, startProgress } from './progress.js';
import type { RejectsFile } from './rejects-file.js';

interface FileImport {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly publish: boolean;
  /** Whether it fills a database without records: see `initialLoad`. */
  readonly initial: boolean;
  readonly rejects: RejectsFile;
  readonly json: boolean;
}

/** Imports a file of records, shows the progress, and writes rejected lines to another. */
export async function importFile(services: INestApplicationContext, options: FileImport): Promise<void> {
  const { file, publish, initial, rejects, json } = options;
  // Before anything is changed: an initial load that has begun keeps everybody out.
  const source = await ndjsonSource(createReadStream(file, { highWaterMark: MIB }));
  const database = services.get(Database);
  const load = (): Promise<ImportResult> => importInto(database, services, source, options);
  // Before its first record: an import that is killed has left it too.
  await services.get(AuditLog, { strict: false }).record(database, {
    ...CLI,
    operation: 'records.import',
    requestData: { initial, publish },
    responseSummary: null,
  });
  try {
    const { imported, updated, rejected } = await (initial ? loadFirst(database, load) : load());
    await rejects.complete();
    if (publish) services.get(Publisher).announceAll();
    const counts = { imported, updated, rejected };
    await answer(json, counts, `${imported} imported, ${updated} updated, ${rejected} rejected`);
  } finally {
    await rejects.close();
  }
  if (rejects.count > 0) tell(`The rejected lines and their faults are in ${rejects.path}.`);
}

async function importInto(
  database: Database,
  services: INestApplicationContext,
  source: AsyncIterable<Uint8Array>,
  { size, publish, initial, rejects }: FileImport,
): Promise<ImportResult> {
  const configuration = services.get(EventConfiguration);
  const progress = startProgress('Importing', size, 'bytes');
  return importRecords(database, configuration, source, {
    isInitial: initial,
    outgoing: services.get(Outgoing),
    onRejected: (line) => rejects.add(line),
    onProgress: ({ bytes, records: done }) => {
      progress.update(bytes, `${done} records`);
    },
    ...(publish
      ? publishing(services.get(Publisher), services.get(EnclosedFiles))
      : { creations: () => new CreationsOnThread(database, configuration) }),
  }).finally(() => {
    progress.stop();
  });
}

async function loadFirst(database: Database, load: () => Promise<ImportResult>): Promise<ImportResult> {
  let progress: Progress | undefined;
  return initialLoad(database, load, ({ done, total, name }) => {
    progress ??= startProgress('Indexing', total, 'indexes');
    progress.update(done, name);
  }).finally(() => progress?.stop());
}
