import { errorCode } from '../../../kernel/errors/service-error.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from './queryable.js';

/**
 * The version of terms, words, bitmaps and columns. Increment it with every change, which the fingerprint test
 * detects; databases with records then need `matricula reindex`. Sessions state theirs (`applySessionSettings`); the
 * database refuses others.
 */
export const DERIVED_VERSION = 8;

/** Derived data compared with this process's version. */
export type DerivedState =
  | 'up'
  /** An earlier version: run `matricula reindex`. */
  | 'needs reindex'
  /** A later version: this process is outdated. */
  | 'superseded';

const SESSIONS_VERSION = sql`current_setting('matricula.derived_version')::int`;

export async function derivedState(reader: Queryable): Promise<DerivedState> {
  const [row] = await reader.query<{ ahead: number; version: number }>(
    sql`select ${SESSIONS_VERSION} - version as ahead, version from derived_version`,
  );
  const ahead = row?.ahead ?? 0;
  return ahead === 0 ? 'up' : ahead > 0 ? 'needs reindex' : 'superseded';
}

const OTHER_VERSION = '53M01';

/** The error's message names the version and the remedy. */
export const isOtherDerivedVersion = (error: unknown): error is Error =>
  error instanceof Error && errorCode(error) === OTHER_VERSION;

/**
 * Fails if the snapshot's version differs from the session's. The function is called only to refuse, since a call takes
 * an eighth of a look-up.
 */
export const REQUIRE_DERIVED_VERSION = sql`(select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end)`;

/** Run in the transaction that brings the data. */
export const SET_DERIVED_VERSION = sql`update derived_version set version = ${SESSIONS_VERSION}`;
