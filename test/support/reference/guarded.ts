import type { EventRecord } from '../../../src/kernel/domain/event-record.js';
import type { Condition, SortField } from '../../../src/kernel/domain/search-request.js';
import type { Guard } from '../../../src/events/search/request/refuse-secured.js';

/** Whether a condition asks for something that a caller must have `record.read` on a record for (E-10). */
export const needsReading = (condition: Condition, { secured }: Guard): boolean =>
  condition.on === 'anyField' ||
  (condition.on === 'data' &&
    condition.members.some(({ key }) => [...secured.values()].some(({ fieldIds }) => fieldIds.has(key))));

/** Whether the record's own value of the field must not be learnt without `record.read` on it. */
export function isWithheld({ type }: EventRecord, field: SortField, { secured }: Guard): boolean {
  const ofType = secured.get(type);
  if (ofType === undefined) return false;
  // A field id, or one and a member of it.
  const { fieldIds } = ofType;
  if (field.on === 'declaration') return [...fieldIds].some((id) => `${field.fieldId}.`.startsWith(`${id}.`));
  return (field.name === 'dateOfEvent' || field.name === 'placeOfEvent') && ofType.copies.has(field.name);
}

/** A record without what is secured of it. */
export function withoutSecured(record: EventRecord, { secured }: Guard): EventRecord {
  const ofType = secured.get(record.type);
  if (ofType === undefined) return record;
  const declaration = Object.entries(record.declaration).filter(([id]) => !ofType.fieldIds.has(id));
  return {
    ...record,
    dateOfEvent: ofType.copies.has('dateOfEvent') ? null : record.dateOfEvent,
    placeOfEvent: ofType.copies.has('placeOfEvent') ? null : record.placeOfEvent,
    declaration: Object.fromEntries(declaration),
  };
}
