/**
 * Where the room of a record goes, in a database that was filled: `npx tsx bench/room.ts --filled URL` prints the bytes
 * a record of each table, of what it holds out of line and of each index, and of the columns of the widest tables.
 */
import { Command } from 'commander';

import { withClient } from './service/bench-database.js';

interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'index';
  readonly bytes: string;
  readonly outOfLine: string;
}

interface Column {
  readonly name: string;
  readonly bytes: string;
}

const RELATIONS = `
  select relname as name, case relkind when 'i' then 'index' else 'table' end as kind,
         pg_relation_size(oid) as bytes, pg_table_size(oid) - pg_relation_size(oid) as "outOfLine"
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')
   order by pg_table_size(oid) desc`;

/**
 * As stored: compressed, without what is null, and what lies out of line as its pointer. The statistics of PostgreSQL
 * are samples.
 */
const COLUMNS = `
  select tablename || '.' || attname as name, avg_width * (1 - null_frac) as bytes
    from pg_stats where schemaname = 'public' and tablename in ('event', 'event_search', 'event_document', 'event_history')
   order by 2 desc limit 20`;

const program = new Command('room')
  .requiredOption('--filled <url>', 'the database that `bench load` filled', process.env.BENCH_DATABASE_URL)
  .action(({ filled }: { readonly filled: string }) =>
    withClient(filled, async (client) => {
      const { rows: counted } = await client.query<{ records: string }>('select count(*) as records from event');
      const records = Number(counted[0]?.records);
      const { rows: relations } = await client.query<Relation>(RELATIONS);
      const { rows: columns } = await client.query<Column>(COLUMNS);
      const each = (bytes: string): number => Math.round(Number(bytes) / records);
      const all = relations.reduce((sum, { bytes, outOfLine }) => sum + each(bytes) + each(outOfLine), 0);
      console.log(`${records} records, ${all} bytes each`);
      for (const { name, kind, bytes, outOfLine } of relations) {
        const [inLine, out] = [each(bytes), each(outOfLine)];
        if (inLine + out > 1) console.log(`${kind} ${name}: ${inLine}${out === 0 ? '' : ` and ${out} out of line`}`);
      }
      for (const { name, bytes } of columns) console.log(`column ${name}: ${Math.round(Number(bytes))}`);
    }),
  );

await program.parseAsync();
