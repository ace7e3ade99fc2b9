import { errorCode } from '../../../kernel/errors/error-code.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from './queryable.js';

/**
 * The version of the data derived from records: terms, words, bitmaps, columns. Raise it with every change that
 * derives different data from an existing record; the test of fingerprints detects it. A database with records then
 * needs `matricula reindex`. Every session states the version that it reads and writes (`applySessionSettings`), and
 * the database refuses others.
 */
export const DERIVED_VERSION = 6;

/**
 * The version while an initial load is under way or interrupted: no process has it, so that nobody else reads or writes
 * what is derived; the load's own sessions say that they do.
 */
export const LOADING = 2_147_483_647;

/**
 * The version of Unicode by which this process splits and folds words: that of its Node, or of its system's ICU. A
 * later one reads the characters that it adds as letters, and leaves all others as they were.
 */
export const UNICODE = process.versions['unicode'] ?? 'unknown';

/** How the derived data in the database compares with this process's version. */
export type DerivedState =
  | 'up'
  /** It has an earlier version: `matricula reindex` creates this one. */
  | 'needs reindex'
  /** It has a later one: a later release should replace this process. */
  | 'superseded'
  /** Records are being loaded into an empty database, or that was interrupted. */
  | 'initial load';

const SESSIONS_VERSION = sql`current_setting('matricula.derived_version')::int`;

/** Uses the session's own statement, so that the result is what the database will do. */
export async function derivedState(reader: Queryable): Promise<DerivedState> {
  const [row] = await reader.query<{ ahead: number; version: number }>(
    sql`select ${SESSIONS_VERSION} - version as ahead, version from derived_version`,
  );
  if (row?.version === LOADING) return 'initial load';
  const ahead = row?.ahead ?? 0;
  return ahead === 0 ? 'up' : ahead > 0 ? 'needs reindex' : 'superseded';
}

/** The SQLSTATE of the refusal. */
const OTHER_VERSION = '53M01';

/** Whether the database refused because it has a different version; the error's message says which, and what helps. */
export const isOtherDerivedVersion = (error: unknown): error is Error =>
  error instanceof Error && errorCode(error) === OTHER_VERSION;

/**
 * In SQL, as a select item or a separate statement: fails if the snapshot has a different version from the session's.
 * The function is called to refuse alone: where the versions agree, calling it would take an eighth of a look-up.
 */
export const REQUIRE_DERIVED_VERSION = sql`(select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end)`;

/** From now on the database has the session's version. To be run in the transaction that brings the data. */
export const SET_DERIVED_VERSION = sql`update derived_version set version = ${SESSIONS_VERSION}, unicode = ${UNICODE}`;

/** Both versions of Unicode, if the words in the database were derived by another one than this process's. */
export async function otherUnicode(
  reader: Queryable,
): Promise<{ readonly stored: string; readonly own: string } | undefined> {
  const [row] = await reader.query<{ unicode: string | null }>(sql`select unicode from derived_version`);
  const stored = row?.unicode ?? UNICODE;
  return stored === UNICODE ? undefined : { stored, own: UNICODE };
}

/**
 * A database without records takes any version, and one that names no Unicode that of this process. `connection` must
 * be a single one, outside of a transaction, on the whole schema.
 */
export async function adoptDerivedVersion(connection: Queryable): Promise<void> {
  await connection.query(sql`update derived_version set unicode = ${UNICODE} where unicode is null`);
  const isToBe = sql`version <= ${SESSIONS_VERSION} and (version, unicode) <> (${SESSIONS_VERSION}, ${UNICODE})
    and not exists (select from event)`;
  const found = await connection.query(sql`select from derived_version where ${isToBe}`);
  if (found.length === 0) return;
  await connection.query(sql`begin`);
  try {
    // Writers of an earlier version have ended, and their records are visible; or they are refused.
    await connection.query(sql`lock table event_search in share row exclusive mode`);
    await connection.query(sql`${SET_DERIVED_VERSION} where ${isToBe}`);
  } finally {
    await connection.query(sql`commit`);
  }
}
