import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';

import type { Nation } from '../data/nation.js';
import { nationLines } from '../data/nation-lines.js';
import type { Memory } from '../service/memory-of.js';
import { memoryOf } from '../service/memory-of.js';
import { withClient, writeLoaded } from '../service/bench-database.js';
import type { Target } from '../service/program.js';
import { outputOf, startCommand } from '../service/program.js';

export interface ImportFound {
  readonly records: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly recordsPerSecond: number;
  /** Megabytes of RAM of the importing process at its most. */
  readonly peakMemory: number;
  /** Megabytes of RAM at each tenth of the time. */
  readonly memory: readonly number[];
}

interface Load {
  readonly nation: Nation;
  readonly records: number;
  readonly untilMs: number;
}

const SAMPLE_MS = 250;

/**
 * Fills an empty database with the records of the nation through `matricula import records`, every index in place, and
 * measures that command. The lines are written to a file first: making them is not part of it.
 */
export async function load(target: Target, { nation, records, untilMs }: Load, tell: Tell): Promise<ImportFound> {
  await outputOf(target, 'migrate');
  const { rowCount } = await withClient(target.databaseUrl, (client) => client.query('select from event limit 1'));
  if (rowCount !== 0) throw new Error('the database has records already: `bench load` fills an empty one');
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  try {
    const [places, lines] = [join(directory, 'places.json'), join(directory, 'records.ndjson')];
    await writeFile(places, JSON.stringify(nation.file));
    await outputOf(target, 'import', 'locations', places);
    tell(`writing ${records} lines`);
    await pipeline(Readable.from(nationLines(nation, records, untilMs)), createWriteStream(lines));
    const megabytes = Math.round((await stat(lines)).size / 2 ** 20);
    tell(`importing ${megabytes} MB`);
    const imported = await importMeasured(target, lines, tell);
    await writeLoaded(target.databaseUrl, { records, seed: nation.seed, untilMs, drawn: records });
    await settle(target.databaseUrl, tell);
    return { records, megabytes, ...imported, recordsPerSecond: records / imported.seconds };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export type Tell = (line: string) => void;

/** What autovacuum does within minutes: searches are measured on a database at rest. */
export async function settle(url: string, tell: Tell): Promise<void> {
  tell('vacuuming');
  await withClient(url, async (client) => {
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
  });
}

async function importMeasured(
  target: Target,
  lines: string,
  tell: Tell,
): Promise<Pick<ImportFound, 'seconds' | 'peakMemory' | 'memory'>> {
  const began = performance.now();
  const child = startCommand(target, 'import', 'records', lines, '--json');
  const ended = once(child, 'close');
  const samples: Memory[] = [];
  const sampling = setInterval(() => {
    const memory = memoryOf(child.pid ?? 0);
    if (memory !== undefined) samples.push(memory);
  }, SAMPLE_MS);
  child.stderr.on('data', (chunk: Buffer) => {
    tell(chunk.toString().trim());
  });
  const output = await text(child.stdout);
  const [code] = (await ended) as [number | null];
  clearInterval(sampling);
  const seconds = (performance.now() - began) / 1_000;
  const { rejected } = JSON.parse(output || '{}') as { readonly rejected?: number };
  if (code !== 0 || rejected !== 0) throw new Error(`the import ended with ${String(code)}: ${output}`);
  const tenths = Array.from({ length: 10 }, (_, tenth) => samples[Math.floor(((tenth + 1) * samples.length) / 10) - 1]);
  return {
    seconds,
    peakMemory: Math.max(...samples.map(({ peak }) => peak)),
    memory: tenths.flatMap((sample) => (sample === undefined ? [] : [Math.round(sample.now)])),
  };
}
