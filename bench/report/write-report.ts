import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { readResults } from '../measure/results.js';
import { fillPlaces } from './fill-places.js';
import { costByRecords } from './plots.js';
import { TABLES } from './tables.js';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['docs/explanation/performance.md', 'bench/HISTORY.md'];
const PLOT = 'docs/explanation/plots/cost-by-records.svg';

/** Writes the tables of the pages, and the plot, from the results that are kept. */
export async function writeReport(): Promise<string[]> {
  const results = readResults();
  const pages = PAGES.map((page) => join(ROOT, page));
  for (const page of pages) {
    const filled = fillPlaces(readFileSync(page, 'utf8'), (name) => TABLES[name]?.(results));
    writeFileSync(page, await format(filled, { ...(await resolveConfig(page)), filepath: page }));
  }
  const plot = join(ROOT, PLOT);
  writeFileSync(plot, costByRecords(results));
  return [...pages, plot];
}
