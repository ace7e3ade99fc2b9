import { type Sql, sql } from '../../../kernel/sql/sql.js';

/** As in the migration: the bit of `seq` is `seq % 15360` of chunk `seq / 15360`. */
export const CHUNK_BITS = 15_360;
const CHUNK = sql`15360`;

export const chunkOf = (seq: Sql): Sql => sql`(${seq} / ${CHUNK})::int`;

export const positionOf = (seq: Sql): Sql => sql`(${seq} % ${CHUNK})::int`;

export const NO_BITS = sql`'0'::bit(${CHUNK})`;

/** Pseudo-term of every record. */
export const EVERY_TERM = 0n;
export const EVERY_RECORD = sql`0::bigint`;

/** A thirtieth of a row: setting one bit copies the whole value. */
const PIECE = sql`512`;
const PIECES = sql`30`;

export const pieceOf = (seq: Sql): Sql => sql`${seq} / ${PIECE}`;

/** An aggregate over the seqs of one piece. */
export const pieceOfBits = (seq: Sql): Sql => sql`bit_or(set_bit('0'::bit(${PIECE}), (${seq} % ${PIECE})::int, 1))`;

export const chunkOfPiece = (piece: Sql): Sql => sql`(${piece} / ${PIECES})::int`;

/** An aggregate over the pieces of one chunk. */
export const bitsOfPieces = (bits: Sql, piece: Sql): Sql =>
  sql`bit_or(${bits}::bit(${CHUNK}) >> (${piece} % ${PIECES} * ${PIECE})::int)`;
