import type { ClientBase } from 'pg';
import pg from 'pg';
import type { DataSource } from 'typeorm';

import { applySessionSettings } from './session-settings.js';
import type { GuardedConfig } from './guarded-client.js';
import { GuardedClient } from './guarded-client.js';

/** How long a caller waits for a connection of a pool while all are taken. */
const FREE_CONNECTION_MS = 10_000;

/** What a connection of a pool is made by; TypeORM takes the same as `extra`. */
export interface ConnectionOptions {
  readonly Client: typeof GuardedClient;
  readonly connectionTimeoutMillis: number;
  readonly onConnect: (client: ClientBase) => Promise<void>;
}

/** What every pool does with its connections, whatever server they lead to. */
export const CONNECTION_OPTIONS: ConnectionOptions = {
  Client: GuardedClient,
  connectionTimeoutMillis: FREE_CONNECTION_MS,
  onConnect: applySessionSettings,
};

/** A pool whose connections are guarded, as all pools of the project's own are. */
export function guardedPool(options: ConnectionOptions, config: GuardedConfig & { readonly max: number }): pg.Pool {
  const pool = new pg.Pool({ ...options, ...config });
  // A connection that breaks while it is idle is replaced when it is needed: nobody else listens for that.
  pool.on('error', () => undefined);
  return pool;
}

/** The pool of a data source, which TypeORM's types keep to themselves; undefined while it is not connected. */
export function poolOf({ driver }: DataSource): pg.Pool | undefined {
  const pool: unknown = Reflect.get(driver, 'master');
  return pool instanceof pg.Pool ? pool : undefined;
}
