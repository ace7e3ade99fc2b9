import { Injectable } from '@nestjs/common';
import { inPortions } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

const EVERY_MS = 600_000;

/** Tables with expiring rows; readers check `expires_at`. */
const EXPIRING = [
  sql`session_family`,
  sql`login_step`,
  sql`recovery_link`,
  sql`recovery_request`,
  sql`revoked_token`,
  sql`spent_assertion`,
];

/** A spent assertion could be replayed if the database's clock is set back, or a new primary's lags (U-10). */
const KEPT_LONGER = sql`interval '10 minutes'`;

/** Deletes what has expired in batches, every ten minutes; concurrent processes skip each other's rows. */
@Injectable()
export class SessionUpkeep {
  constructor(
    private readonly database: Database,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: SessionUpkeep.name, everyMs: EVERY_MS },
      failure: 'expired sessions could not be removed; in ten minutes it is tried again',
      work: (signal) => this.run(signal),
    });
  }

  async run(signal?: AbortSignal): Promise<void> {
    for (const table of EXPIRING) {
      const removal = (most: number): Sql => sql`
        delete from ${table} where ctid = any (array(
          select ctid from ${table} where expires_at < now() - ${KEPT_LONGER}
          limit ${most} for update skip locked)) returning 1`;
      await inPortions(this.database, removal, signal);
    }
  }
}
