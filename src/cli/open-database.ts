import type { Config } from '../config/config.js';
import { Primary } from '../database/connection/primary.js';
import { ServerWatch } from '../database/connection/server-watch.js';
import { Database } from '../database/pools/database.js';
import { createDataSource } from '../database/schema/data-source.js';

/**
 * The database at `url` as the services have it: statements may take hours, and `ServerWatch` finds those that a server
 * which is gone will never answer.
 */
export async function openDatabase(
  url: string,
  { DATABASE_POOL_SIZE }: Pick<Config, 'DATABASE_POOL_SIZE'>,
): Promise<{ readonly database: Database; readonly close: () => Promise<void> }> {
  const primary = new Primary(url);
  const watch = new ServerWatch(primary, () => undefined);
  const dataSource = await createDataSource(url, DATABASE_POOL_SIZE, primary).initialize();
  watch.onApplicationBootstrap();
  return {
    database: new Database(dataSource, 'long'),
    close: async () => {
      await watch.onApplicationShutdown();
      await dataSource.destroy();
    },
  };
}
