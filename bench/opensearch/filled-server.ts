import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Nation } from '../data/nation.js';
import { withClient } from '../service/bench-database.js';
import type { Target } from '../service/program.js';
import { hierarchyOf } from './document.js';
import type { IndexedFound } from './indexed.js';
import { indexDocuments, prepareDocuments } from './indexed.js';
import { OpenSearchServer } from './server.js';

interface Filling {
  readonly nation: Nation;
  readonly heapMegabytes: number;
  readonly tell: (line: string) => void;
}

const BITMAPS_MS = 120_000;

/** `work` with an OpenSearch of its own that has the records of the database of `target`. */
export async function onFilledServer<T>(
  target: Target,
  { nation, heapMegabytes, tell }: Filling,
  work: (server: OpenSearchServer, indexed: IndexedFound) => Promise<T>,
): Promise<T> {
  const server = await OpenSearchServer.start(heapMegabytes);
  const directory = await mkdtemp(join(tmpdir(), 'matricula-bench-'));
  try {
    tell(`OpenSearch ${server.version}, writing its documents`);
    const prepared = await prepareDocuments(target, hierarchyOf(nation.file), join(directory, 'documents.ndjson'));
    tell(`indexing ${prepared.records} documents, ${prepared.megabytes} MB`);
    const indexed = await indexDocuments(server, prepared);
    tell(`${indexed.recordsPerSecond.toFixed(0)} documents/s`);
    return await work(server, indexed);
  } finally {
    await rm(directory, { recursive: true, force: true });
    await server.stop();
  }
}

/** Waits for what the service writes in the background after an import. */
export async function bitmapsWritten(databaseUrl: string): Promise<void> {
  const began = performance.now();
  await withClient(databaseUrl, async (client) => {
    while (performance.now() - began < BITMAPS_MS) {
      const { rowCount } = await client.query('select from bitmap_chunk limit 1');
      if (rowCount !== 0) return;
      await sleep(500);
    }
  });
}
