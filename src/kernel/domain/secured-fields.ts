import type { EventRecord } from './event-record.js';

/** Secured declaration fields of one event type (E-10). */
export interface SecuredOfType {
  readonly fieldIds: ReadonlySet<string>;
  readonly copies: ReadonlySet<CopyName>;
}

export type CopyName = 'dateOfEvent' | 'placeOfEvent';

/** By event type; types without secured fields have no entry. */
export type SecuredFields = ReadonlyMap<string, SecuredOfType>;

export const isSecuredField = (secured: SecuredFields, fieldId: string): boolean =>
  [...secured.values()].some(({ fieldIds }) => fieldIds.has(fieldId));

export const typesWithCopy = (secured: SecuredFields, copy: CopyName): readonly string[] =>
  [...secured].flatMap(([type, { copies }]) => (copies.has(copy) ? [type] : []));

/** Returns the given object if it has no secured fields. */
export function withoutSecuredFields<Value>(
  declaration: Readonly<Record<string, Value>>,
  secured: SecuredOfType | undefined,
): Readonly<Record<string, Value>> {
  if (secured === undefined || !Object.keys(declaration).some((id) => secured.fieldIds.has(id))) return declaration;
  return Object.fromEntries(Object.entries(declaration).filter(([id]) => !secured.fieldIds.has(id)));
}

export function recordWithoutSecured(record: EventRecord, secured: SecuredFields): EventRecord {
  const ofType = secured.get(record.type);
  if (ofType === undefined) return record;
  return {
    ...record,
    dateOfEvent: ofType.copies.has('dateOfEvent') ? null : record.dateOfEvent,
    placeOfEvent: ofType.copies.has('placeOfEvent') ? null : record.placeOfEvent,
    declaration: withoutSecuredFields(record.declaration, ofType),
  };
}
