import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';

import { format, resolveConfig } from 'prettier';

import type { Tally } from './ledger.js';
import type { Dispatch } from './scenario.js';

/** One scenario in one way of dispatching. */
export interface Row {
  readonly fault: string;
  readonly dispatch: Dispatch;
  readonly tally: Tally;
  readonly seconds: number;
  /** What else there is to tell. */
  readonly seen: string;
}

const PAGE = resolve('docs/explanation/reliability.md');
const GIB = 2 ** 30;

export function rowsAsTable(rows: readonly Row[]): string {
  const head = [
    'fault',
    'dispatch',
    'events',
    'due',
    'received',
    'delivered',
    'lost',
    'again',
    'other id',
    'seconds',
    'seen',
  ];
  const lines = rows.map(({ fault, dispatch, tally, seconds, seen }) => [
    fault,
    dispatch,
    ...[tally.events, tally.due, tally.received, tally.delivered, tally.lost, tally.repeated, tally.differing],
    Math.round(seconds),
    seen,
  ]);
  const rule = head.map((_, at) => (at < 2 || at === head.length - 1 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Puts the table of a whole run of `npm run test:<command>` between the markers of its page. Throws when it has none.
 */
export async function writeReport(
  { section, command }: { readonly section: string; readonly command: string },
  table: string,
  versions: string,
): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const marker = `<!-- ${section}: written by npm run ${command} -->`;
  const [begin, end] = [page.indexOf(marker), page.indexOf(`<!-- end of ${section} -->`)];
  if (begin === -1 || end === -1) throw new Error(`${PAGE} has no place for ${section}`);
  const cores = cpus();
  const machine = `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / GIB).toFixed(0)} GiB`;
  const on = new Date().toISOString().slice(0, 10);
  const said = `\`npm run ${command}\` on ${on}: ${machine}, Node.js ${process.versions.node}, ${versions}.`;
  const content = [page.slice(0, begin) + marker, said, table, page.slice(end)].join('\n\n');
  await writeFile(PAGE, await format(content, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
}
