import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from './builders/a-uuid.js';
import type { TestDatabase } from './postgres.js';

/** Where it works. */
export const OFFICE = aUuid(7);

/** Adds an active user, a national administrator whom no other call yields. */
export async function addUser({ database }: TestDatabase): Promise<{ readonly userId: Uuid }> {
  const userId = aUuid();
  await database.query(
    sql`insert into user_account (user_id, username, username_key, firstname, surname, role, primary_office_id, status)
        values (${userId}, ${userId}, ${userId}, 'Ama', 'Owusu', 'NATIONAL_SYSTEM_ADMIN', ${OFFICE}, 'active')`,
  );
  return { userId };
}
