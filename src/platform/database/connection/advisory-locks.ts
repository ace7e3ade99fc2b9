import { sql } from '../../../kernel/sql/sql.js';

/**
 * All advisory locks of the service: numbers that no other program uses. Processes of several releases share a database
 * during an upgrade, so a number in use never changes its meaning.
 */
export const ADVISORY_LOCKS = {
  /** One process at a time brings the schema up to date (P-7). */
  migration: 7_265_001,
  /** One process creates the first signing key. */
  signingKey: 7_265_002,
  /** Held by a reindex from its beginning to its end. */
  reindex: 7_265_003,
  /**
   * Held by a reindex that wants to be told of changes. The triggers that a killed reindex left behind find it free,
   * and then note nothing, since nobody would ever remove the notes.
   */
  listening: 7_265_004,
  /** One process at a time registers a run of a reindex. */
  reindexRuns: 7_265_012,
  /** Held by an initial load from its beginning to its end. */
  initialLoad: 7_265_013,
  /** One process at a time looks for uploads that no record names. */
  uploads: 7_265_011,
} as const;

/** One process at a time writes bitmaps. */
export const BITMAPS_LOCK = sql`hashtext('matricula.bitmaps')`;

/** One process at a time writes the blocks of numbers. */
export const NUMBER_BLOCKS_LOCK = sql`hashtext('matricula.number-blocks')`;

/** One process at a time corrects the terms of areas. */
export const AREAS_LOCK = sql`hashtext('matricula.areas')`;

/** One process at a time claims confirmations, so that there are never more at a time than are allowed. */
export const CONFIRMATIONS_LOCK = sql`hashtext('matricula.confirmations')`;

/** One process at a time claims notices to users. */
export const NOTICES_LOCK = sql`hashtext('matricula.notices')`;

/** Held by every transaction that changes a user: a trigger takes it. */
export const USERS_LOCK = sql`hashtext('matricula.users')`;

/** The first of the two keys of the locks that show which processes are alive; the second key is the process's own. */
export const LIVING_PROCESSES = 0x4d617472;
