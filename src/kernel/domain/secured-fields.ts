import type { EventRecord } from './event-record.js';

/** What the event configuration secures in the declarations of one event type (E-10). */
export interface SecuredOfType {
  readonly fieldIds: ReadonlySet<string>;
  /** Fields of the record that are copies of secured ones. */
  readonly copies: ReadonlySet<CopyName>;
}

/** A field of the record that is read from the declaration. */
export type CopyName = 'dateOfEvent' | 'placeOfEvent';

/** By event type; a type without secured fields has no entry. */
export type SecuredFields = ReadonlyMap<string, SecuredOfType>;

/** Whether some event type secures the field of the declaration. */
export const isSecuredField = (secured: SecuredFields, fieldId: string): boolean =>
  [...secured.values()].some(({ fieldIds }) => fieldIds.has(fieldId));

/** The event types in which the field of the record is a copy of a secured one. */
export const typesWithCopy = (secured: SecuredFields, copy: CopyName): readonly string[] =>
  [...secured].flatMap(([type, { copies }]) => (copies.has(copy) ? [type] : []));

/** A declaration, or a change of one, without its secured fields; itself if it has none. */
export function withoutSecuredFields<Value>(
  declaration: Readonly<Record<string, Value>>,
  secured: SecuredOfType | undefined,
): Readonly<Record<string, Value>> {
  if (secured === undefined || !Object.keys(declaration).some((id) => secured.fieldIds.has(id))) return declaration;
  return Object.fromEntries(Object.entries(declaration).filter(([id]) => !secured.fieldIds.has(id)));
}

/** The record as it is shown to whoever may not read it. */
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
