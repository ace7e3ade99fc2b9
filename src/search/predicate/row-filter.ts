import type { ScopeOptions } from '../../domain/scope.js';
import type { Sql } from '../../sql/sql.js';
import { sql } from '../../sql/sql.js';
import { predicateOfFlags } from './flags.js';
import type { Predicate } from './predicate.js';
import { allOfParts, anyOfParts } from './predicate.js';
import { NO_PROOF } from './proof.js';
import { ROW_COLUMNS } from './row-columns.js';
import { predicateOfText } from './text-fields.js';

/** The records that the caller's scopes admit: scopes are ORed, the options inside one ANDed. */
export const predicateOfRowFilter = (scopes: readonly ScopeOptions[], callerSubject: string): Predicate =>
  anyOfParts(scopes.map((options) => predicateOfOptions(options, callerSubject)));

function predicateOfOptions(options: ScopeOptions, callerSubject: string): Predicate {
  const parts: Predicate[] = [];
  if (options.event !== undefined) parts.push(predicateOfText('eventType', options.event));
  if (options.status !== undefined) parts.push(predicateOfText('status', options.status));
  if (options.flags !== undefined) parts.push(predicateOfFlags(options.flags));
  if (isUnreachable(options)) parts.push(anyOfParts([]));
  for (const [option, column] of BY_COLUMNS) {
    if (options[option] !== undefined) parts.push(tried(sql`${column} = ${callerSubject}::text`));
  }
  return allOfParts(parts);
}

/** A condition that no index serves. */
const tried = (condition: Sql): Predicate => ({
  kind: 'row',
  condition,
  candidateTerms: { kind: 'none' },
  decides: false,
  proof: NO_PROOF,
  index: 'none',
});

const IN_OPTIONS = ['placeOfEvent', 'declaredIn', 'registeredIn', 'notifiedIn'] as const;

const BY_COLUMNS = [
  ['declaredBy', ROW_COLUMNS.declared_created_by],
  ['registeredBy', ROW_COLUMNS.registered_created_by],
  ['notifiedBy', sql`s.notified_created_by`],
] as const;

/** Whether the options ask for a place relative to the caller's office: no caller of this service has an office. */
export const isUnreachable = (options: ScopeOptions): boolean =>
  IN_OPTIONS.map((option) => options[option]).some((where) => where !== undefined && where !== 'all');
