import { startOfDayMs } from '../../demo/day.js';
import { DAY_MS } from '../../src/kernel/domain/calendar.js';
import { drawNation } from '../data/nation.js';
import { type ImportFound, load } from '../load/load.js';
import { measured } from '../measure/about.js';
import { type Result, writeResult } from '../measure/results.js';
import { COLD_TABLES, COMPARISON_TABLES } from '../report/comparison-tables.js';
import { readLoaded, withClient } from '../service/bench-database.js';
import { outputOf, type Target } from '../service/program.js';
import { compareCold } from './cold.js';
import { compare } from './compare.js';

export interface ComparisonSettings {
  readonly seed: number;
  readonly runs: number;
  readonly seconds: number;
  readonly rounds: number;
  /** Megabytes of OpenSearch's heap. */
  readonly heap: number;
  readonly draw: number;
}

interface Options extends ComparisonSettings {
  readonly records: number;
  readonly tell: (line: string) => void;
}

/**
 * Fills the database where it is empty, compares, keeps the result and prints its tables. False when the totals of some
 * search differ.
 */
export async function compareWithOpenSearch(target: Target, options: Options): Promise<boolean> {
  const { tell, heap, ...rest } = options;
  const [about, { loaded, found }] = await measured(target.databaseUrl, async () => {
    const imported = await importedIntoEmpty(target, options);
    const loaded = await readLoaded(target.databaseUrl);
    const nation = drawNation(loaded.seed);
    const found = await compare(target, { ...rest, tell, loaded, nation, imported, heapMegabytes: heap });
    return { loaded, found };
  });
  const result = { name: 'opensearch', records: loaded.records, about, found };
  for (const { kind, query, totals } of found.disagreements) {
    tell(`${kind}: totals differ, ${JSON.stringify(totals)}, of ${JSON.stringify(query)}`);
  }
  tell(await writeResult(result));
  print(COMPARISON_TABLES, result);
  return found.disagreements.length === 0;
}

/**
 * The same records on a disk, with little memory: see `ColdOptions`. Keeps the result and prints its table. False when
 * the totals of some search differ.
 */
export async function compareColdWithOpenSearch(
  target: Target,
  { command, ...options }: Options & { readonly command: string },
): Promise<boolean> {
  const { tell, heap, runs, draw } = options;
  const [about, { loaded, found }] = await measured(target.databaseUrl, async () => {
    await importedIntoEmpty(target, options);
    const loaded = await readLoaded(target.databaseUrl);
    const nation = drawNation(loaded.seed);
    return {
      loaded,
      found: await compareCold(target, { loaded, nation, heapMegabytes: heap, runs, draw, command, tell }),
    };
  });
  const result = { name: 'opensearch_cold', records: loaded.records, about, found };
  tell(await writeResult(result));
  print(COLD_TABLES, result);
  return found.differences === 0;
}

function print(tables: typeof COMPARISON_TABLES, result: Result): void {
  const texts = Object.values(tables).map((table) => table([result]));
  process.stdout.write(`${texts.join('\n\n')}\n`);
}

async function importedIntoEmpty(target: Target, { records, seed, tell }: Options): Promise<ImportFound | undefined> {
  await outputOf(target, 'migrate');
  const { rowCount } = await withClient(target.databaseUrl, (client) => client.query('select from event limit 1'));
  if (rowCount !== 0) return undefined;
  const untilMs = startOfDayMs(Date.now()) + DAY_MS;
  return load(target, { nation: drawNation(seed), records, untilMs }, tell);
}
