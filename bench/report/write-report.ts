import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { readResults } from '../measure/results.js';
import { fillPlaces } from './fill-places.js';
import { plotsOf } from './plots.js';
import { TABLES } from './tables.js';

const DOCS = join(import.meta.dirname, '../../docs/explanation');

/** Writes the tables and the plots of `docs/explanation/performance.md` from the results that are kept. */
export async function writeReport(): Promise<string[]> {
  const results = readResults();
  const page = join(DOCS, 'performance.md');
  const filled = fillPlaces(readFileSync(page, 'utf8'), (name) => TABLES[name]?.(results));
  writeFileSync(page, await format(filled, { ...(await resolveConfig(page)), filepath: page }));
  const plots = join(DOCS, 'plots');
  mkdirSync(plots, { recursive: true });
  const files = [...plotsOf(results)].map(([file, svg]) => {
    writeFileSync(join(plots, file), svg);
    return join(plots, file);
  });
  return [page, ...files];
}
