import type { ClientBase } from 'pg';
import pg from 'pg';
import type { DataSource } from 'typeorm';

import { applySessionSettings } from './session-settings.js';
import type { GuardedConfig } from './guarded-client.js';
import { GuardedClient } from './guarded-client.js';

/** How long a caller waits for a connection of a pool when all are taken. */
const FREE_CONNECTION_MS = 10_000;

/** The options for a pool's connections; TypeORM takes the same as `extra`. */
export interface ConnectionOptions {
  readonly Client: typeof GuardedClient;
  readonly connectionTimeoutMillis: number;
  readonly onConnect: (client: ClientBase) => Promise<void>;
}

/** The options of every pool, whatever server it leads to. */
export const CONNECTION_OPTIONS: ConnectionOptions = {
  Client: GuardedClient,
  connectionTimeoutMillis: FREE_CONNECTION_MS,
  onConnect: applySessionSettings,
};

/** A pool of guarded connections, like all pools of the project. */
export function guardedPool(options: ConnectionOptions, config: GuardedConfig & { readonly max: number }): pg.Pool {
  const pool = new pg.Pool({ ...options, ...config });
  // A connection that breaks while idle is replaced on demand: nobody else listens for its errors.
  pool.on('error', () => undefined);
  return pool;
}

/** The pool of a data source, which TypeORM's types do not expose; undefined while it is not connected. */
export function poolOf({ driver }: DataSource): pg.Pool | undefined {
  const pool: unknown = Reflect.get(driver, 'master');
  return pool instanceof pg.Pool ? pool : undefined;
}
