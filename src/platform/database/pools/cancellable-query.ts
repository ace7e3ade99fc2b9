import type { Pool, PoolClient } from 'pg';

import { asError } from '../../../kernel/errors/as-error.js';
import { isSqlError } from '../../../kernel/errors/sql-state.js';
import { requestCancel } from '../connection/cancel-request.js';
import { GuardedClient } from '../connection/guarded-client.js';
import { unlessAborted } from '../connection/unless-aborted.js';

export interface Cancellable {
  /** Await before any other use; afterwards nothing is cancelled. */
  readonly settled: () => Promise<void>;
  /** The signal's reason, if that caused the failure. */
  readonly reasonOf: (error: unknown) => unknown;
}

/**
 * Cancels what `client` runs, while the caller owns it; a connection that continues is destroyed. Check the
 * signal between statements: an idle connection notices nothing.
 */
export function cancelOnAbort(client: PoolClient, signal: AbortSignal | undefined): Cancellable {
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    cancelled ??= client instanceof GuardedClient ? client.cancelStatement() : requestCancel(client);
  };
  // It ended as requested, or was given up.
  const isCancelled = (error: unknown): boolean =>
    isSqlError(error, 'queryCanceled') || client.connection.stream.destroyed;
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    settled: async () => {
      signal?.removeEventListener('abort', cancel);
      if (cancelled === undefined) return;
      await cancelled;
      // A cancel request still under way hits this statement.
      await client.query('select').catch(() => undefined);
      cancelled = undefined;
    },
    reasonOf: (error) => (signal?.aborted === true && isCancelled(error) ? asError(signal.reason) : error),
  };
}

/** Fails with the signal's reason on abort while none is free. */
export async function connectUnlessAborted(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  if (signal === undefined) return connecting;
  // Each waiting caller gets an idle one in this turn of the event loop.
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
