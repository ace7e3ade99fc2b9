import pg from 'pg';
import { Database } from '../../src/platform/database/pools/database.js';
import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { medianOf } from '../measure/spread.js';
import { CONNECTIONS, SESSION } from '../search/look-up-session.js';
import { type Draws, QUERY_KINDS } from '../search/query-kinds.js';
import { cpuSecondsBetween } from '../deliveries/cpu-time.js';
import { statementsOf } from '../search/statement-of.js';
import { type Asked, byName, type Contenders, type Name, NAMES } from './contenders.js';
import { type Times, timesOf } from './kinds.js';

export interface LoadTimes {
  readonly perSecond: number;
  readonly ms: Times;
  /** Milliseconds of processor time for each, of all processes but the callers'; NaN where nobody says. */
  readonly cpuMs: number;
}

export interface LoadCompared {
  readonly callers: number;
  readonly found: Readonly<Record<Name, LoadTimes>>;
}

export interface LookUpsCompared extends LoadCompared {
  /** The statements of Matricula's look-ups, through `pg` alone. */
  readonly sqlPerSecond: number;
}

interface Load {
  readonly callers: number;
  readonly seconds: number;
  readonly rounds: number;
}

const LOOK_UPS = ['01', '02', '03', '13'];
const DRAWN_OF_A_KIND = 250;
const WARM_UP_SHARE = 0.2;
const WARM_UP_DRAWS = 40;
const WARM_UP_CALLERS = 4;

/** The same searches for all, by turns: so many rounds, each of so many seconds for each. Medians of the rounds. */
export async function compareLoads(contenders: Contenders, asked: readonly Asked[], load: Load): Promise<LoadCompared> {
  const rounds: Record<Name, Round[]> = { matricula: [], openSearch: [], behindLayer: [] };
  for (let round = 0; round < load.rounds; round++) {
    for (const name of NAMES) rounds[name].push(await roundOf(contenders, name, asked, load));
  }
  return { callers: load.callers, found: byName((name) => overall(rounds[name])) };
}

async function roundOf(contenders: Contenders, name: Name, asked: readonly Asked[], load: Load): Promise<Round> {
  const { search, cpuTimes } = contenders[name];
  const once = async (at: number): Promise<void> => {
    await search(asked[at % asked.length] ?? { query: {} });
  };
  await repeated(load.callers, load.seconds * WARM_UP_SHARE, once);
  const before = await cpuTimes();
  const found = await repeated(load.callers, load.seconds, once);
  return { ...found, cpuMs: (1_000 * cpuSecondsBetween(before, await cpuTimes())) / found.times.length };
}

/** Until what is hot has been compiled, Java's above all: all kinds of searches at once, thrown away. */
export async function warmUp(contenders: Contenders, draws: Draws, seconds: number): Promise<void> {
  const asked = Array.from({ length: WARM_UP_DRAWS }, () =>
    QUERY_KINDS.map(({ draw }): Asked => ({ query: draw(draws) })),
  ).flat();
  for (const name of NAMES) {
    const { search } = contenders[name];
    await repeated(WARM_UP_CALLERS, seconds, async (at) => {
      await search(asked[at % asked.length] ?? { query: {} });
    });
  }
}

interface Round {
  readonly times: readonly number[];
  readonly perSecond: number;
  readonly cpuMs: number;
}

const overall = (rounds: readonly Round[]): LoadTimes => ({
  perSecond: medianOf(rounds.map(({ perSecond }) => perSecond)),
  ms: timesOf(rounds.flatMap(({ times }) => times)),
  cpuMs: medianOf(rounds.map(({ cpuMs }) => cpuMs)),
});

/**
 * Look-ups of one record, four kinds by turns, and their statements through `pg` alone, with each number of callers.
 */
export async function compareLookUps(
  contenders: Contenders,
  draws: Draws,
  {
    databaseUrl,
    seconds,
    rounds,
    callers,
  }: Omit<Load, 'callers'> & { databaseUrl: string; callers: readonly number[] },
): Promise<LookUpsCompared[]> {
  const kinds = QUERY_KINDS.filter(({ name }) => LOOK_UPS.some((key) => name.startsWith(key)));
  const asked = Array.from({ length: DRAWN_OF_A_KIND }, () => kinds.map(({ draw }) => ({ query: draw(draws) }))).flat();
  const sql = await SqlAlone.of(databaseUrl, asked, kinds.length);
  try {
    const found: LookUpsCompared[] = [];
    for (const count of callers) {
      const alone: number[] = [];
      await repeated(count, seconds * WARM_UP_SHARE, sql.run);
      for (let round = 0; round < rounds; round++) alone.push((await repeated(count, seconds, sql.run)).perSecond);
      const load = await compareLoads(contenders, asked, { callers: count, seconds, rounds });
      found.push({ ...load, sqlPerSecond: medianOf(alone) });
    }
    return found;
  } finally {
    await sql.end();
  }
}

class SqlAlone {
  private constructor(
    readonly run: (at: number) => Promise<void>,
    readonly end: () => Promise<void>,
  ) {}

  static async of(databaseUrl: string, bodies: readonly Asked[], kinds: number): Promise<SqlAlone> {
    const dataSource = await createDataSource(databaseUrl, 2).initialize();
    const statements = await statementsOf(new Database(dataSource), bodies).finally(() => dataSource.destroy());
    const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS, options: SESSION });
    const run = async (at: number): Promise<void> => {
      const { text, params } = statements[at % statements.length] ?? { text: '', params: [] };
      const { rows } = await pool.query({ name: `look-up ${at % kinds}`, text, values: [...params] });
      if (rows.length === 0) throw new Error('the SQL found no one');
    };
    return new SqlAlone(run, () => pool.end());
  }
}

/** Each caller asks again as soon as it has an answer. */
async function repeated(
  callers: number,
  seconds: number,
  once: (at: number) => Promise<void>,
): Promise<Omit<Round, 'cpuMs'>> {
  const times: number[] = [];
  let next = 0;
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1_000;
  const call = async (): Promise<void> => {
    while (elapsed() < seconds) {
      const asked = performance.now();
      await once(next++);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return { times, perSecond: times.length / elapsed() };
}
