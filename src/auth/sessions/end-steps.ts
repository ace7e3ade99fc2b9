import type { Queryable } from '../../database/queryable.js';
import type { Uuid } from '../../domain/uuid.js';
import { sql } from '../../sql/sql.js';

/**
 * Ends the logins that a user has begun, within a transaction that has locked his row. One whose code is being used is
 * left to whoever uses it: he has the step, waits for the row, and then sees what has changed.
 */
export async function endLogins(transaction: Queryable, userId: Uuid): Promise<void> {
  await transaction.query(sql`
    delete from login_step where nonce_hash in (
      select nonce_hash from login_step where user_id = ${userId} and flow = 'login' for update skip locked)`);
}

/**
 * The same for all that was sent to him: logins, recoveries and their links. A recovery whose attempt is being counted
 * is waited for, as it would go on otherwise; nobody who has one waits for the user's row. What has expired is left to
 * whoever removes it.
 */
export async function endSteps(transaction: Queryable, userId: Uuid): Promise<void> {
  await endLogins(transaction, userId);
  await transaction.query(sql`
    delete from login_step where user_id = ${userId} and flow <> 'login' and expires_at > clock_timestamp()`);
  await transaction.query(sql`
    delete from recovery_link where user_id = ${userId} and expires_at > clock_timestamp()`);
}
