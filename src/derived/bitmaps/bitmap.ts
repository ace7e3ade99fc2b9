import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';

/** Bits in a row of a bitmap, as in the migration: a record's bit is at `seq % 15360` of the chunk `seq / 15360`. */
const CHUNK = sql`15360`;

/** The row of a bitmap with the bit of a record. */
export const chunkOf = (seq: Sql): Sql => sql`(${seq} / ${CHUNK})::int`;

/** The `seq` of the first record of a row. */
export const firstOf = (chunk: Sql): Sql => sql`(${chunk} * ${CHUNK})`;

/** The position of the bit in that row. */
export const positionOf = (seq: Sql): Sql => sql`(${seq} % ${CHUNK})::int`;

/** The bits of a row as bytes: `bit_send` puts their number before them, in four bytes. */
export const bytesOf = (bits: Sql): Sql => sql`substring(bit_send(${bits}) from 5)`;

/**
 * The bit of a record in the bytes of all rows, one behind the other. In bytes PostgreSQL counts the bits of each from
 * its last, and in a list of bits from the first.
 */
export const bitInBytes = (bytes: Sql, seq: Sql): Sql => sql`get_bit(${bytes}, ${seq} # 7)`;

/** A whole row without a set bit. */
export const NO_BITS = sql`'0'::bit(${CHUNK})`;

/** Stands for every record, as if all had this term. */
export const EVERY_RECORD = sql`0::bigint`;

/**
 * Bits are collected in pieces of a thirtieth of a row, which are then joined: setting one bit and combining it with
 * others copies everything it is set in.
 */
const PIECE = sql`512`;
const PIECES = sql`30`;

/** The piece of a row with the bit: bits are collected piece by piece. */
export const pieceOf = (seq: Sql): Sql => sql`${seq} / ${PIECE}`;

/** An aggregate over the seqs of one piece. */
export const pieceOfBits = (seq: Sql): Sql => sql`bit_or(set_bit('0'::bit(${PIECE}), (${seq} % ${PIECE})::int, 1))`;

/** The row with the piece. */
export const chunkOfPiece = (piece: Sql): Sql => sql`(${piece} / ${PIECES})::int`;

/** An aggregate over the pieces of one chunk. */
export const bitsOfPieces = (bits: Sql, piece: Sql): Sql =>
  sql`bit_or(${bits}::bit(${CHUNK}) >> (${piece} % ${PIECES} * ${PIECE})::int)`;

/** The rows `{chunk, bits}` with the bits of the records whose `seq` a select returns. */
export const bitsOfRecords = (seqs: Sql): Sql =>
  sql`select ${chunkOfPiece(sql`piece`)} as chunk, ${bitsOfPieces(sql`bits`, sql`piece`)} as bits
    from (select ${pieceOf(sql`seq`)} as piece, ${pieceOfBits(sql`seq`)} as bits from (${seqs}) r group by 1) p group by 1`;
