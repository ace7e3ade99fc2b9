import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { Prng } from '../../demo/prng.js';
import { drawNation } from '../data/nation.js';
import { Draws } from '../search/query-kinds.js';
import type { Loaded } from '../service/bench-database.js';
import type { Target } from '../service/program.js';
import { Service } from '../service/service.js';
import { SoakReader } from './soak-reader.js';
import { SoakWriter } from './soak-writer.js';

export interface SoakFound {
  readonly minutes: number;
  /** Searches that were compared. */
  readonly checks: number;
  /** Of them, those with so many matches that page and total are found apart. */
  readonly manyMatches: number;
  /** Of them, those counted in the answers; results before 2026-11-28 lack it. */
  readonly inAnswers?: number;
  readonly written: number;
  readonly differences: readonly string[];
}

interface Soak {
  readonly loaded: Loaded;
  readonly minutes: number;
  /** Which searches and writes are drawn. */
  readonly seed: number;
  /** How many searches are compared in one snapshot, by one pass over all records. */
  readonly together: number;
  readonly tell: (line: string) => void;
}

const READERS = 2;
const WRITERS = 2;
const TOLD_EVERY_MS = 30_000;

/**
 * Totals and pages while records are written: two readers compare every search with a count and a page that plain SQL
 * makes of the same snapshot, while two writers change records and a service does what it does in the background. Ends
 * at the first difference.
 */
export async function soak(target: Target, { loaded, minutes, seed, together, tell }: Soak): Promise<SoakFound> {
  const nation = drawNation(loaded.seed);
  const service = await Service.start(target);
  const dataSource = await createDataSource(target.databaseUrl, READERS + 2 * WRITERS).initialize();
  const database = new Database(dataSource);
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => seed * 100 + at);
  const readers = numbers(READERS).map(
    (number) => new SoakReader(database, nation, new Prng(number, 'history'), together),
  );
  const writers = numbers(WRITERS).map(
    (number) =>
      new SoakWriter(
        database,
        service,
        new Draws(nation, loaded.drawn, loaded.untilMs, number),
        loaded.records,
        number,
      ),
  );
  const found = (): SoakFound => ({
    minutes,
    checks: sum(readers.map((reader) => reader.checks)),
    manyMatches: sum(readers.map((reader) => reader.manyMatches)),
    inAnswers: sum(readers.map((reader) => reader.inAnswers)),
    written: sum(writers.map((writer) => writer.written)),
    differences: readers.flatMap((reader) => reader.differences),
  });
  const endMs = Date.now() + minutes * 60_000;
  const goesOn = (): boolean => Date.now() < endMs && found().differences.length === 0;
  const telling = setInterval(() => {
    const { checks, written, differences } = found();
    tell(`${checks} searches, ${written} written, ${differences.length} differences`);
  }, TOLD_EVERY_MS);
  try {
    await Promise.all([
      ...readers.map((reader) => whileIt(goesOn, () => reader.check())),
      ...writers.map((writer) => whileIt(goesOn, () => writer.write())),
    ]);
    return found();
  } finally {
    clearInterval(telling);
    await service.stop();
    await dataSource.destroy();
  }
}

async function whileIt(goesOn: () => boolean, work: () => Promise<void>): Promise<void> {
  while (goesOn()) await work();
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
