import fc from 'fast-check';
import {
  type DeclarationValue,
  EVENT_STATUSES,
  type EventRecord,
  type LegalStatus,
  USER_TYPES,
} from '../../src/kernel/domain/event-record.js';
import { aCalendarDate } from './builders/a-calendar-date.js';
import { anInstant } from './builders/an-instant.js';
import { UNKNOWN_PLACE } from './hierarchy.js';
import {
  aDate,
  aPlace,
  aText,
  EVENT_TYPES,
  FIELDS_OF_ANY_KIND,
  type FIELDS_OF_ONE_KIND,
  FLAGS,
  idOf,
  INSTANTS,
  MEMBER_KEYS,
  PEOPLE,
  RECORD_NUMBERS,
  registrationNumberOf,
  ROLES,
  trackingIdOf,
} from './vocabulary.js';

const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null, freq: 3 });

const aTime = fc.constantFrom(...INSTANTS).map(anInstant);
const aPerson = fc.constantFrom(...PEOPLE);
const aRole = fc.constantFrom(...ROLES);
const aUserType = fc.constantFrom(...USER_TYPES);

const streetDetails = fc.dictionary(fc.constantFrom('street', 'town', '0'), aText, { maxKeys: 2 });
const aCountry = fc.constantFrom('FAR', 'far', 'FIN');
const aNumber = fc.constantFrom(3, 3.5, -1, 0, 1e21, 0.5, 2, 2.05, 4, 3.14159265);
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });

const aName = object({ firstname: aText, surname: aText, middlename: optional(aText) });

/** Every kind of value that S-10 knows, and some that only look like one. */
const aValue: fc.Arbitrary<DeclarationValue> = fc.letrec<{ value: DeclarationValue; leaf: DeclarationValue }>(
  (tie) => ({
    leaf: fc.oneof(
      { arbitrary: aText, weight: 4 },
      aDate,
      aNumber,
      fc.boolean(),
      aPlace,
      aPlace.map((place) => place.toUpperCase()),
      object({ path: aText, originalFilename: aText, type: fc.constant('image/png'), option: optional(aText) }),
      { arbitrary: aName, weight: 3 },
      object({ firstname: aText, surname: fc.constant(3) }),
      {
        arbitrary: object({
          country: aCountry,
          addressType: fc.constantFrom('DOMESTIC', 'INTERNATIONAL', 'OTHER'),
          administrativeArea: optional(aPlace),
          streetLevelDetails: optional(streetDetails),
        }),
        weight: 3,
      },
      object({ age: fc.constantFrom(3, 0), asOfDateRef: fc.constant('child.dob') }),
      object({ numericValue: optional(fc.constantFrom(3, -1)), unit: optional(fc.constant('kg')) }),
      object({ label: aText, value: aText }),
      object({ start: aDate, end: aDate }),
    ),
    value: fc.oneof(
      { depthIdentifier: 'value', maxDepth: 2 },
      { arbitrary: tie('leaf'), weight: 8 },
      { arbitrary: fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'value' }), weight: 2 },
      { arbitrary: fc.record({ data: tie('value') }), weight: 1 },
      { arbitrary: fc.dictionary(fc.constantFrom(...MEMBER_KEYS), tie('value'), { maxKeys: 3 }), weight: 2 },
    ),
  }),
).value;

/** An object without the members that were not given. */
function object(members: Record<string, fc.Arbitrary<DeclarationValue | undefined>>): fc.Arbitrary<DeclarationValue> {
  return fc.record(members).map((made) => {
    const given = Object.entries(made).filter((entry): entry is [string, DeclarationValue] => entry[1] !== undefined);
    return Object.fromEntries(given);
  });
}

/** Now and then one that is not in the hierarchy: no condition on a place finds it. */
const aKnownPlaceOrNot = fc.oneof({ arbitrary: aPlace, weight: 6 }, fc.constant(UNKNOWN_PLACE));

const aLegalStatus: fc.Arbitrary<LegalStatus> = fc.record({
  createdAt: aTime,
  createdBy: aPerson,
  createdAtLocation: orNull(aKnownPlaceOrNot),
  createdByUserType: orNull(aUserType),
  acceptedAt: aTime,
  createdByRole: orNull(aRole),
});

/** A record by its number, from which its ids are made; everything else of it can be that of another record. */
const aRecordOf = (number: number): fc.Arbitrary<EventRecord> =>
  fc.record({
    id: fc.constant(idOf(number)),
    type: fc.constantFrom(...EVENT_TYPES),
    status: fc.constantFrom(...EVENT_STATUSES),
    legalStatuses: fc.record({
      DECLARED: orNull(aLegalStatus),
      REGISTERED: orNull(
        aLegalStatus.map((status) => ({ ...status, registrationNumber: registrationNumberOf(number) })),
      ),
    }),
    createdAt: aTime,
    dateOfEvent: orNull(aDate.map(aCalendarDate)),
    placeOfEvent: orNull(aKnownPlaceOrNot),
    createdBy: aPerson,
    createdByUserType: orNull(aUserType),
    updatedByUserRole: orNull(aRole),
    createdAtLocation: orNull(aKnownPlaceOrNot),
    updatedAtLocation: orNull(aKnownPlaceOrNot),
    updatedAt: aTime,
    assignedTo: orNull(aPerson),
    updatedBy: orNull(aPerson),
    trackingId: fc.constant(trackingIdOf(number)),
    potentialDuplicates: fc
      .uniqueArray(fc.constantFrom(...RECORD_NUMBERS, RECORD_NUMBERS.length), { maxLength: 2 })
      .map((numbers) => numbers.map((other) => ({ id: idOf(other), trackingId: trackingIdOf(other) }))),
    flags: fc.uniqueArray(fc.constantFrom(...FLAGS), { maxLength: 3 }),
    declaration: fc
      .tuple(
        fc.dictionary(fc.constantFrom(...FIELDS_OF_ANY_KIND), aValue, { maxKeys: 5 }),
        fc.record(OF_ONE_KIND, { requiredKeys: [] }),
      )
      .map(([any, ofOneKind]) => ({ ...any, ...ofOneKind })),
  });

const OF_ONE_KIND: Readonly<Record<(typeof FIELDS_OF_ONE_KIND)[number], fc.Arbitrary<DeclarationValue>>> = {
  'child.weight': aNumber,
  'child.dob': aDate,
  'mother.name': aName,
};

/** Records with ids of their own, in any order. */
export const someRecords = (count: number): fc.Arbitrary<EventRecord[]> =>
  fc.tuple(...Array.from({ length: count }, (_, number) => aRecordOf(number)));
