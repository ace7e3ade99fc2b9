import type { ClientBase } from 'pg';

import { isSqlError } from '../../../kernel/errors/sql-state.js';

/**
 * Sorts a megabyte with too little memory: the server writes it to a temporary file beside the database, and removes
 * the file again. Nothing else is written, so the check does no harm on a nearly full disk.
 */
const PREPARE = `set work_mem = '64kB'; set temp_tablespaces = ''`;
const WRITE = `
  select count(*) from (
    select number, repeat('x', 200) as filling from generate_series(1, 5000) as number order by number desc offset 0
  ) as sorted`;

/** Why a primary does not accept writes; undefined if it does. */
export type WriteFault = 'full' | 'read-only';

/** Whether the database accepts writes. Throws if it does not answer. */
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
