import { Command, Option } from 'commander';

import { jsonOption } from './options.js';
import { withDatabase } from './services.js';

interface Chosen {
  readonly check: boolean;
  readonly json: boolean;
  readonly run?: string;
}

/** `matricula reindex`: derives search data again, or checks it. */
export const reindexCommand = (): Command =>
  new Command('reindex')
    .description('rebuild all that is derived from the records, while searches and writes go on')
    .option('--check', 'change nothing, and prove that what is derived is what the records say', false)
    .addOption(new Option('--run <id>', 'the run that the service has registered for it').hideHelp())
    .addOption(jsonOption())
    .action(({ check, json, run }: Chosen) =>
      withDatabase(
        async (database, { eventConfiguration: configuration }) => {
          const { compare, rebuild } = await import('./reindex-run.js');
          await (check
            ? compare(database, configuration, json)
            : rebuild(database, configuration, json, { runId: run }));
        },
        check ? 'as it is' : 'brought up to date',
      ),
    );
