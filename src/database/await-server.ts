import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { errorCode } from '../errors/error-code.js';
import { DatabaseServerError } from './database-server-error.js';
import { placeOf } from './place-of.js';

const OLDEST_VERSION = 15;
const ATTEMPT_DEADLINE_MS = 5_000;
const PAUSE_MS = 500;

/** How a server that is still coming up shows itself: no host or port yet, or "the database system is starting up". */
const NOT_YET: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '57P03',
]);

/**
 * Connects once the server behind `url` answers, for at most `patienceSeconds`, and checks its version (P-2). Throws
 * `DatabaseServerError` when it does not answer, refuses us, or is older than PostgreSQL 15.
 */
export async function awaitServer(url: string, patienceSeconds: number, log: (line: string) => void): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1_000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const version = await serverVersion(url);
      if (version < OLDEST_VERSION) {
        throw new DatabaseServerError(
          `The database at ${placeOf(url)} is PostgreSQL ${version}; needed is ${OLDEST_VERSION} or later.`,
        );
      }
      return;
    } catch (error) {
      if (error instanceof DatabaseServerError) throw error;
      const reason =
        error instanceof Error && error.message !== '' ? error.message : (errorCode(error) ?? String(error));
      if (!isNotYet(error)) {
        throw new DatabaseServerError(`The database at ${placeOf(url)} refused the connection: ${reason}`, {
          cause: error,
        });
      }
      if (Date.now() + PAUSE_MS > deadline) {
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

async function serverVersion(url: string): Promise<number> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'matricula start',
    connectionTimeoutMillis: ATTEMPT_DEADLINE_MS,
    query_timeout: ATTEMPT_DEADLINE_MS,
  });
  // A connection that breaks also fails the call below; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int / 10000 as version",
    );
    return rows[0]?.version ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isNotYet(error: unknown): boolean {
  // Every address of a name was tried: one that may still answer is reason to wait.
  if (error instanceof AggregateError) return error.errors.some(isNotYet);
  return (
    NOT_YET.has(errorCode(error)) || (error instanceof Error && /timeout|Connection terminated/i.test(error.message))
  );
}
