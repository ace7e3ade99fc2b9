import type { Pool, PoolClient } from 'pg';

import { asError } from '../../../kernel/errors/as-error.js';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import { requestCancel } from '../connection/cancel-request.js';
import { GuardedClient } from '../connection/guarded-client.js';
import { unlessAborted } from '../connection/unless-aborted.js';

/** A connection whose running statement is cancelled when a signal aborts. */
export interface Cancellable {
  /** Await this before the connection does anything else: from then on nothing is cancelled any more. */
  readonly settled: () => Promise<void>;
  /** The meaning of a statement's failure: the signal's reason if that caused it. */
  readonly reasonOf: (error: unknown) => unknown;
}

/**
 * Cancels whatever `client` runs when `signal` aborts, as long as the caller has the connection for itself; one that
 * continues nevertheless is destroyed. An idle connection notices nothing: check the signal between statements.
 */
export function cancelOnAbort(client: PoolClient, signal: AbortSignal | undefined): Cancellable {
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    cancelled ??= client instanceof GuardedClient ? client.cancelStatement() : requestCancel(client);
  };
  // It ended as requested, or was given up because it did not end.
  const isCancelled = (error: unknown): boolean =>
    isSqlError(error, 'queryCanceled') || client.connection.stream.destroyed;
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    settled: async () => {
      signal?.removeEventListener('abort', cancel);
      if (cancelled === undefined) return;
      await cancelled;
      // The server has passed the request on to the backend; a late one hits this statement.
      await client.query('select').catch(() => undefined);
      cancelled = undefined;
    },
    reasonOf: (error) => (signal?.aborted === true && isCancelled(error) ? asError(signal.reason) : error),
  };
}

/** A connection of the pool; fails with the signal's reason if it aborts while none is free. */
export async function connectUnlessAborted(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  if (signal === undefined) return connecting;
  // Each that waits gets one that is idle, in this turn of the event loop.
  if (pool.idleCount >= pool.waitingCount) {
    const client = await connecting;
    if (!signal.aborted) return client;
    client.release();
    throw asError(signal.reason);
  }
  connecting.then(
    (client) => {
      if (signal.aborted) client.release();
    },
    () => undefined,
  );
  return unlessAborted(connecting, signal);
}
