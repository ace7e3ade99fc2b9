import type { ClientBase } from 'pg';

import { isSqlError } from '../../../kernel/errors/sql-state.js';

/** A sort with too little memory makes the server write and remove a temporary file: harmless on a nearly full disk. */
const PREPARE = `set work_mem = '64kB'; set temp_tablespaces = ''`;
const WRITE = `
  select count(*) from (
    select number, repeat('x', 200) as filling from generate_series(1, 5000) as number order by number desc offset 0
  ) as sorted`;

/** Undefined for a writable primary. */
export type WriteFault = 'full' | 'read-only';

/** Throws if the database does not answer. */
export async function writeFaultOf(client: ClientBase): Promise<WriteFault | undefined> {
  const { rows } = await client.query<{ setting: string }>(
    `select current_setting('transaction_read_only') as setting`,
  );
  if (rows[0]?.setting === 'on') return 'read-only';
  try {
    await client.query(PREPARE);
    await client.query(WRITE);
    return undefined;
  } catch (error) {
    if (isSqlError(error, 'diskFull')) return 'full';
    throw error;
  }
}
