import { errorCode } from '../errors/error-code.js';
import { sql } from '../sql/sql.js';
import type { Queryable } from './queryable.js';

/**
 * The version of what is derived from records: terms, words, bitmaps, columns. To be raised with every change by
 * which a record that is there already would have others; the test of fingerprints tells. A database that holds records
 * then needs `matricula reindex`. Every session says which one it reads and writes (`applySessionSettings`), and the
 * database refuses it another.
 *
 * 2: words as S-11 has them since vowel signs stay, joiners are dropped, and e-mail addresses stand without punctuation.
 */
export const DERIVED_VERSION = 2;

/** What the database is to this process. */
export type DerivedState =
  | 'up'
  /** It holds an earlier version: `matricula reindex` makes this one. */
  | 'needs reindex'
  /** It holds a later one: a later release is to take the place of this process. */
  | 'superseded';

const SESSIONS_VERSION = sql`current_setting('matricula.derived_version')::int`;

/** Asked in the session's own words, so that what it tells is what the database will do. */
export async function derivedState(reader: Queryable): Promise<DerivedState> {
  const [row] = await reader.query<{ ahead: number }>(
    sql`select ${SESSIONS_VERSION} - version as ahead from derived_version`,
  );
  const ahead = row?.ahead ?? 0;
  return ahead === 0 ? 'up' : ahead > 0 ? 'needs reindex' : 'superseded';
}

/** The SQLSTATE of the refusal. */
const OTHER_VERSION = '53M01';

/**
 * Whether the database has refused because it holds another version; the error's message says which, and what helps.
 */
export const isOtherDerivedVersion = (error: unknown): error is Error =>
  error instanceof Error && errorCode(error) === OTHER_VERSION;

/**
 * In SQL, as a select item or a statement of its own: fails where the snapshot holds another version than the
 * session's.
 */
export const REQUIRE_DERIVED_VERSION = sql`(select require_derived_version())`;

/** From here on the database holds the session's version. To be run in the transaction that brings it. */
export const SET_DERIVED_VERSION = sql`update derived_version set version = ${SESSIONS_VERSION}`;

/**
 * A database without records holds whichever version comes. `connection` is to be one alone, outside of a transaction;
 * before the migration that brings the version, nothing happens.
 */
export async function adoptDerivedVersion(connection: Queryable): Promise<void> {
  const [known] = await connection.query<{ is: boolean }>(sql`select to_regclass('derived_version') is not null as is`);
  if (known?.is !== true) return;
  const isToBe = sql`version < ${SESSIONS_VERSION} and not exists (select from event)`;
  const found = await connection.query(sql`select from derived_version where ${isToBe}`);
  if (found.length === 0) return;
  await connection.query(sql`begin`);
  try {
    // Writers of an earlier version have ended, and their records are seen, or they are refused.
    await connection.query(sql`lock table event_search in share row exclusive mode`);
    await connection.query(sql`${SET_DERIVED_VERSION} where ${isToBe}`);
  } finally {
    await connection.query(sql`commit`);
  }
}
