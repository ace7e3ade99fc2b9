import { isSqlError } from '../../../kernel/errors/sql-state.js';
import type { DataSource } from 'typeorm';

import type { Config } from '../../config/config.js';
import { grantService } from './grant-service.js';
import { migrate } from './migrate.js';
import { openWatched } from './watched-data-source.js';

/**
 * Migrates, sets audit retention and creates partitions, one process at a time, before any read (P-7). Resolves with
 * the migrations that ran. The role of `DATABASE_MIGRATION_URL`, if set, does this and owns the tables; that of `url`
 * gets the service's rights. `onWait`: see `migrate`.
 */
export async function prepareDatabase(
  url: string,
  config: Pick<Config, 'DATABASE_MIGRATION_URL' | 'AUDIT_RETENTION_MONTHS'>,
  onWait?: () => void,
): Promise<string[]> {
  const ownerUrl = config.DATABASE_MIGRATION_URL?.reveal();
  return connected(ownerUrl ?? url, (owner) =>
    migrate(owner, onWait, async () => {
      await owner.query('update audit_retention set months = $1 where months <> $1', [config.AUDIT_RETENTION_MONTHS]);
      await upkeep(owner);
      if (ownerUrl !== undefined) await grantService(owner, await connected(url, roleOf));
    }),
  );
}

/** Another service may do it at this moment; hourly runs repeat it. */
async function upkeep(owner: DataSource): Promise<void> {
  try {
    await owner.query('select audit_upkeep()');
  } catch (error) {
    if (!isSqlError(error, 'lockNotAvailable')) throw error;
  }
}

async function connected<T>(url: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { dataSource, close } = await openWatched(url, 2);
  try {
    return await work(dataSource);
  } finally {
    await close();
  }
}

async function roleOf(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<readonly { readonly role: string }[]>('select current_user as role');
  return row?.role ?? '';
}
