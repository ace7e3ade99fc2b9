import type pg from 'pg';

import type { Loaded } from '../service/bench-database.js';
import { readLoaded, withClient, writeLoaded } from '../service/bench-database.js';
import type { Tell } from './load.js';
import { settle } from './load.js';

/** What other places of the schema hold for a record is the same for its copies: words, shapes and what terms mean. */
const COPIED = ['event', 'event_search', 'event_document'];

const columns = (table: string, changed: Readonly<Record<string, string>>, all: readonly string[]): string =>
  `insert into ${table} (${all.join(', ')}) overriding system value
   select ${all.map((column) => changed[column] ?? column).join(', ')} from ${table}`;

/** A UUID of version 4 for a copy of the record. */
const ID = `overlay(overlay(md5(id::text || $2) placing '4' from 13) placing '8' from 17)::uuid`;
const IN_BODY = `replace(replace(replace(body, '"' || o.id || '"', '"' || n.id || '"'),
  '"' || o.tracking_id || '"', '"' || n.tracking_id || '"'),
  '"' || coalesce(o.registration_number, ' ') || '"', '"' || coalesce(n.registration_number, ' ') || '"')`;

/**
 * Makes `times` of the records there are, in the database: each copy has an id, a tracking id and a registration number
 * of its own, and is some minutes younger in every column that is searched. It shares the rest with its original,
 * national ids among it, so that what is found by them are `times` records, and the index of terms is smaller than that
 * of so many different records; the times in its body are those of the original. Indexes are dropped and built again.
 */
export async function replicate(url: string, times: number, tell: Tell): Promise<Loaded> {
  const loaded = await readLoaded(url);
  if (loaded.records !== loaded.drawn) throw new Error('the records were copied already');
  await withClient(url, async (client) => {
    // Foreign keys hold, since what is copied holds them.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '2GB'; set max_parallel_maintenance_workers = 2`);
    // What was written since is not copied, and keeps its numbers.
    const [row] = await rows<{ last: string; highest: string }>(
      client,
      `select (select max(seq) from (select seq from event order by seq limit $1) loaded) as last,
              (select max(seq) from event) as highest`,
      [loaded.records],
    );
    const [last, highest] = [Number(row?.last), Number(row?.highest)];
    const indexes = await droppedIndexes(client);
    for (let copy = 1; copy < times; copy++) {
      tell(`copy ${copy + 1} of ${times}`);
      await addCopy(client, highest * copy, copy, last);
    }
    await client.query(`select setval(pg_get_serial_sequence('event', 'seq'), (select max(seq) from event))`);
    // Bitmaps are made anew by the service.
    await client.query('truncate bitmap, bitmap_chunk, bitmap_dirty');
    for (const { indexname, indexdef } of indexes) {
      tell(`building ${indexname}`);
      await client.query(indexdef);
    }
  });
  await settle(url, tell);
  const replicated = { ...loaded, records: loaded.records * times };
  await writeLoaded(url, replicated);
  return replicated;
}

async function rows<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows;
}

interface Index {
  readonly indexname: string;
  readonly indexdef: string;
}

/** Drops the indexes of `event_search` but that of its key; yields what makes them again. */
async function droppedIndexes(client: pg.Client): Promise<Index[]> {
  const indexes = await rows<Index>(
    client,
    `select indexname, indexdef from pg_indexes
      where schemaname = 'public' and tablename = 'event_search' and indexname <> 'event_search_pkey'`,
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  return indexes;
}

/** Adds copies of the records up to `last`, whose numbers are so much higher. */
async function addCopy(client: pg.Client, higher: number, copy: number, last: number): Promise<void> {
  const younger = (column: string): string => `${column} + $2::int * interval '11 minutes'`;
  const label = `chr(64 + $2::int)`;
  const changed: Readonly<Record<string, string>> = {
    seq: 'seq + $1::bigint',
    id: ID.replace('$2', '$2::text'),
    tracking_id: `tracking_id || ${label}`,
    registration_number: `registration_number || ${label}`,
    created_at: younger('created_at'),
    updated_at: younger('updated_at'),
    declared_accepted_at: younger('declared_accepted_at'),
    registered_accepted_at: younger('registered_accepted_at'),
  };
  for (const table of COPIED) {
    const names = await rows<{ name: string }>(
      client,
      `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    );
    const all = names.map(({ name }) => name);
    const statement =
      table === 'event_document'
        ? `insert into event_document (${all.join(', ')})
           select ${all.map((column) => ({ seq: 'n.seq', body: IN_BODY })[column] ?? `d.${column}`).join(', ')}
             from event_document d
             join event_search o on o.seq = d.seq
             join event_search n on n.seq = d.seq + $1::bigint
            where d.seq <= $2`
        : `${columns(table, changed, all)} where seq <= $3`;
    await client.query(statement, table === 'event_document' ? [higher, last] : [higher, copy, last]);
  }
}
