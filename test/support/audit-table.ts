import pg from 'pg';

import { sql } from '../../src/kernel/sql/sql.js';
import type { TestDatabase } from './postgres.js';

/** The months of the audit log, by the names of their tables. */
export async function auditPartitions({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** A connection that holds the table until it ends. */
export async function lockAuditLog({ url }: TestDatabase, mode = 'exclusive'): Promise<pg.Client> {
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  await blocker.query(`begin; lock table audit_log in ${mode} mode`);
  return blocker;
}
