import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { Capacities } from '../../platform/queue/capacities.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import { CredentialsDatabase } from '../../platform/database/pools/pools.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';

/**
 * Rows outlive their assertion, which could be replayed if the database's clock is set back, or a new primary's lags.
 */
export const ASSERTIONS_KEPT_LONGER: Sql = sql`interval '10 minutes'`;
/** More than one, so that the table shrinks. */
const REMOVED_AT_ONCE = 10;

interface UsedAssertion {
  readonly clientId: Uuid;
  readonly jti: string;
  /** `exp`: seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Used assertions of all processes: each is good once (U-10). Clients take turns on separate connections, so that a
 * storm delays nobody else.
 */
@Injectable()
export class SpentAssertions {
  constructor(
    @Inject(CredentialsDatabase) private readonly database: Connections,
    private readonly capacities: Capacities,
  ) {}

  /**
   * Whether this is the first use before expiry by the database's clock, by an active client. Pass only verified
   * assertions, so that nobody else spends a client's ids. Throws 503 without a turn.
   */
  spend(assertion: UsedAssertion): Promise<boolean> {
    return this.capacities.run('spent-assertions', { client: assertion.clientId }, () => this.write(assertion));
  }

  private async write({ clientId, jti, expiresAt }: UsedAssertion): Promise<boolean> {
    const hash = createHash('sha256').update(jti).digest();
    const spent = await this.database.query(sql`
      with removed as (
        delete from spent_assertion where (client_id, jti_hash) in (
          select client_id, jti_hash from spent_assertion
           where expires_at < now() - ${ASSERTIONS_KEPT_LONGER}
           order by expires_at limit ${REMOVED_AT_ONCE} for update skip locked))
      insert into spent_assertion (client_id, jti_hash, expires_at)
      select client_id, ${hash}::bytea, to_timestamp(${expiresAt}::float8) from system_client
       where client_id = ${clientId} and status = 'active' and to_timestamp(${expiresAt}::float8) > clock_timestamp()
          on conflict do nothing returning client_id`);
    return spent.length > 0;
  }
}
