import type { Config } from '../platform/config/config.js';
import { Database } from '../platform/database/pools/database.js';
import { openWatched } from '../platform/database/schema/data-source.js';
import { tellOfServer } from './output.js';

/** Without a statement timeout: commands may take hours. */
export async function openDatabase(
  url: string,
  { DATABASE_POOL_SIZE }: Pick<Config, 'DATABASE_POOL_SIZE'>,
): Promise<{ readonly database: Database; readonly close: () => Promise<void> }> {
  const { dataSource, close } = await openWatched(url, DATABASE_POOL_SIZE, tellOfServer);
  return { database: new Database(dataSource, 'long'), close };
}
