import type { Jurisdiction, ScopeOptions } from '../../../domain/scope.js';
import type { Sql } from '../../../sql/sql.js';
import { all, any, sql } from '../../../sql/sql.js';
import { compileFlags } from './flags.js';

/** The records that the caller's scopes admit: scopes are ORed, the options inside one ANDed. */
export const compileReach = (scopes: readonly ScopeOptions[], callerSubject: string): Sql =>
  any(scopes.map((options) => compileOptions(options, callerSubject)));

function compileOptions(options: ScopeOptions, callerSubject: string): Sql {
  const parts: Sql[] = [];
  if (options.event !== undefined) parts.push(sql`s.type = any(${options.event}::text[])`);
  if (options.status !== undefined) parts.push(sql`s.status = any(${options.status}::text[])`);
  if (options.flags !== undefined) parts.push(compileFlags(options.flags));
  for (const option of IN_OPTIONS) if (isUnreachable(options[option])) parts.push(sql`false`);
  for (const [option, column] of BY_COLUMNS) {
    if (options[option] !== undefined) parts.push(sql`${column} = ${callerSubject}::text`);
  }
  return all(parts);
}

const IN_OPTIONS = ['placeOfEvent', 'declaredIn', 'registeredIn', 'notifiedIn'] as const;

const BY_COLUMNS = [
  ['declaredBy', sql`s.declared_created_by`],
  ['registeredBy', sql`s.registered_created_by`],
  ['notifiedBy', sql`s.notified_created_by`],
] as const;

/** A place is measured from the caller's office, and no caller of this service has one. */
const isUnreachable = (jurisdiction: Jurisdiction | undefined): boolean =>
  jurisdiction !== undefined && jurisdiction !== 'all';
