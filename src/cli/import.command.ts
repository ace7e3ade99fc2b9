import { createReadStream } from 'node:fs';

import { Command } from 'commander';

import { Database } from '../database/pools/database.js';
import { PlaceImport } from '../derived/areas/place-import.js';
import { importRecords } from '../intake/import/import-records.js';
import { publishedChanges } from '../intake/published-changes.js';
import { Publisher } from '../webhooks/delivery/publisher.js';
import { inputSize, readJsonFile } from './input-file.js';
import { jsonOption } from './json-option.js';
import { answer, tell } from './output.js';
import { startProgress } from './progress.js';
import { RejectsFile } from './rejects-file.js';
import { withServices } from './services.js';

interface ImportOptions {
  readonly publish: boolean;
  readonly json: boolean;
}

/** `matricula import`: records and locations from files. */
export const importCommand = (): Command =>
  new Command('import').description('records and locations from files').addCommand(records()).addCommand(locations());

const records = (): Command =>
  new Command('records')
    .description('NDJSON: a record or an event document a line; run again, it finishes what was interrupted')
    .argument('<file>')
    .option('--publish', 'tell subscribers of the registrations, certificates and corrections that are new', false)
    .addOption(jsonOption())
    .action(async (file: string, { publish, json }: ImportOptions) => {
      const size = await inputSize(file);
      await withServices(async (services) => {
        const rejects = new RejectsFile(`${file}.rejected.ndjson`);
        const publisher = services.get(Publisher);
        const progress = startProgress('Importing', size, 'bytes');
        try {
          const { imported, updated, rejected } = await importRecords(
            services.get(Database),
            createReadStream(file, { highWaterMark: 1_048_576 }),
            {
              onRejected: (line) => rejects.add(line),
              onProgress: ({ bytes, records: done }) => {
                progress.update(bytes, `${done} records`);
              },
              ...(publish && {
                onWritten: async (transaction, events) => {
                  await publisher.publish(transaction, events.flatMap(publishedChanges));
                },
              }),
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
      });
    });

const locations = (): Command =>
  new Command('locations')
    .description('administrative areas and locations from one JSON file, whole or not at all')
    .argument('<file>')
    .addOption(jsonOption())
    .action(async (file: string, { json }: { readonly json: boolean }) => {
      const content = await readJsonFile(file);
      await withServices(async (services) => {
        const imported = await services.get(PlaceImport).import(content);
        answer(json, imported, `${imported.administrativeAreas} administrative areas, ${imported.locations} locations`);
      });
    });
