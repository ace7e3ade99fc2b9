import type { RecordOptions, RowFilter } from '../../../src/kernel/domain/scopes/caller.js';
import type { Instant } from '../../../src/kernel/domain/calendar.js';
import type { EventRecord, LegalStatus, Somebody } from '../../../src/kernel/domain/event-record.js';
import type {
  Clause,
  Condition,
  DateCondition,
  DateTerm,
  InstantField,
  LocationField,
  TextField,
} from '../../../src/kernel/domain/search-request.js';
import type { Uuid } from '../../../src/kernel/domain/uuid.js';
import type { Guard } from '../../../src/events/search/request/refuse-secured.js';
import { dateOnClocks } from './date-on-clocks.js';
import { needsReading, withoutSecured } from './guarded.js';
import { type Below, valueSatisfies } from './value-satisfies.js';

export interface ReferenceContext {
  readonly now: Date;
  readonly timezone: string;
  readonly below: Below;
  /** Who notified a record: search knows it, the record does not show it. */
  readonly notifiedBy: string | null;
  /** Where it was notified; absent: nowhere. */
  readonly notifiedIn?: Uuid | null;
  /** What the caller must not learn of records that he may not read (E-10). */
  readonly guard?: Guard | undefined;
}

/** Whether a search finds a record: S-6 to S-11 and A-10, as plainly as they can be written. */
export const matches = (record: EventRecord, query: Clause, reach: RowFilter, context: ReferenceContext): boolean =>
  satisfies(record, query, context) && isReached(record, reach, context);

const isReached = (record: EventRecord, reach: RowFilter, context: ReferenceContext): boolean =>
  reach === 'everything' || reach.some((options) => isAdmitted(record, options, context));

/** Whether the caller is shown the record as it is. */
export const isRead = (record: EventRecord, context: ReferenceContext): boolean =>
  context.guard === undefined || isReached(record, context.guard.readable, context);

/** A record as a search shows it, among these. */
export function shownTo(
  record: EventRecord,
  reach: RowFilter,
  records: readonly EventRecord[],
  context: ReferenceContext,
): EventRecord {
  const seen = context.guard === undefined || isRead(record, context) ? record : withoutSecured(record, context.guard);
  if (reach === 'everything' || reach.every(({ flags }) => flags === undefined)) return seen;
  const known = new Set(records.filter((one) => isReached(one, reach, context)).map(({ id }) => id));
  return { ...seen, potentialDuplicates: seen.potentialDuplicates.filter(({ id }) => known.has(id)) };
}

export function satisfies(record: EventRecord, clause: Clause, context: ReferenceContext): boolean {
  switch (clause.kind) {
    case 'and':
      return clause.clauses.every((inner) => satisfies(record, inner, context));
    case 'or':
      return clause.clauses.some((inner) => satisfies(record, inner, context));
    case 'expression':
      return clause.conditions.every((condition) => holds(record, condition, context));
  }
}

function holds(record: EventRecord, condition: Condition, context: ReferenceContext): boolean {
  const { guard } = context;
  if (guard !== undefined && needsReading(condition, guard) && !isRead(record, context)) return false;
  switch (condition.on) {
    case 'text': {
      const text = TEXTS[condition.field](record);
      return text !== null && condition.terms.includes(text);
    }
    case 'instant': {
      const instant = INSTANTS[condition.field](record);
      return instant !== null && isAtTime(instant, condition.condition, context);
    }
    case 'location': {
      const location = LOCATIONS[condition.field](record);
      const known = context.below(condition.location);
      if (location === null || !known.includes(location)) return false;
      return condition.match === 'within' || location === condition.location;
    }
    case 'flags':
      return hasFlags(record, condition);
    case 'data':
      return valueSatisfies(record.declaration, { type: 'map', members: condition.members }, context.below);
    case 'anyField':
      return Object.values(record.declaration).some((value) =>
        valueSatisfies(value, condition.condition, context.below),
      );
  }
}

const TEXTS: Record<TextField, (record: EventRecord) => string | null> = {
  id: (record) => record.id,
  eventType: (record) => record.type,
  status: (record) => record.status,
  'legalStatuses.DECLARED.createdByRole': (record) => record.legalStatuses.DECLARED?.createdByRole ?? null,
  'legalStatuses.REGISTERED.createdByRole': (record) => record.legalStatuses.REGISTERED?.createdByRole ?? null,
  'legalStatuses.REGISTERED.registrationNumber': (record) =>
    record.legalStatuses.REGISTERED?.registrationNumber ?? null,
  assignedTo: (record) => record.assignedTo,
  updatedByUserRole: (record) => record.updatedByUserRole,
  createdBy: (record) => record.createdBy,
  updatedBy: (record) => record.updatedBy,
  trackingId: (record) => record.trackingId,
  createdByUserType: (record) => record.createdByUserType,
};

const INSTANTS: Record<InstantField, (record: EventRecord) => Instant | null> = {
  createdAt: (record) => record.createdAt,
  updatedAt: (record) => record.updatedAt,
  'legalStatuses.REGISTERED.acceptedAt': (record) => record.legalStatuses.REGISTERED?.acceptedAt ?? null,
};

const LOCATIONS: Record<LocationField, (record: EventRecord) => string | null> = {
  createdAtLocation: (record) => record.createdAtLocation,
  updatedAtLocation: (record) => record.updatedAtLocation,
  'legalStatuses.DECLARED.createdAtLocation': (record) => record.legalStatuses.DECLARED?.createdAtLocation ?? null,
  'legalStatuses.REGISTERED.createdAtLocation': (record) => record.legalStatuses.REGISTERED?.createdAtLocation ?? null,
};

function isAtTime(instant: Instant, condition: DateCondition, { now, timezone }: ReferenceContext): boolean {
  switch (condition.type) {
    case 'exact':
      return isNotBefore(instant, condition.term, timezone) && isNotAfter(instant, condition.term, timezone);
    case 'range':
      return isNotBefore(instant, condition.gte, timezone) && isNotAfter(instant, condition.lte, timezone);
    case 'timePeriod': {
      const agoMs = now.getTime() - Date.parse(instant);
      return agoMs >= 0 && agoMs <= condition.days * 24 * 3_600_000;
    }
  }
}

const isNotBefore = (instant: Instant, term: DateTerm, timezone: string): boolean =>
  term.kind === 'date' ? dateOnClocks(instant, timezone) >= term.date : instant >= term.instant;

function isNotAfter(instant: Instant, term: DateTerm, timezone: string): boolean {
  if (term.kind === 'date') return dateOnClocks(instant, timezone) <= term.date;
  const length = term.precision === 'second' ? '2026-01-02T03:04:05'.length : undefined;
  return instant.slice(0, length) <= term.instant.slice(0, length);
}

function hasFlags({ flags }: EventRecord, wanted: NonNullable<RecordOptions['flags']>): boolean {
  const has = (flag: string): boolean => flags.includes(flag);
  return (
    (wanted.anyOf === undefined || wanted.anyOf.some(has)) &&
    !(wanted.noneOf ?? []).some(has) &&
    (wanted.allOf ?? []).every(has)
  );
}

/** Whether the options of one scope admit the record. */
export function isAdmitted(record: EventRecord, options: RecordOptions, context: ReferenceContext): boolean {
  const { DECLARED, REGISTERED } = record.legalStatuses;
  return (
    (options.event === undefined || options.event.includes(record.type)) &&
    (options.status === undefined || options.status.includes(record.status)) &&
    (options.flags === undefined || hasFlags(record, options.flags)) &&
    [options.placeOfEvent, options.declaredIn, options.registeredIn, options.notifiedIn].every(
      (where) => where === undefined || where === 'all',
    ) &&
    isIn(record.placeOfEvent, options.within?.placeOfEvent) &&
    isIn(DECLARED?.createdAtLocation, options.within?.declaredIn) &&
    isIn(REGISTERED?.createdAtLocation, options.within?.registeredIn) &&
    isIn(context.notifiedIn, options.within?.notifiedIn) &&
    (options.declaredBy === undefined || isGivenBy(DECLARED, options.declaredBy)) &&
    (options.registeredBy === undefined || isGivenBy(REGISTERED, options.registeredBy)) &&
    (options.notifiedBy === undefined || context.notifiedBy === options.notifiedBy.subject)
  );
}

const isGivenBy = (status: LegalStatus | null, { subject, userType }: Somebody): boolean =>
  status?.createdBy === subject && (status.createdByUserType ?? 'user') === userType;

const isIn = (place: Uuid | null | undefined, admitted: readonly Uuid[] | undefined): boolean =>
  admitted === undefined || (place !== null && place !== undefined && admitted.includes(place));
