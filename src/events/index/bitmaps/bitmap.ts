import { type Sql, sql } from '../../../kernel/sql/sql.js';

/** As in the migration: the bit of `seq` is `seq % 15360` of chunk `seq / 15360`. */
export const CHUNK_BITS = 15_360;
const CHUNK = sql`15360`;

export const chunkOf = (seq: Sql): Sql => sql`(${seq} / ${CHUNK})::int`;

export const firstOf = (chunk: Sql): Sql => sql`(${chunk} * ${CHUNK})`;

export const positionOf = (seq: Sql): Sql => sql`(${seq} % ${CHUNK})::int`;

/** `bit_send` begins with a length of four bytes. */
export const bytesOf = (bits: Sql): Sql => sql`substring(bit_send(${bits}) from 5)`;

/** PostgreSQL numbers bits of a byte from the least significant, those of a bit string from the first. */
export const bitInBytes = (bytes: Sql, seq: Sql): Sql => sql`get_bit(${bytes}, ${seq} # 7)`;

/** Bit operators return no known length. */
export const rowOfBits = (bits: Sql): Sql => sql`(${bits})::bit(${CHUNK})`;

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

/** Rows `{chunk, bits}`. */
export const bitsOfRecords = (seqs: Sql): Sql =>
  sql`select ${chunkOfPiece(sql`piece`)} as chunk, ${bitsOfPieces(sql`bits`, sql`piece`)} as bits
    from (select ${pieceOf(sql`seq`)} as piece, ${pieceOfBits(sql`seq`)} as bits from (${seqs}) r group by 1) p group by 1`;

/** From rows `{chunk, bits}` with few set bits. Literal numbers tell the planner the number of pieces. */
export const seqsOfBits = (rows: Sql): Sql => sql`
  select ${firstOf(sql`r.chunk::bigint`)} + wide.at + middle.at + narrow.at + bit.at as seq
    from (${rows}) r
    cross join lateral (${piecesOf(sql`r.bits`, sql`generate_series(0, 13440, 1920)`, sql`1920`)}) wide
    cross join lateral (${piecesOf(sql`wide.bits`, sql`generate_series(0, 1680, 240)`, sql`240`)}) middle
    cross join lateral (${piecesOf(sql`middle.bits`, sql`generate_series(0, 210, 30)`, sql`30`)}) narrow
    cross join lateral (select at from generate_series(0, 29) at where get_bit(narrow.bits, at) = 1) bit`;

/** Non-empty pieces `{at, bits}`. */
const piecesOf = (bits: Sql, starts: Sql, length: Sql): Sql => sql`
      select at, bits from (select at, substring(${bits} from at + 1 for ${length}) as bits from ${starts} at offset 0) p
       where bit_count(bits) > 0 offset 0`;
