import { type Sql, sql } from '../../../kernel/sql/sql.js';

/** Bits in a row of a bitmap, as in the migration: a record's bit is at `seq % 15360` of the chunk `seq / 15360`. */
export const CHUNK_BITS = 15_360;
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
 * The bit of a record in the bytes of all rows, one behind the other. PostgreSQL numbers the bits of a byte from the
 * least significant one, but those of a bit string from the first.
 */
export const bitInBytes = (bytes: Sql, seq: Sql): Sql => sql`get_bit(${bytes}, ${seq} # 7)`;

/** The bits of an expression as a whole row: PostgreSQL does not know the length of what operators on bits return. */
export const rowOfBits = (bits: Sql): Sql => sql`(${bits})::bit(${CHUNK})`;

/** A whole row without a set bit. */
export const NO_BITS = sql`'0'::bit(${CHUNK})`;

/** Stands for every record, as if all had this term: without its bitmap there are no others. */
export const EVERY_TERM = 0n;
export const EVERY_RECORD = sql`0::bigint`;

/**
 * Bits are collected in pieces of a thirtieth of a row, which are then joined: setting one bit and combining it with
 * others copies everything it is set in.
 */
const PIECE = sql`512`;
const PIECES = sql`30`;

/** The piece with the bit of a record. */
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

/**
 * The `seq` of each record whose bit is set, of few, in rows `{chunk, bits}`: by pieces in which bits are set, and
 * pieces of those. Numbers are in the text, since PostgreSQL expects as many pieces as it can see.
 */
export const seqsOfBits = (rows: Sql): Sql => sql`
  select ${firstOf(sql`r.chunk::bigint`)} + wide.at + middle.at + narrow.at + bit.at as seq
    from (${rows}) r
    cross join lateral (${piecesOf(sql`r.bits`, sql`generate_series(0, 13440, 1920)`, sql`1920`)}) wide
    cross join lateral (${piecesOf(sql`wide.bits`, sql`generate_series(0, 1680, 240)`, sql`240`)}) middle
    cross join lateral (${piecesOf(sql`middle.bits`, sql`generate_series(0, 210, 30)`, sql`30`)}) narrow
    cross join lateral (select at from generate_series(0, 29) at where get_bit(narrow.bits, at) = 1) bit`;

/** The pieces of bits that begin at `starts` and have a bit that is set: `{at, bits}`. */
const piecesOf = (bits: Sql, starts: Sql, length: Sql): Sql => sql`
      select at, bits from (select at, substring(${bits} from at + 1 for ${length}) as bits from ${starts} at offset 0) p
       where bit_count(bits) > 0 offset 0`;
