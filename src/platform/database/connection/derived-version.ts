import { errorCode } from '../../../kernel/errors/error-code.js';
import { sql } from '../../../kernel/sql/sql.js';
import type { Queryable } from './queryable.js';

/**
 * The version of derived data: terms, words, bitmaps, columns. Increment it with every change to them, which the
 * fingerprint test detects; databases with records then need `matricula reindex`. Each session states its version
 * (`applySessionSettings`); the database refuses others.
 */
export const DERIVED_VERSION = 6;

/** The version during an initial load, even an interrupted one: only the load's own sessions state it. */
export const LOADING = 2_147_483_647;

/**
 * The Unicode version of Node or the system's ICU, by which words are split and folded. A later version only adds
 * letters.
 */
export const UNICODE = process.versions['unicode'] ?? 'unknown';

/** Derived data compared with this process's version. */
export type DerivedState =
  | 'up'
  /** An earlier version: run `matricula reindex`. */
  | 'needs reindex'
  /** A later version: this process is outdated. */
  | 'superseded'
  /** In progress or interrupted. */
  | 'initial load';

const SESSIONS_VERSION = sql`current_setting('matricula.derived_version')::int`;

/** By the session's own statement, as the database will judge. */
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

/** The error's message names the version and the remedy. */
export const isOtherDerivedVersion = (error: unknown): error is Error =>
  error instanceof Error && errorCode(error) === OTHER_VERSION;

/**
 * A select item or statement that fails if the snapshot's version differs from the session's. The function is called
 * only to refuse, since a call takes an eighth of a look-up.
 */
export const REQUIRE_DERIVED_VERSION = sql`(select case
  when (select version from derived_version) = nullif(current_setting('matricula.derived_version', true), '')::int then true
  else require_derived_version() end)`;

/** Run in the transaction that brings the data. */
export const SET_DERIVED_VERSION = sql`update derived_version set version = ${SESSIONS_VERSION}, unicode = ${UNICODE}`;

/** Both versions, if the database's words were derived by another one. */
export async function otherUnicode(
  reader: Queryable,
): Promise<{ readonly stored: string; readonly own: string } | undefined> {
  const [row] = await reader.query<{ unicode: string | null }>(sql`select unicode from derived_version`);
  const stored = row?.unicode ?? UNICODE;
  return stored === UNICODE ? undefined : { stored, own: UNICODE };
}

/**
 * A database without records takes any version; a missing Unicode version becomes this process's. `connection`: a
 * single one, outside of a transaction, on the whole schema.
 */
export async function adoptDerivedVersion(connection: Queryable): Promise<void> {
  await connection.query(sql`update derived_version set unicode = ${UNICODE} where unicode is null`);
  const isToBe = sql`version <= ${SESSIONS_VERSION} and (version, unicode) <> (${SESSIONS_VERSION}, ${UNICODE})
    and not exists (select from event)`;
  const found = await connection.query(sql`select from derived_version where ${isToBe}`);
  if (found.length === 0) return;
  await connection.query(sql`begin`);
  try {
    // Earlier writers have ended with visible records, or are refused.
    await connection.query(sql`lock table event_search in share row exclusive mode`);
    await connection.query(sql`${SET_DERIVED_VERSION} where ${isToBe}`);
  } finally {
    await connection.query(sql`commit`);
  }
}
