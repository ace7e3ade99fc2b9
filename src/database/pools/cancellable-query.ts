import type { Pool, PoolClient } from 'pg';

import { errorCode } from '../../errors/error-code.js';
import { requestCancel } from '../connection/cancel-request.js';
import { GuardedClient } from '../connection/guarded-client.js';

const QUERY_CANCELED = '57014';

/** A connection whose running statement is cancelled when a signal aborts. */
export interface Cancellable {
  /** To be awaited before the connection does anything else: from here on nothing is cancelled any more. */
  readonly settled: () => Promise<void>;
  /** What a statement's failure means: the signal's reason where that is why it failed. */
  readonly reasonOf: (error: unknown) => unknown;
}

/**
 * Cancels whatever `client` runs when `signal` aborts, for as long as the caller has the connection for itself; one that
 * goes on all the same is destroyed. A connection that is idle at that moment notices nothing: look at the signal
 * between statements.
 */
export function cancelOnAbort(client: PoolClient, signal: AbortSignal | undefined): Cancellable {
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    cancelled ??= client instanceof GuardedClient ? client.cancelStatement() : requestCancel(client);
  };
  // Ended as it was told to, or given up because it did not end.
  const isCancelled = (error: unknown): boolean =>
    errorCode(error) === QUERY_CANCELED || client.connection.stream.destroyed;
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    settled: async () => {
      signal?.removeEventListener('abort', cancel);
      if (cancelled === undefined) return;
      await cancelled;
      // The server has passed the request on to the backend; what comes late hits this.
      await client.query('select').catch(() => undefined);
      cancelled = undefined;
    },
    reasonOf: (error) => (signal?.aborted === true && isCancelled(error) ? reasonOf(signal) : error),
  };
}

/** A connection of the pool; fails with the signal's reason when that aborts while none is free. */
export async function connectUnlessAborted(pool: Pool, signal: AbortSignal | undefined): Promise<PoolClient> {
  signal?.throwIfAborted();
  const connecting = pool.connect();
  if (signal === undefined) return connecting;
  return new Promise((resolve, reject) => {
    const abandon = (): void => {
      reject(reasonOf(signal));
      connecting.then(
        (client) => {
          client.release();
        },
        () => undefined,
      );
    };
    signal.addEventListener('abort', abandon, { once: true });
    connecting.then((client) => {
      signal.removeEventListener('abort', abandon);
      resolve(client);
    }, reject);
  });
}

function reasonOf({ reason }: { readonly reason: unknown }): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
