import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { CHUNK_BITS, chunkOf, EVERY_TERM, NO_BITS, positionOf } from '../../index/bitmaps/bitmap.js';
import { LOCATION_FIELDS, type LocationColumn } from '../../index/searched-columns.js';
import type { NumberedRow } from '../../records/store/insert-rows.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Differences } from './differences.js';

interface StoredBitmap {
  readonly term: string;
  readonly place_column: LocationColumn | null;
  readonly places: readonly string[] | null;
}

/** Compares bitmaps with the records, by chunk. Marked records are skipped, as in searches. */
export class BitmapCheck {
  private chunk = 0;
  /** By term, the required bitmap of the chunk. */
  private expected = new Map<string, Buffer>();
  private unknown: string[] = [];
  private readonly looked: number[] = [];

  private constructor(
    private readonly reader: Queryable,
    private readonly differences: Differences,
    private readonly bitmaps: ReadonlySet<string>,
    /** By column and place. */
    private readonly areas: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** All reads require one snapshot. */
  static async begin(reader: Queryable, differences: Differences): Promise<BitmapCheck> {
    const bitmaps = await reader.query<StoredBitmap>(sql`select term, place_column, places from bitmap`);
    const areas = new Map<string, string[]>();
    for (const { term, place_column: column, places } of bitmaps) {
      for (const place of places ?? []) {
        const key = `${column} ${place}`;
        areas.set(key, [...(areas.get(key) ?? []), term]);
      }
    }
    return new BitmapCheck(reader, differences, new Set(bitmaps.map(({ term }) => term)), areas);
  }

  /** By ascending `seq`; undefined rows are unknown. */
  async add(seq: string, row: NumberedRow['row'] | undefined): Promise<void> {
    const chunk = Math.floor(Number(seq) / CHUNK_BITS);
    if (chunk !== this.chunk) await this.compare();
    this.chunk = chunk;
    if (row === undefined) this.unknown.push(seq);
    else if (this.bitmaps.size > 0) {
      const ofAreas = LOCATION_FIELDS.flatMap(
        ({ column, read }) => this.areas.get(`${column} ${read(row.record)}`) ?? [],
      );
      const terms = [String(EVERY_TERM), ...ofAreas, ...row.terms.slice(1, -1).split(',')];
      for (const term of terms) this.set(term, Number(seq) % CHUNK_BITS);
    }
  }

  /** Compares the rest, including bits of missing events. */
  async finish(): Promise<void> {
    await this.compare();
    const others = await this.reader.query<{ chunk: number }>(
      sql`select distinct chunk from bitmap_chunk where chunk <> all (${this.looked}::int[]) order by chunk`,
    );
    for (const { chunk } of others) {
      this.chunk = chunk;
      await this.compare();
    }
  }

  private set(term: string, position: number): void {
    if (!this.bitmaps.has(term)) return;
    const bits = this.expected.get(term) ?? Buffer.alloc(CHUNK_BITS / 8);
    this.expected.set(term, bits);
    bits.writeUInt8(bits.readUInt8(position >> 3) | (0x80 >> (position & 7)), position >> 3);
  }

  private async compare(): Promise<void> {
    const rows = await this.reader.query<{ differing: string }>(this.comparison());
    const positions = rows.flatMap(({ differing }) => [...differing.matchAll(/1/g)].map(({ index }) => index));
    const seqs = positions.map((position) => String(this.chunk * CHUNK_BITS + position));
    const ids = new Map(
      (
        await this.reader.query<{ seq: string; id: string }>(
          sql`select seq, id from event where seq = any (${[...new Set(seqs)]}::bigint[])`,
        )
      ).map(({ seq, id }) => [seq, id]),
    );
    for (const seq of seqs) this.differences.add('bitmap_chunk', ids.get(seq) ?? `seq ${seq}`);
    this.looked.push(this.chunk);
    this.expected = new Map();
    this.unknown = [];
  }

  /** Terms with the differing bits, as text. */
  private comparison() {
    const terms = [...this.expected.keys()];
    const bits = [...this.expected.values()].map((buffer) => `x${buffer.toString('hex')}`);
    const marked = sql`select seq from bitmap_dirty union select unnest(${this.unknown}::bigint[])`;
    return sql`
      with passed_over as materialized (
        select coalesce(bit_or(set_bit(${NO_BITS}, ${positionOf(sql`seq`)}, 1)), ${NO_BITS}) as bits
          from (${marked}) as marked where ${chunkOf(sql`seq`)} = ${this.chunk}::int),
      compared as (
        select term, (coalesce(live.bits, ${NO_BITS}) # coalesce(must.bits, ${NO_BITS})) & ~passed_over.bits as differing
          from (select term, bits from bitmap_chunk where term = any (${[...this.bitmaps]}::bigint[]) and chunk = ${this.chunk}::int) as live
               full join (select term, bits::bit(15360) from unnest(${terms}::bigint[], ${bits}::text[]) as new (term, bits))
                 as must using (term)
               cross join passed_over)
      select differing::text from compared where differing <> ${NO_BITS} order by term`;
  }
}
