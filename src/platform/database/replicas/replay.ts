import { setTimeout as sleep } from 'node:timers/promises';

import type { ClientBase } from 'pg';

/** Null on a primary, or before any replay. */
const LAG = {
  name: 'replica lag',
  text: `
    select case when pg_is_in_recovery() then greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::float8 end as lag`,
};

/**
 * Waits at most `mostMs` for replay up to `position`; resolves with the missing bytes, 0 if none. Later reads on this
 * connection then include everything before. Throws if the server is not a replica.
 */
export async function lagAfterWaiting(client: ClientBase, position: string, mostMs: number): Promise<number> {
  const deadline = performance.now() + mostMs;
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const { rows } = await client.query<{ lag: number | null }>({ ...LAG, values: [position] });
    const lag = rows[0]?.lag ?? null;
    if (lag === null) throw new Error('it is no replica that replays the log of a primary');
    const leftMs = deadline - performance.now();
    if (lag === 0 || leftMs <= 0) return lag;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
