import { type CalendarDate, type Instant, parseCalendarDate, utcDayOf } from '../../../kernel/domain/calendar.js';
import type { EventType } from '../../../kernel/domain/event-configuration/event-type.js';
import type { Declaration, DeclarationValue } from '../../../kernel/domain/declaration.js';
import type { EventRecord } from '../../../kernel/domain/event-record.js';
import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';

export interface EventCircumstances {
  readonly type: EventType;
  readonly createdAt: Instant;
  readonly createdAtLocation: Uuid | null;
  readonly declaration: Declaration;
}

/**
 * The declared date; null if unreadable; the UTC day of creation without date fields. An imported record's date holds
 * until the declared one changes.
 */
export function dateOfEvent(event: EventCircumstances, imported: EventRecord | undefined): CalendarDate | null {
  const declared = declaredDate(event.type, event.declaration);
  if (imported !== undefined && declared === declaredDate(event.type, imported.declaration)) {
    return imported.dateOfEvent;
  }
  return declared ?? (event.type.dateOfEvent.length > 0 ? null : utcDayOf(event.createdAt));
}

/**
 * The declared location, or the area of a declared domestic address; otherwise the place of creation. An imported
 * record's holds until the declared one changes.
 */
export function placeOfEvent(event: EventCircumstances, imported: EventRecord | undefined): Uuid | null {
  const declared = declaredPlace(event.type, event.declaration);
  if (imported !== undefined && declared === declaredPlace(event.type, imported.declaration)) {
    return imported.placeOfEvent;
  }
  return declared ?? event.createdAtLocation;
}

const declaredDate = (type: EventType, declaration: Declaration): CalendarDate | undefined =>
  firstOf(type.dateOfEvent, declaration, parseCalendarDate);

const declaredPlace = (type: EventType, declaration: Declaration): Uuid | undefined =>
  firstOf(type.placeOfEvent, declaration, placeIn);

function placeIn(value: DeclarationValue | undefined): Uuid | undefined {
  if (typeof value !== 'object' || !('addressType' in value)) return parseUuid(value);
  return value.addressType === 'DOMESTIC' ? parseUuid(value['administrativeArea']) : undefined;
}

function firstOf<T>(
  fieldIds: readonly string[],
  declaration: Declaration,
  read: (value: DeclarationValue | undefined) => T | undefined,
): T | undefined {
  for (const id of fieldIds) {
    const found = Object.hasOwn(declaration, id) ? read(declaration[id]) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
