import { EVERY_TERM } from '../../index/bitmaps/bitmap.js';
import { UPDATE_SLICES } from '../../index/bitmaps/update-period.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { compileProof, type Proof } from '../predicate/proof.js';

/** More marked records than this are not checked one by one. */
const MOST_DIRTY = 10_000;

export const FURTHER_BITMAPS: readonly bigint[] = [EVERY_TERM, ...UPDATE_SLICES];

/** Few records are marked, and the proof holds, in the statement's snapshot. */
export const areBitmapsTrusted = (proof: Proof): Sql =>
  sql`((select count(*) from (select from bitmap_dirty limit ${MOST_DIRTY + 1}::int) d) <= ${MOST_DIRTY}::int and ${compileProof(proof)})`;
