import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import { isSecuredField, type SecuredFields, typesWithCopy } from '../../../kernel/domain/secured-fields.js';
import { type Condition, memberOfField, type SortField } from '../../../kernel/domain/search-request.js';

/** What a caller must not learn of records that he finds but may not read (E-10). */
export interface Guard {
  readonly secured: SecuredFields;
  /** The scopes that let him read: the records they admit are shown as they are. An empty list admits none. */
  readonly readable: readonly RecordOptions[];
}

/** The guard of a caller who may read these records; undefined if nothing is kept from him. */
export const guardOf = (secured: SecuredFields, readable: RowFilter): Guard | undefined =>
  secured.size === 0 || readable === 'everything' ? undefined : { secured, readable };

/** Whether the condition depends on a secured field: on any field, it depends on all. */
export function isOnSecured(condition: Condition, { secured }: Guard): boolean {
  if (condition.on === 'anyField') return true;
  return condition.on === 'data' && condition.members.some(({ key }) => isSecuredField(secured, key));
}

/** The event types in which the field, or what it is a copy or a member of, is secured. */
export function typesSecuring(field: SortField, secured: SecuredFields): readonly string[] {
  if (field.on === 'declaration') {
    const ids = [field.fieldId, memberOfField(field.fieldId)?.fieldId ?? field.fieldId];
    return [...secured].flatMap(([type, { fieldIds }]) => (ids.some((id) => fieldIds.has(id)) ? [type] : []));
  }
  return field.name === 'dateOfEvent' || field.name === 'placeOfEvent' ? typesWithCopy(secured, field.name) : [];
}
