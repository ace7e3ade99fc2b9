import type { Config } from '../platform/config/config.js';
import type { DatabaseServer } from '../platform/database/connection/database-server.js';
import { openServer } from '../platform/database/open-server.js';
import { tell } from './output.js';

/** At `DATABASE_URL`, or embedded; slow steps go to standard error. */
export const openConfiguredServer = (
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_WAIT_SECONDS' | 'DATA_DIR'>,
): Promise<DatabaseServer> =>
  openServer({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log: tell,
    patienceSeconds: config.DATABASE_WAIT_SECONDS,
  });
