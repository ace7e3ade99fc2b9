import { createReadStream } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { CLI } from '../platform/audit/audit-entry.js';
import { AuditLog } from '../platform/audit/audit-log.js';
import { Database } from '../platform/database/pools/database.js';
import { MIB } from '../kernel/domain/bytes.js';
import { EventConfiguration } from '../kernel/domain/event-configuration/event-configuration.js';
import { ndjsonSource } from '../kernel/input/ndjson-lines.js';
import { importRecords } from '../events/import/import-records.js';
import { publishing } from '../events/import/import-options.js';
import { Outgoing } from '../events/write/acceptance.js';
import { EnclosedFiles } from '../webhooks/notification/enclosed-files.js';
import { Publisher } from '../webhooks/delivery/publisher.js';
import { type FileImport, importing } from './progress.js';

/** With progress and a file of rejected lines. */
export async function importFile(
  services: INestApplicationContext,
  options: FileImport & { readonly publish: boolean },
): Promise<void> {
  const { file, publish, rejects } = options;
  const source = await ndjsonSource(createReadStream(file, { highWaterMark: MIB }));
  const database = services.get(Database);
  // First, so that a killed import is logged too.
  await services.get(AuditLog, { strict: false }).record(database, {
    ...CLI,
    operation: 'records.import',
    requestData: { publish },
    responseSummary: null,
  });
  await importing(
    options,
    async (progress) => {
      const { imported, updated, rejected } = await importRecords(database, services.get(EventConfiguration), source, {
        outgoing: services.get(Outgoing),
        onRejected: (line) => rejects.add(line),
        onProgress: ({ bytes, records: done }) => {
          progress.update(bytes, `${done} records`);
        },
        ...(publish ? publishing(services.get(Publisher), services.get(EnclosedFiles)) : {}),
      });
      if (publish) services.get(Publisher).announceAll();
      return { imported, updated, rejected };
    },
    ({ imported, updated, rejected }) => `${imported} imported, ${updated} updated, ${rejected} rejected`,
  );
}
