import { createReadStream } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { CLI } from '../platform/audit/audit-entry.js';
import { AuditLog } from '../platform/audit/audit-log.js';
import { Database } from '../platform/database/pools/database.js';
import { MIB } from '../kernel/domain/bytes.js';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { ndjsonSource } from '../kernel/input/ndjson-lines.js';
import { importRecords } from '../events/import/import-records.js';
import { publishing } from '../events/import/publishing.js';
import { Outgoing } from '../events/write/acceptance.js';
import { EnclosedFiles } from '../webhooks/context/enclosed-files.js';
import { Publisher } from '../webhooks/delivery/publisher.js';
import { answer, tell } from './output.js';
import { startProgress } from './progress.js';
import type { RejectsFile } from './rejects-file.js';

interface FileImport {
  readonly file: string;
  /** In bytes. */
  readonly size: number;
  readonly publish: boolean;
  readonly rejects: RejectsFile;
  readonly json: boolean;
}

/** With progress and a file of rejected lines. */
export async function importFile(services: INestApplicationContext, options: FileImport): Promise<void> {
  const { file, size, publish, rejects, json } = options;
  const source = await ndjsonSource(createReadStream(file, { highWaterMark: MIB }));
  const database = services.get(Database);
  // First, so that a killed import is logged too.
  await services.get(AuditLog, { strict: false }).record(database, {
    ...CLI,
    operation: 'records.import',
    requestData: { publish },
    responseSummary: null,
  });
  const progress = startProgress('Importing', size, 'bytes');
  try {
    const { imported, updated, rejected } = await importRecords(database, services.get(EventConfiguration), source, {
      outgoing: services.get(Outgoing),
      onRejected: (line) => rejects.add(line),
      onProgress: ({ bytes, records: done }) => {
        progress.update(bytes, `${done} records`);
      },
      ...(publish ? publishing(services.get(Publisher), services.get(EnclosedFiles)) : {}),
    }).finally(() => {
      progress.stop();
    });
    await rejects.complete();
    if (publish) services.get(Publisher).announceAll();
    const counts = { imported, updated, rejected };
    await answer(json, counts, `${imported} imported, ${updated} updated, ${rejected} rejected`);
  } finally {
    await rejects.close();
  }
  if (rejects.count > 0) tell(`The rejected lines and their faults are in ${rejects.path}.`);
}
