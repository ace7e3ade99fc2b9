import type { CalendarDate, Instant } from '../../domain/calendar.js';
import { parseCalendarDate } from '../../domain/calendar.js';
import type { Declaration, DeclarationValue } from '../../domain/record/declaration.js';
import type { EventRecord } from '../../domain/record/event-record.js';
import type { Uuid } from '../../domain/uuid.js';
import { parseUuid } from '../../domain/uuid.js';

/**
 * Which fields of a declaration say when and where an event happened; the first readable one counts. There is no form
 * configuration here, so these are the field ids of upstream's example country, and other names in use.
 */
const FIELDS: ReadonlyMap<string, { readonly date: readonly string[]; readonly place: readonly string[] }> = new Map([
  [
    'birth',
    {
      date: ['child.dob'],
      place: [
        'child.birthLocationId',
        'child.birthLocation',
        'child.birthLocation.privateHome',
        'child.birthLocation.other',
        'child.placeOfBirth',
      ],
    },
  ],
  [
    'death',
    {
      date: ['eventDetails.date', 'eventDetails.dateOfDeath', 'deceased.dateOfDeath'],
      place: [
        'eventDetails.deathLocationId',
        'eventDetails.deathLocation',
        'eventDetails.deathLocationOther',
        'eventDetails.placeOfDeath',
        'deceased.placeOfDeath',
      ],
    },
  ],
  [
    'marriage',
    {
      date: ['eventDetails.date', 'marriageDetails.dateOfMarriage', 'marriage.dateOfMarriage', 'marriage.date'],
      place: [
        'eventDetails.marriageLocationId',
        'eventDetails.marriageLocation',
        'marriageDetails.placeOfMarriage',
        'marriage.placeOfMarriage',
      ],
    },
  ],
]);

/** The inputs for the date and the place of an event. */
export interface EventCircumstances {
  readonly type: string;
  readonly createdAt: Instant;
  readonly createdAtLocation: Uuid | null;
  readonly declaration: Declaration;
}

/**
 * `dateOfEvent`: the declared date; null when none can be read; for an event type without a table entry the UTC day on
 * which the event was created. On top of an imported record, the record's own until the declared date changes.
 */
export function dateOfEvent(event: EventCircumstances, imported?: EventRecord): CalendarDate | null {
  const declared = declaredDate(event.type, event.declaration);
  if (imported !== undefined && declared === declaredDate(event.type, imported.declaration)) {
    return imported.dateOfEvent;
  }
  return declared ?? (FIELDS.has(event.type) ? null : (parseCalendarDate(event.createdAt.slice(0, 10)) ?? null));
}

/**
 * `placeOfEvent`: the declared location, or the administrative area of a declared domestic address; otherwise where the
 * event was created. On top of an imported record, the record's own until the declared place changes.
 */
export function placeOfEvent(event: EventCircumstances, imported?: EventRecord): Uuid | null {
  const declared = declaredPlace(event.type, event.declaration);
  if (imported !== undefined && declared === declaredPlace(event.type, imported.declaration)) {
    return imported.placeOfEvent;
  }
  return declared ?? event.createdAtLocation;
}

const declaredDate = (type: string, declaration: Declaration): CalendarDate | undefined =>
  firstOf(FIELDS.get(type)?.date ?? [], declaration, parseCalendarDate);

const declaredPlace = (type: string, declaration: Declaration): Uuid | undefined =>
  firstOf(FIELDS.get(type)?.place ?? [], declaration, placeIn);

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
