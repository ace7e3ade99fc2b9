import type { INestApplicationContext } from '@nestjs/common';

import { SessionLock } from '../../src/platform/database/connection/session-lock.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { CountryConfiguration } from '../../src/auth/tokens/country-configuration.js';
import { sql } from '../../src/kernel/sql/sql.js';

/**
 * From now on, when the process posts something to its country configuration for the first time, it loses its lock and
 * takes it again before that is sent. The result counts what it posts.
 */
export function loseLockBeforePosting(app: INestApplicationContext): jest.SpyInstance {
  const lock = app.get(SessionLock, { strict: false });
  const country = app.get(CountryConfiguration, { strict: false });
  const post = country.post.bind(country);
  return jest.spyOn(country, 'post').mockImplementationOnce(async (trigger) => {
    const takenAgain = new Promise<void>((resolve) => {
      lock.onHeld(resolve);
    });
    await app.get(Database, { strict: false }).query(sql`
      select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = ${lock.key}::bigint::oid
         and database = (select oid from pg_database where datname = current_database())`);
    await takenAgain;
    return post(trigger);
  });
}
