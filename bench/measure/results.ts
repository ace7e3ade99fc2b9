import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format } from 'prettier';

import type { About } from './about.js';

/** One thing that was measured: what is in `found` is up to it. */
export interface Result<T = unknown> {
  readonly name: string;
  /** How many records the database held; absent where there was none. */
  readonly records?: number | undefined;
  readonly about: About;
  readonly found: T;
}

const DIRECTORY = join(import.meta.dirname, '../results');

/** Keeps a result in place of the one before of the same name and number of records. */
export async function writeResult(result: Result): Promise<string> {
  mkdirSync(DIRECTORY, { recursive: true });
  const file = join(DIRECTORY, `${result.name}${result.records === undefined ? '' : `-${result.records}`}.json`);
  writeFileSync(file, await format(JSON.stringify(result, rounded), { parser: 'json', printWidth: 120 }));
  return file;
}

/** All that is kept, by name and then by number of records. */
export const readResults = (): Result[] =>
  readdirSync(DIRECTORY)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')) as Result)
    .sort((a, b) => a.name.localeCompare(b.name) || (a.records ?? 0) - (b.records ?? 0));

/** Three digits are more than two runs agree on. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(value < 100 ? 3 : 4)) : value;
