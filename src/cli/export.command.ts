import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

import { Command } from 'commander';

import { SearchService } from '../events/search/search.service.js';
import { tell } from './output.js';
import { withServices } from './services.js';

/** `matricula export records`: one record a line on standard output, in constant memory; import reads it again. */
export const exportCommand = (): Command =>
  new Command('export').description('records to standard output').addCommand(
    new Command('records')
      .description('every record, one a line (NDJSON)')
      .option('--query <file>', 'only those that match: a file with {"query": …} as POST /events/search takes it')
      .action(async ({ query: file }: { readonly query?: string }) => {
        const body = file === undefined ? undefined : (JSON.parse(await readFile(file, 'utf8')) as unknown);
        await withServices(async (services) => {
          const count = await services.get(SearchService).export(body, new Date(), write);
          tell(`${count} records`);
        });
      }),
  );

/** Waits while standard output is full. */
async function write(bodies: readonly string[]): Promise<void> {
  const text = bodies.map((body) => `${body}\n`).join('');
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
