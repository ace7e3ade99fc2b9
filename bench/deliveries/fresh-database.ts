import pg from 'pg';

/** A database of its own on the server at `url`, which is removed with all that is in it. */
export class FreshDatabase {
  private constructor(
    private readonly serverUrl: string,
    private readonly name: string,
    readonly url: string,
  ) {}

  static async create(serverUrl: string): Promise<FreshDatabase> {
    const name = `matricula_bench_${process.pid}_${Date.now()}`;
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    await within(serverUrl, (client) => client.query(`create database ${name} template template0 encoding 'UTF8'`));
    return new FreshDatabase(serverUrl, name, url.href);
  }

  /** How many deliveries have which status, and how many attempts were noted. */
  async tally(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await within(this.url, (client) =>
      client.query<{ status: string; count: number }>(`
        select status, count(*)::int as count from webhook_delivery group by status
        union all select 'attempts', count(*)::int from webhook_attempt`),
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** So that the planner knows what an import brought, as it would after a minute. */
  async analyze(): Promise<void> {
    await within(this.url, (client) => client.query('vacuum analyze'));
  }

  /** The processes of the server, but for its first one: those that work for this database and for none. */
  async serverPids(): Promise<readonly number[]> {
    const { rows } = await within(this.url, (client) =>
      client.query<{ pid: number }>(`
        select pid from pg_stat_activity
         where pid <> pg_backend_pid() and (datname is null or datname = current_database())`),
    );
    return rows.map(({ pid }) => pid);
  }

  async drop(): Promise<void> {
    await within(this.serverUrl, (client) => client.query(`drop database ${this.name} with (force)`));
  }
}

async function within<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
