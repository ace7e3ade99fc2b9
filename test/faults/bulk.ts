import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { succeed } from '../support/command-line.js';
import { aRegistration } from './requests.js';
import type { World } from './world.js';

/** Imports `count` events at once and publishes them, as `matricula import records --publish` does. */
export async function importEvents({ environment, ledger }: World, count: number): Promise<void> {
  const documents = Array.from({ length: count }, aRegistration);
  const directory = await mkdtemp(join(tmpdir(), 'matricula-faults-'));
  try {
    const file = join(directory, 'records.ndjson');
    await writeFile(file, documents.map((document) => `${JSON.stringify(document)}\n`).join(''));
    const told = await succeed(['import', 'records', file, '--publish', '--json'], environment);
    const { imported } = JSON.parse(told) as { readonly imported: number };
    if (imported !== count) throw new Error(`${imported} of ${count} events were imported`);
  } finally {
    await rm(directory, { recursive: true });
  }
  for (const { id } of documents) ledger.take(id);
}

/** Stores records as a bulk import does: nothing is published. */
export async function storeAll({ service, token }: World, records: readonly EventRecord[]): Promise<void> {
  const answer = await fetch(`${service.urls?.internalUrl ?? ''}/events/bulk-import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', authorization: `Bearer ${await token}` },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
  const counts = (await answer.json()) as { readonly imported?: number };
  if (counts.imported !== records.length) throw new Error(`an import answered ${JSON.stringify(counts)}`);
}
