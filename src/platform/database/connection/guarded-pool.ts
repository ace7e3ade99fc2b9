import type { ClientBase } from 'pg';
import pg from 'pg';
import type { DataSource } from 'typeorm';

import { applySessionSettings } from './session-settings.js';
import type { GuardedConfig } from './guarded-client.js';
import { GuardedClient } from './guarded-client.js';

const FREE_CONNECTION_MS = 10_000;

export interface ConnectionOptions {
  readonly Client: typeof GuardedClient;
  readonly connectionTimeoutMillis: number;
  readonly onConnect: (client: ClientBase) => Promise<void>;
}

export const CONNECTION_OPTIONS: ConnectionOptions = {
  Client: GuardedClient,
  connectionTimeoutMillis: FREE_CONNECTION_MS,
  onConnect: applySessionSettings,
};

export function guardedPool(options: ConnectionOptions, config: GuardedConfig & { readonly max: number }): pg.Pool {
  const pool = new pg.Pool({ ...options, ...config });
  // A connection that breaks while idle is replaced on demand.
  pool.on('error', () => undefined);
  return pool;
}

/** Hidden by TypeORM's types; undefined while not connected. */
export function poolOf({ driver }: DataSource): pg.Pool | undefined {
  const pool: unknown = Reflect.get(driver, 'master');
  return pool instanceof pg.Pool ? pool : undefined;
}
