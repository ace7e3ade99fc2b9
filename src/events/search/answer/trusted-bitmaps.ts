import { EVERY_TERM } from '../../index/bitmaps/bitmap.js';
import { UPDATE_SLICES } from '../../index/bitmaps/update-period.js';
import { type Sql, sql } from '../../../kernel/sql/sql.js';
import { compileProof, type Proof } from '../predicate/proof.js';

/** More marked records than this are not checked one by one. */
const MOST_DIRTY = 10_000;

/** What may be read beside the bitmaps of terms. */
export const FURTHER_BITMAPS: readonly bigint[] = [EVERY_TERM, ...UPDATE_SLICES];

/** Whether bitmaps may count in the statement's snapshot: few records are marked, and the proof holds. */
export const areBitmapsTrusted = (proof: Proof): Sql =>
  sql`((select count(*) from (select from bitmap_dirty limit ${MOST_DIRTY + 1}::int) d) <= ${MOST_DIRTY}::int and ${compileProof(proof)})`;
