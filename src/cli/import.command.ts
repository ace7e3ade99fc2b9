import { Command } from 'commander';

import { inputSize, readJsonFile } from './input-file.js';
import { jsonOption } from './options.js';
import { answer } from './output.js';
import { rejectsOption, RejectsFile } from './rejects-file.js';
import { withServices } from './services.js';

interface ImportOptions {
  readonly publish: boolean;
  readonly rejects?: string;
  readonly json: boolean;
}

/** `matricula import`: records and locations. */
export const importCommand = (): Command =>
  new Command('import').description('records and locations from files').addCommand(records()).addCommand(locations());

const records = (): Command =>
  new Command('records')
    .description('NDJSON: a record or an event document a line; run again, it finishes what was interrupted')
    .argument('<file>')
    .option('--publish', 'tell subscribers of the registrations, certificates and corrections that are new', false)
    .addOption(rejectsOption())
    .addOption(jsonOption())
    .action(async (file: string, { publish, rejects: path, json }: ImportOptions) => {
      const size = await inputSize(file);
      const rejects = await RejectsFile.of(file, path);
      await withServices(async (services) => {
        const { importFile } = await import('./import-file.js');
        await importFile(services, { file, size, publish, rejects, json });
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
        const { PlaceImport } = await import('../events/places/place-import.js');
        const imported = await services.get(PlaceImport).import(content);
        await answer(
          json,
          imported,
          `${imported.administrativeAreas} administrative areas, ${imported.locations} locations`,
        );
      });
    });
