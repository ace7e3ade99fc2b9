import pg from 'pg';

import { Primary } from '../../src/platform/database/connection/primary.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import type { ReplicaState } from '../../src/platform/database/pools/replica.js';
import { SearchDatabase } from '../../src/platform/database/pools/search-database.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { eventually } from './eventually.js';
import type { ReplicatedServer } from './replicated-server.js';
import { HANG_MS } from './time-outs.js';

/** The server, and what is told and opened on it in one test. */
interface Here {
  readonly primary: Database;
  readonly primaryUrl: string;
  readonly poolSize: number;
  /** What the operator is told about replicas. */
  readonly lines: string[];
  /** The searches to shut down after the test. */
  readonly open: SearchDatabase[];
}

/** Opens searches as further processes of the service have them. */
export function searchesOver(here: () => Here) {
  /** With patience for a machine under load. */
  function searchesOf(
    replicaUrls: readonly string[],
    patienceMs = HANG_MS,
    primaryUrl = here().primaryUrl,
  ): SearchDatabase {
    const { primary, poolSize, lines, open } = here();
    const searches = new SearchDatabase({
      primary,
      server: new Primary(primaryUrl),
      replicaUrls,
      poolSize,
      patienceMs,
      onReplicaChange: (line) => lines.push(line),
    });
    open.push(searches);
    searches.onApplicationBootstrap();
    return searches;
  }

  async function upOn(...replicaUrls: readonly string[]): Promise<SearchDatabase> {
    const searches = searchesOf(replicaUrls);
    await become(searches, ...replicaUrls.map((): ReplicaState => 'up'));
    return searches;
  }

  return { searchesOf, upOn };
}

/** The state of each replica, in the order of their URLs. */
export const statesOf = ({ replicas }: SearchDatabase): ReplicaState[] => replicas.map(({ state }) => state);

/** How many searches each replica has answered, in the order of their URLs. */
export const servedOf = ({ replicas }: SearchDatabase): number[] => replicas.map(({ served }) => served);

/** Waits until the replicas have these states. */
export const become = (searches: SearchDatabase, ...states: readonly ReplicaState[]): Promise<void> =>
  eventually(`the replicas are ${states.join(', ')}`, () => statesOf(searches).join() === states.join());

/** Where a search was read, and the notes that it found. */
export async function search(
  searches: SearchDatabase,
): Promise<{ readonly onReplica: boolean; readonly notes: number }> {
  const [row] = await searches.query<{ onReplica: boolean; notes: number }>(
    sql`select pg_is_in_recovery() as "onReplica", (select count(*)::int from note) as notes`,
  );
  if (row === undefined) throw new Error('no answer');
  return row;
}

/** Asks replicas past the service. */
export function replicasOf(server: () => ReplicatedServer) {
  const replicaUrl = (at: number): string => server().replicas[at]?.url ?? '';

  async function onReplica(at: number, statement: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: replicaUrl(at) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  /** Waits until a statement sleeps so many times at once. */
  const untilAsleep = (at: number, statement: string, count: number): Promise<void> =>
    eventually(`${count} times ${statement}`, async () => {
      const active = await onReplica(
        at,
        `select from pg_stat_activity where wait_event = 'PgSleep' and query like '${statement}%'`,
      );
      return active.length === count;
    });

  async function pauseReplay(at: number): Promise<void> {
    await onReplica(at, 'select pg_wal_replay_pause()');
    await eventually('replay is paused', async () => {
      const [row] = await onReplica(at, 'select pg_get_wal_replay_pause_state() as state');
      return row?.state === 'paused';
    });
  }

  return { replicaUrl, onReplica, untilAsleep, pauseReplay };
}
