import pg from 'pg';

/** What `load` filled the database with: enough to draw every record again. */
export interface Loaded {
  readonly records: number;
  readonly seed: number;
  /** Records lie in the ten years before. */
  readonly untilMs: number;
  /** How many of the records are drawn; the others were copied from them in the database. */
  readonly drawn: number;
}

const LOADED = `
  create table if not exists bench_load (
    records int not null, seed bigint not null, until_ms bigint not null, drawn int not null)`;

/** Runs `work` on a connection of its own, beside the service. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'matricula bench' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const writeLoaded = (url: string, { records, seed, untilMs, drawn }: Loaded): Promise<void> =>
  withClient(url, async (client) => {
    await client.query(LOADED);
    await client.query('delete from bench_load');
    await client.query('insert into bench_load values ($1, $2, $3, $4)', [records, seed, untilMs, drawn]);
  });

/** Throws when the database was not filled by `load`. */
export const readLoaded = (url: string): Promise<Loaded> =>
  withClient(url, async (client) => {
    await client.query(LOADED);
    const { rows } =
      await client.query<Record<'records' | 'seed' | 'until_ms' | 'drawn', string>>('select * from bench_load');
    const [row] = rows;
    if (row === undefined) throw new Error('the database was not filled by `bench load`');
    const { records, seed, until_ms: untilMs, drawn } = row;
    return { records: Number(records), seed: Number(seed), untilMs: Number(untilMs), drawn: Number(drawn) };
  });

export interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'index';
  readonly megabytes: number;
}

/** Tables (with what they hold out of line) and indexes of at least a megabyte, the largest first. */
export const relationSizes = (url: string): Promise<Relation[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Relation>(`
      select relname as name, case relkind when 'i' then 'index' else 'table' end as kind,
             round(case relkind when 'i' then pg_relation_size(oid) else pg_table_size(oid) end / 1048576.0)::int
               as megabytes
        from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'i', 'm')
         and pg_table_size(oid) >= 1048576
       order by 3 desc`);
    return rows;
  });
