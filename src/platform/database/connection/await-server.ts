import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, messageOf } from '../../../kernel/errors/service-error.js';
import { SQLSTATES } from '../../../kernel/errors/sql-state.js';
import { GuardedClient } from './guarded-client.js';
import { isPooled, lookAt, refuseTransactionPooler, type ServerLook } from './server-look.js';
import { DatabaseServerError } from './database-server.js';
import { placeOf } from './advisory-locks.js';

const OLDEST_VERSION = 15;
const ATTEMPT_DEADLINE_MS = 5_000;
const PAUSE_MS = 500;

/** Signs of a starting server: no host or port yet, or "the database system is starting up". */
const NOT_YET: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  SQLSTATES.cannotConnectNow,
]);

/**
 * Connects within `patienceSeconds` and checks the version (P-2). Throws `DatabaseServerError` for no answer, a
 * refusal, a standby, a pooler in transaction mode, PostgreSQL before 15, or another encoding than UTF-8.
 */
export async function awaitServer(url: string, patienceSeconds: number, log: (line: string) => void): Promise<void> {
  const deadline = performance.now() + patienceSeconds * 1_000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { version, encoding, isStandby } = await serverAt(url);
      if (isStandby) throw new StandbyError('it is a standby, and the primary is needed');
      if (version < OLDEST_VERSION) {
        throw new DatabaseServerError(
          `The database at ${placeOf(url)} is PostgreSQL ${version}; ${OLDEST_VERSION} or later is needed.`,
        );
      }
      if (encoding !== 'UTF8') {
        throw new DatabaseServerError(
          `The database at ${placeOf(url)} stores texts in ${encoding}; UTF8 is needed: create database … encoding 'UTF8' template template0.`,
        );
      }
      return;
    } catch (error) {
      if (error instanceof DatabaseServerError) throw error;
      const reason = messageOf(error);
      if (!isNotYet(error)) {
        throw new DatabaseServerError(`The database at ${placeOf(url)} refused the connection: ${reason}`, {
          cause: error,
        });
      }
      if (performance.now() + PAUSE_MS > deadline) {
        throw new DatabaseServerError(
          `The database at ${placeOf(url)} did not answer within ${patienceSeconds} seconds: ${reason}`,
          { cause: error },
        );
      }
      if (attempt === 1) log(`waiting for the database at ${placeOf(url)}: ${reason}`);
      await sleep(PAUSE_MS);
    }
  }
}

/** A standby may be promoted meanwhile. */
class StandbyError extends Error {}

async function serverAt(url: string): Promise<ServerLook> {
  const client = new GuardedClient({
    connectionString: url,
    application_name: 'matricula start',
    connectionTimeoutMillis: ATTEMPT_DEADLINE_MS,
  });
  try {
    await client.connect();
    const look = await lookAt(client);
    if (isPooled(client, look.pid)) await refuseTransactionPooler(url, client);
    return look;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isNotYet(error: unknown): boolean {
  // All addresses of a name failed; one may still come up.
  if (error instanceof AggregateError) return error.errors.some(isNotYet);
  return (
    error instanceof StandbyError ||
    NOT_YET.has(errorCode(error)) ||
    (error instanceof Error && /timeout|Connection terminated/i.test(error.message))
  );
}
