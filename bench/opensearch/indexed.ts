import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import { startCommand, type Target } from '../service/program.js';
import { documentOf, type Hierarchy } from './document.js';
import { INDEXES, indexOf, mappingOf } from './mapping.js';
import type { OpenSearchServer } from './server.js';

const DOCUMENTS_OF_A_REQUEST = 500;
const SENDERS = 2;

export interface Prepared {
  readonly file: string;
  readonly records: number;
  readonly megabytes: number;
  /** The ids of the fields that the declarations of each type of event have. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Writes every record that the database has, as Matricula exports it, as lines for OpenSearch's `_bulk`. */
export async function prepareDocuments(target: Target, hierarchy: Hierarchy, file: string): Promise<Prepared> {
  const fields = new Map<string, Set<string>>();
  let records = 0;
  const child = startCommand(target, 'export', 'records');
  child.stderr.resume();
  async function* lines(): AsyncGenerator<string> {
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
      const record = JSON.parse(line) as EventRecord;
      const known = fields.get(record.type) ?? new Set();
      fields.set(record.type, known);
      for (const id of Object.keys(record.declaration)) known.add(id);
      records += 1;
      yield bulkLines(record, hierarchy);
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file));
  return { file, records, megabytes: Math.round((await stat(file)).size / 2 ** 20), fields };
}

function bulkLines(record: EventRecord, hierarchy: Hierarchy): string {
  const action = { index: { _index: indexOf(record.type), _id: record.id } };
  return `${JSON.stringify(action)}\n${JSON.stringify(documentOf(record, hierarchy))}\n`;
}

export interface IndexedFound {
  readonly seconds: number;
  readonly recordsPerSecond: number;
}

/** Makes the indexes and fills them; measured from the first request until all is on disk and found. */
export async function indexDocuments(server: OpenSearchServer, prepared: Prepared): Promise<IndexedFound> {
  for (const [type, ids] of prepared.fields) {
    const settings = { number_of_shards: 1, number_of_replicas: 0 };
    await server.ask('PUT', `/${indexOf(type)}`, { settings, mappings: mappingOf([...ids]) });
  }
  const began = performance.now();
  const batches = batchesOf(prepared.file);
  const send = async (): Promise<void> => {
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      const answer = await server.ask('POST', '/_bulk', next.value);
      if (/"errors":true/.test(answer)) throw new Error(`OpenSearch refused documents: ${answer.slice(0, 1_000)}`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  await server.ask('POST', `/${INDEXES}/_refresh`);
  await server.ask('POST', `/${INDEXES}/_flush`);
  const seconds = (performance.now() - began) / 1_000;
  await merged(server);
  return { seconds, recordsPerSecond: prepared.records / seconds };
}

async function* batchesOf(file: string): AsyncGenerator<string, undefined> {
  let batch: string[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    batch.push(line, '\n');
    if (batch.length < 4 * DOCUMENTS_OF_A_REQUEST) continue;
    yield batch.join('');
    batch = [];
  }
  if (batch.length > 0) yield batch.join('');
}

interface Stats {
  readonly _all: {
    readonly primaries: {
      readonly merges: { readonly current: number };
      readonly store: { readonly size_in_bytes: number };
    };
  };
}

const statsOf = async (server: OpenSearchServer): Promise<Stats['_all']['primaries']> =>
  (JSON.parse(await server.ask('GET', `/${INDEXES}/_stats/store,merge`)) as Stats)._all.primaries;

/** Waits until it merges no segments: what it searches is then as it stays. */
async function merged(server: OpenSearchServer): Promise<void> {
  while ((await statsOf(server)).merges.current > 0) await sleep(500);
}

export const diskMegabytes = async (server: OpenSearchServer): Promise<number> =>
  (await statsOf(server)).store.size_in_bytes / 2 ** 20;
