import { Command } from 'commander';
import { configuration, openConfiguredServer } from './services.js';
import { jsonOption } from './options.js';
import { answer, tellOfWaiting } from './output.js';

/** `matricula migrate`: only migrates the schema (P-7). */
export const migrateCommand = (): Command =>
  new Command('migrate')
    .description('bring the schema of the database up to date')
    .addOption(jsonOption())
    .action(async ({ json }: { readonly json: boolean }) => {
      const config = await configuration();
      const server = await openConfiguredServer(config);
      try {
        const { prepareDatabase } = await import('../platform/database/schema/prepare-database.js');
        const ran = await prepareDatabase(server.url, config, tellOfWaiting);
        await answer(json, { ran }, ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`);
      } finally {
        await server.close();
      }
    });
