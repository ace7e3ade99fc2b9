import type { ClientBase } from 'pg';

import { DatabaseServerError } from './database-server.js';
import { placeOf } from './advisory-locks.js';
import { GuardedClient } from './guarded-client.js';

/** Other clients of the pooler may interfere, so one round proves nothing. */
const ROUNDS = 3;
const DEADLINE_MS = 5_000;

export const isPooled = (client: object, pid: number): boolean => Reflect.get(client, 'processID') !== pid;

/**
 * LISTEN, locks, settings and prepared statements belong to a session. Throws `DatabaseServerError` with the
 * remedy.
 */
export async function refuseTransactionPooler(url: string, client: ClientBase): Promise<void> {
  const other = new GuardedClient({
    connectionString: url,
    application_name: 'matricula start',
    statementMs: DEADLINE_MS,
  });
  try {
    await other.connect();
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await backendOf(client);
      await other.query('begin');
      // The other's open transaction occupies a server process: this connection's, if the pooler gave that away.
      const isGivenAway = (await backendOf(other)) === before || (await backendOf(client)) !== before;
      await other.query('rollback');
      if (isGivenAway) throw new DatabaseServerError(refusal(url));
    }
  } finally {
    other.abandon(new Error('Connection terminated: it is not needed any more'));
  }
}

async function backendOf(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

const refusal = (url: string): string =>
  `A pooler at ${placeOf(url)} runs the statements of one connection on several of the server (pool_mode = transaction, as ` +
  'PgBouncer calls it). Give the address of PostgreSQL itself, or of a pool with pool_mode = session: the service keeps a pool of ' +
  'its own (DATABASE_POOL_SIZE), and needs sessions for LISTEN, locks and prepared statements.';
