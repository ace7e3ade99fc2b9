import pg from 'pg';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { type Spread, spreadOf } from '../measure/spread.js';
import type { Service } from '../service/service.js';
import { startBareHttp } from './bare-http.js';
import { CONNECTIONS, SESSION } from './look-up-session.js';
import { pageOf } from './page-of.js';
import { type Draws, QUERY_KINDS } from './query-kinds.js';
import { statementsOf } from './statement-of.js';

interface Throughput {
  /** One after the other. */
  readonly alone: Spread;
  /** A second, `IN_FLIGHT` at a time. */
  readonly perSecond: number;
}

export interface PointFound {
  readonly kind: string;
  readonly overHttp: Throughput;
  /** The same SQL through `pg` alone, from the same process as the requests. */
  readonly sqlAlone: Throughput;
  /** The same SQL behind a bare `node:http`, which checks nothing; absent in results before it was measured. */
  readonly bareHttp?: Throughput;
  /** The throughput over HTTP, as a share of that of the SQL alone. */
  readonly share: number;
}

const KINDS = ['01', '02', '03', '13'];
const DRAWN = 500;
const IN_FLIGHT = 16;
const ROUNDS = 3;

/** Look-ups of one record, over HTTP, behind a bare `node:http`, and as the same SQL through `pg`, in turns. */
export async function pointLookUps(
  service: Service,
  databaseUrl: string,
  draws: Draws,
  { seconds, tell }: { seconds: number; tell: (line: string) => void },
): Promise<PointFound[]> {
  const dataSource = await createDataSource(databaseUrl, 2).initialize();
  const database = new Database(dataSource);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, options: SESSION });
  const found: PointFound[] = [];
  try {
    for (const { name, draw } of QUERY_KINDS.filter((kind) => KINDS.some((key) => kind.name.startsWith(key)))) {
      const bodies = Array.from({ length: DRAWN }, () => ({ query: draw(draws) }));
      const statements = await statementsOf(database, bodies);
      const ask = async (at: number): Promise<void> => {
        if (pageOf(await service.search(bodies[at % DRAWN] ?? {})).length === 0)
          throw new Error(`${name}: found no one`);
      };
      const query = async (at: number): Promise<void> => {
        const { text, params } = statements[at % DRAWN] ?? { text: '', params: [] };
        const { rows } = await pool.query({ name, text, values: [...params] });
        if (rows.length === 0) throw new Error(`${name}: the SQL found no one`);
      };
      const bare = await startBareHttp(databaseUrl, statements, IN_FLIGHT);
      const askBare = async (at: number): Promise<void> => {
        if ((await bare.ask(at % DRAWN)).endsWith('"total":0}')) throw new Error(`${name}: the bare SQL found no one`);
      };
      const sides = { sqlAlone: query, overHttp: ask, bareHttp: askBare };
      const measured = await byTurns(sides, seconds).finally(() => bare.stop());
      const { overHttp: http, sqlAlone: sql, bareHttp } = measured;
      found.push({ kind: name, ...measured, share: http.perSecond / sql.perSecond });
      tell(
        `${name}: ${http.alone.p50.toFixed(2)} ms alone, ${http.perSecond.toFixed(0)}/s; ` +
          `bare ${bareHttp.alone.p50.toFixed(2)} ms, ${bareHttp.perSecond.toFixed(0)}/s; ` +
          `the SQL ${sql.alone.p50.toFixed(2)} ms, ${sql.perSecond.toFixed(0)}/s`,
      );
    }
    return found;
  } finally {
    await pool.end();
    await dataSource.destroy();
  }
}

async function byTurns<Key extends string>(
  sides: Record<Key, (at: number) => Promise<void>>,
  seconds: number,
): Promise<Record<Key, Throughput>> {
  // Until what is hot has been compiled, on all sides.
  for (const side of Object.values<(at: number) => Promise<void>>(sides)) await new Measuring(side).round(seconds);
  const measuring = mapped(sides, (side) => new Measuring(side));
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of Object.values<Measuring>(measuring)) await one.round(seconds);
  }
  return mapped(measuring, (one) => one.found);
}

const mapped = <Key extends string, From, To>(of: Record<Key, From>, to: (from: From) => To): Record<Key, To> =>
  Object.fromEntries(Object.entries<From>(of).map(([key, from]) => [key, to(from)])) as Record<Key, To>;

class Measuring {
  private readonly times: number[] = [];
  private readonly rates: number[] = [];
  private next = 0;

  constructor(private readonly once: (at: number) => Promise<void>) {}

  /** Half of the time one after the other, half of it many at a time; the first tenth of each is a warm-up. */
  async round(seconds: number): Promise<void> {
    await this.repeated(1, seconds / 20);
    const { times } = await this.repeated(1, seconds / 2);
    this.times.push(...times);
    await this.repeated(IN_FLIGHT, seconds / 20);
    this.rates.push((await this.repeated(IN_FLIGHT, seconds / 2)).rate);
  }

  get found(): Throughput {
    return { alone: spreadOf(this.times), perSecond: spreadOf(this.rates).p50 };
  }

  private async repeated(inFlight: number, seconds: number): Promise<{ times: number[]; rate: number }> {
    const times: number[] = [];
    const began = performance.now();
    const elapsed = (): number => (performance.now() - began) / 1_000;
    const call = async (): Promise<void> => {
      while (elapsed() < seconds) {
        const asked = performance.now();
        await this.once(this.next++);
        times.push(performance.now() - asked);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, call));
    return { times, rate: times.length / elapsed() };
  }
}
