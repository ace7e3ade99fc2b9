import { Command } from 'commander';
import { readJsonFile } from './input-file.js';
import { tell, writeOut } from './output.js';
import { withServices } from './services.js';

/** `matricula export records`: a record a line, in constant memory, as import accepts them. */
export const exportCommand = (): Command =>
  new Command('export').description('records to standard output').addCommand(
    new Command('records')
      .description('every record, one a line (NDJSON)')
      .option(
        '--query <file>',
        'only those that match: a file with {"query": …} as POST /events/search takes it, also `sort` and `limit`',
      )
      .action(async ({ query: file }: { readonly query?: string }) => {
        const body = file === undefined ? undefined : await readJsonFile(file);
        await withServices(async (services) => {
          const { SearchService } = await import('../events/search/search.service.js');
          const count = await services.get(SearchService).export(body, new Date(), writeOut);
          tell(`${count} records`);
        }, 'as it is');
      }),
  );
