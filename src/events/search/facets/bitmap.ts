import type { Sql } from '../../../sql/sql.js';
import { sql } from '../../../sql/sql.js';

/** Bits of a bitmap's row, as the migration has it: a record's bit stands at `seq % 15360` of the chunk `seq / 15360`. */
const CHUNK = sql`15360`;

export const chunkOf = (seq: Sql): Sql => sql`(${seq} / ${CHUNK})::int`;

export const positionOf = (seq: Sql): Sql => sql`(${seq} % ${CHUNK})::int`;

/** A whole row without a bit. */
export const NO_BITS = sql`'0'::bit(${CHUNK})`;

/** Stands for every record, as if it were a term of each. */
export const EVERY_RECORD = sql`0::bigint`;
