import { EVERY_TERM } from '../../derived/bitmaps/bitmap.js';
import { UPDATE_SLICES } from '../../derived/bitmaps/update-period.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import type { Proof } from '../predicate/proof.js';
import { compileProof } from '../predicate/proof.js';

/** More marked records than this are not checked one by one. */
const MOST_DIRTY = 10_000;

/** What may be read beside the bitmaps of terms. */
export const FURTHER_BITMAPS: readonly bigint[] = [EVERY_TERM, ...UPDATE_SLICES];

/** Whether bitmaps may count in the statement's snapshot: few records are marked, and the proof holds. */
export const areBitmapsTrusted = (proof: Proof): Sql =>
  sql`((select count(*) from (select from facet_dirty limit ${MOST_DIRTY + 1}::int) d) <= ${MOST_DIRTY}::int and ${compileProof(proof)})`;
