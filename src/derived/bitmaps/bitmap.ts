import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/** Bits of a bitmap's row, as the migration has it: a record's bit stands at `seq % 15360` of the chunk `seq / 15360`. */
const CHUNK = sql`15360`;

/** Which row of a bitmap has the bit of a record. */
export const chunkOf = (seq: Sql): Sql => sql`(${seq} / ${CHUNK})::int`;

/** Which bit of that row it is. */
export const positionOf = (seq: Sql): Sql => sql`(${seq} % ${CHUNK})::int`;

/** A whole row without a bit. */
export const NO_BITS = sql`'0'::bit(${CHUNK})`;

/** Stands for every record, as if it were a term of each. */
export const EVERY_RECORD = sql`0::bigint`;

/**
 * Bits are gathered in pieces of a thirtieth of a row, and those put together: to set one bit and to combine it with
 * others goes through all bits of what it is set in.
 */
const PIECE = sql`512`;
const PIECES = sql`30`;

/** Which piece of a row has it: bits are gathered piece by piece. */
export const pieceOf = (seq: Sql): Sql => sql`${seq} / ${PIECE}`;

/** An aggregate over the seqs of one piece. */
export const pieceOfBits = (seq: Sql): Sql => sql`bit_or(set_bit('0'::bit(${PIECE}), (${seq} % ${PIECE})::int, 1))`;

/** Which row has the piece. */
export const chunkOfPiece = (piece: Sql): Sql => sql`(${piece} / ${PIECES})::int`;

/** An aggregate over the pieces of one chunk. */
export const bitsOfPieces = (bits: Sql, piece: Sql): Sql =>
  sql`bit_or(${bits}::bit(${CHUNK}) >> (${piece} % ${PIECES} * ${PIECE})::int)`;
