import { randomUUID } from 'node:crypto';

import pg from 'pg';

import { cpuSeconds } from '../deliveries/cpu-time.js';
import type { Client } from '../deliveries/service.js';
import { Service } from '../deliveries/service.js';

/** What a number of requests took, of each of them. */
export interface Taken {
  /** Processor time of the process. */
  readonly serviceMs: number;
  /** Processor time of the server processes for its connections. */
  readonly postgresMs: number;
  /** Statements of these, by `pg_stat_statements`; NaN where the server does not count them. */
  readonly statements: number;
  /** By the clock. */
  readonly perSecond: number;
}

/** An event as an operation answers with it. */
export interface KeptEvent {
  readonly id: string;
  readonly actions: readonly { readonly id: string; readonly type: string }[];
}

/** PostgreSQL does not say of a copy when it was analyzed, and older builds then plan as if they knew nothing. */
async function analyze(url: string): Promise<void> {
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  await database.query('analyze');
  await database.end();
}

/** Does it so many times, so many at a time. */
export async function times(count: number, atOnce: number, work: (at: number) => Promise<void>): Promise<void> {
  let at = 0;
  const caller = async (): Promise<void> => {
    while (at < count) await work(at++);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}

/** One of two builds of the service, on a copy of the same database. */
export class Program {
  private token: Promise<string> | undefined;
  private readonly events = new Map<number, KeptEvent>();

  private constructor(
    readonly service: Service,
    readonly client: Client,
    private readonly url: string,
    private readonly server: pg.Client,
  ) {}

  /** Copies the database `filled`, to which nobody may be connected. */
  static async start(filled: string, dist: string, nodeOptions: readonly string[]): Promise<Program> {
    const name = `turns_${randomUUID().slice(0, 8)}`;
    const [url, serverUrl] = [new URL(filled), new URL(filled)];
    url.pathname = `/${name}`;
    serverUrl.pathname = '/postgres';
    const server = new pg.Client({ connectionString: serverUrl.href });
    await server.connect();
    await server.query(`create database ${name} template "${new URL(filled).pathname.slice(1)}"`);
    await server.query('create extension if not exists pg_stat_statements').catch(() => undefined);
    await analyze(url.href);
    const target = { dist, databaseUrl: url.href, redisUrl: undefined, authority: '', inFlight: 5, nodeOptions };
    const service = await Service.start(target);
    const client = await service.register('HEALTH');
    return new Program(service, client, url.href, server);
  }

  /** The access token of a user with these scopes, the same each time. */
  userToken(scopes: readonly string[]): Promise<string> {
    this.token ??= this.service.userToken(scopes);
    return this.token;
  }

  /** Keeps the event that was answered, for what is asked about it later. */
  keep(number: number, answer: string): void {
    this.events.set(number, JSON.parse(answer) as KeptEvent);
  }

  kept(number: number): KeptEvent {
    const event = this.events.get(number);
    if (event === undefined) throw new Error(`there is no event ${number}`);
    return event;
  }

  async taken(count: number, atOnce: number, work: (at: number) => Promise<void>): Promise<Taken> {
    const backendsBefore = await this.backends();
    const before = [await cpuSeconds([this.service.pid]), await this.statements()] as const;
    const beganMs = performance.now();
    await times(count, atOnce, work);
    const perSecond = (1_000 * count) / (performance.now() - beganMs);
    const after = [await cpuSeconds([this.service.pid]), await this.statements()] as const;
    // One that ended meanwhile, as an idle one does, has taken nothing of note.
    const backends = [...(await this.backends())].map(([pid, taken]) => taken - (backendsBefore.get(pid) ?? 0));
    return {
      serviceMs: (1_000 * (after[0] - before[0])) / count,
      postgresMs: (1_000 * backends.reduce((sum, taken) => sum + taken, 0)) / count,
      statements: (after[1] - before[1]) / count,
      perSecond,
    };
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.server.query(`drop database ${new URL(this.url).pathname.slice(1)} with (force)`);
    await this.server.end();
  }

  /** How much each has taken so far, in seconds. */
  private async backends(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.server.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [new URL(this.url).pathname.slice(1)],
    );
    const taken = await Promise.all(rows.map(async ({ pid }) => [pid, await cpuSeconds([pid])] as const));
    return new Map(taken.filter(([, seconds]) => !Number.isNaN(seconds)));
  }

  private async statements(): Promise<number> {
    const { rows } = await this.server
      .query<{ calls: string | null }>(
        `select sum(calls) as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid where datname = $1`,
        [new URL(this.url).pathname.slice(1)],
      )
      .catch(() => ({ rows: [] }));
    return Number(rows[0]?.calls ?? NaN);
  }
}

/** A kind of request, and how many of it make a round. */
export interface RequestKind {
  readonly name: string;
  readonly count: number;
  /** What the n-th needs to be there; it is not measured. */
  readonly prepare?: (program: Program, number: number) => Promise<void>;
  /** What one program is asked the n-th time. */
  readonly ask: (program: Program, number: number) => Promise<void>;
}
