import { sql } from '../sql/sql.js';

/**
 * The advisory locks of the service, all of them: numbers that no other program takes. Processes of several releases share a
 * database while one takes the place of the other, so a number that is in use never changes its meaning.
 */
export const ADVISORY_LOCKS = {
  /** One process at a time brings the schema up to date (P-7). */
  migration: 7_265_001,
  /** One process makes the first signing key. */
  signingKey: 7_265_002,
  /** Held by a reindex from its beginning to its end. */
  reindex: 7_265_003,
  /**
   * Held by a reindex that wants to be told of changes. The triggers that a killed one has left behind find it free, and
   * note nothing that nobody would ever take away.
   */
  listening: 7_265_004,
} as const;

/** One process at a time writes bitmaps. */
export const BITMAPS_LOCK = sql`hashtext('matricula.facets')`;

/** One process at a time corrects the terms of areas. */
export const AREAS_LOCK = sql`hashtext('matricula.areas')`;

/** The first of the two keys of the locks that say which processes live; the second one is the process's own. */
export const LIVING_PROCESSES = 0x4d617472;
