import { Injectable } from '@nestjs/common';
import { inPortions } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { ASSERTIONS_KEPT_LONGER } from '../clients/client-assertions.js';

const EVERY_MS = 600_000;

/** Expiring tables and keys; readers check `expires_at`. */
const EXPIRING: readonly { readonly table: Sql; readonly key: Sql }[] = [
  { table: sql`session_family`, key: sql`family_id` },
  { table: sql`login_step`, key: sql`nonce_hash` },
  { table: sql`recovery_link`, key: sql`token_hash` },
  { table: sql`recovery_request`, key: sql`request_id` },
  { table: sql`revoked_token`, key: sql`id` },
];

/** Process clocks may lag behind the database's. */
const KEPT_LONGER = sql`interval '1 minute'`;

/**
 * Deletes expired sessions, logins, recoveries, revoked tokens and spent assertions in batches, every ten minutes;
 * concurrent processes skip each other's rows.
 */
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
    for (const { table, key } of EXPIRING) {
      const removal = (most: number): Sql => sql`
        delete from ${table} where ${key} in (
          select ${key} from ${table} where expires_at < now() - ${KEPT_LONGER}
          limit ${most} for update skip locked) returning ${key}`;
      await inPortions(this.database, removal, signal);
    }
    const removal = (most: number): Sql => sql`
      delete from spent_assertion where (client_id, jti_hash) in (
        select client_id, jti_hash from spent_assertion where expires_at < now() - ${ASSERTIONS_KEPT_LONGER}
        limit ${most} for update skip locked) returning client_id`;
    await inPortions(this.database, removal, signal);
  }
}
