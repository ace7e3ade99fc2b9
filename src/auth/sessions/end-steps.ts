import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';

/**
 * Requires the lock of the user's row. Waits for logins being tried or resent, which never wait for that row. Expired
 * ones are left to the upkeep.
 */
export async function endLogins(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and flow = 'login' and expires_at > clock_timestamp()`);
}

/** As `endLogins`, for recoveries and links as well. */
export async function endSteps(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and expires_at > clock_timestamp()`);
  await transaction.query(sql`
    delete from recovery_link where user_id = ${userId} and expires_at > clock_timestamp()`);
}
