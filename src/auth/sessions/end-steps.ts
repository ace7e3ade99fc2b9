import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { sql } from '../../kernel/sql/sql.js';

/**
 * Ends the logins that a user has begun, within a transaction that has locked his row. One whose code is being tried or
 * sent again is waited for, as it would go on otherwise; nobody who has one waits for the user's row. What has expired
 * is left to whoever removes it.
 */
export async function endLogins(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and flow = 'login' and expires_at > clock_timestamp()`);
}

/** The same for all that was sent to him: logins, recoveries and their links. */
export async function endSteps(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and expires_at > clock_timestamp()`);
  await transaction.query(sql`
    delete from recovery_link where user_id = ${userId} and expires_at > clock_timestamp()`);
}
