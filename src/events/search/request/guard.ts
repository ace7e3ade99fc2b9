import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import { isSecuredField, type SecuredFields, typesWithCopy } from '../../../kernel/domain/secured-fields.js';
import { type Condition, memberOfField, type SortField } from '../../../kernel/domain/search-request.js';

/** Hides content of records that a caller finds but may not read (E-10). */
export interface Guard {
  readonly secured: SecuredFields;
  /** The scopes with read permission; an empty list admits no record. */
  readonly readable: readonly RecordOptions[];
}

/** Undefined if nothing is hidden. */
export const guardOf = (secured: SecuredFields, readable: RowFilter): Guard | undefined =>
  secured.size === 0 || readable === 'everything' ? undefined : { secured, readable };

/** A condition on any field depends on all fields. */
export function isOnSecured(condition: Condition, { secured }: Guard): boolean {
  if (condition.on === 'anyField') return true;
  return condition.on === 'data' && condition.members.some(({ key }) => isSecuredField(secured, key));
}

/** The event types in which the field, its source or its parent is secured. */
export function typesSecuring(field: SortField, secured: SecuredFields): readonly string[] {
  if (field.on === 'declaration') {
    const ids = [field.fieldId, memberOfField(field.fieldId)?.fieldId ?? field.fieldId];
    return [...secured].flatMap(([type, { fieldIds }]) => (ids.some((id) => fieldIds.has(id)) ? [type] : []));
  }
  return field.name === 'dateOfEvent' || field.name === 'placeOfEvent' ? typesWithCopy(secured, field.name) : [];
}
