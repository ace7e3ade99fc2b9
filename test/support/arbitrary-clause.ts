import fc from 'fast-check';
import { parseDateTime } from '../../src/kernel/domain/calendar.js';
import { EVENT_STATUSES, USER_TYPES } from '../../src/kernel/domain/event-record.js';
import {
  type AnyFieldCondition,
  type Clause,
  type Condition,
  type DataInput,
  type DataMember,
  type DateCondition,
  type DateTerm,
  type Query,
  RECORD_SORT_FIELDS,
  type SearchRequest,
  type SortKey,
  type TextField,
  type ValueCondition,
} from '../../src/kernel/domain/search-request.js';
import { aCalendarDate } from './builders/a-calendar-date.js';
import {
  aDate,
  aPlace,
  aPlaceOrNone,
  aText,
  DATES_OF_INSTANTS,
  EVENT_TYPES,
  FIELD_IDS,
  FLAGS,
  idOf,
  INSTANTS,
  PEOPLE,
  RECORD_NUMBERS,
  registrationNumberOf,
  ROLES,
  TEXTS,
  trackingIdOf,
} from './vocabulary.js';

/** Searches over the vocabulary of random records, so that they meet some of them. */
export const aMeetingRequest = (): fc.Arbitrary<SearchRequest> =>
  fc.record({
    query: aQuery,
    limit: fc.constantFrom(0, 1, 3, 10_000),
    offset: fc.constantFrom(0, 0, 1, 5, 20_000),
    sort: fc.array(aSortKey, { maxLength: 3 }),
  });

/** Some of the values, perhaps none. */
export const someOf = <T>(...values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.array(fc.constantFrom(...values), { maxLength: 3 });

const TERMS: Readonly<Record<TextField, readonly string[]>> = {
  id: [...RECORD_NUMBERS.map(idOf), idOf(10).toUpperCase(), 'no-uuid', ''],
  eventType: EVENT_TYPES,
  status: EVENT_STATUSES,
  'legalStatuses.DECLARED.createdByRole': ROLES,
  'legalStatuses.REGISTERED.createdByRole': ROLES,
  'legalStatuses.REGISTERED.registrationNumber': RECORD_NUMBERS.map(registrationNumberOf),
  assignedTo: PEOPLE,
  updatedByUserRole: ROLES,
  createdBy: PEOPLE,
  updatedBy: PEOPLE,
  trackingId: RECORD_NUMBERS.map(trackingIdOf),
  createdByUserType: USER_TYPES,
};

const aTextCondition: fc.Arbitrary<Condition> = fc.oneof(
  ...Object.entries(TERMS).map(([field, terms]) =>
    fc.record({
      on: fc.constant('text'),
      field: fc.constant(field as TextField),
      terms: someOf(...terms, "x' or '1'='1"),
    }),
  ),
);

const aDateTerm: fc.Arbitrary<DateTerm> = fc.oneof(
  fc.constantFrom(...DATES_OF_INSTANTS).map((date): DateTerm => ({ kind: 'date', date: aCalendarDate(date) })),
  fc
    .tuple(fc.constantFrom(...INSTANTS), fc.boolean())
    .map(([instant, whole]) => parseDateTime(whole ? `${instant.slice(0, 19)}Z` : instant))
    .filter((dateTime) => dateTime !== undefined)
    .map((dateTime): DateTerm => ({ kind: 'dateTime', ...dateTime })),
);

const aDateCondition: fc.Arbitrary<DateCondition> = fc.oneof(
  fc.record({ type: fc.constant('exact'), term: aDateTerm }),
  fc.record({ type: fc.constant('range'), gte: aDateTerm, lte: aDateTerm }),
  fc.record({ type: fc.constant('timePeriod'), days: fc.constantFrom(7, 30, 90, 365) }),
);

/** A JSON address, and JSON that is none. */
const anAddressTerm = fc
  .record(
    {
      country: fc.constantFrom('FAR', 'far', 'FIN'),
      addressType: fc.constant('DOMESTIC'),
      administrativeArea: aPlaceOrNone,
      streetLevelDetails: fc.dictionary(fc.constantFrom('street', 'town', '0'), aText, { maxKeys: 2 }),
    },
    { requiredKeys: ['country'] },
  )
  .map((address) => JSON.stringify(address));

const aTerm = fc.oneof({ arbitrary: aText, weight: 6 }, aDate, anAddressTerm, aPlace);

const aBound = fc.oneof(
  aText,
  aDate,
  fc.constantFrom('0', '0.5', '2', '2.01', '2.1', '3.25', '4', '-1', '-100', '0000', '9999-12-31', '\u{10ffff}'),
);

const aPartOfADate = fc
  .tuple(aDate, fc.constantFrom(/-.*/, /.*?-/, /^\d+-/))
  .map(([date, cut]) => date.replace(cut, ''));

const aPartOfAPlace = fc
  .tuple(aPlace, fc.constantFrom(0, 1, 2, 4))
  .map(([place, at]) => (place.split('-')[at] ?? '').replace('0', '7'));

const aValueCondition: fc.Arbitrary<ValueCondition> = fc.oneof(
  {
    arbitrary: fc.record({
      type: fc.constant('fuzzy'),
      term: fc.oneof({ arbitrary: aText, weight: 6 }, aDate, aPartOfADate, aPartOfAPlace),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ type: fc.constant('exact'), term: aTerm }), weight: 3 },
  { arbitrary: fc.record({ type: fc.constant('anyOf'), terms: fc.array(aTerm, { maxLength: 6 }) }), weight: 3 },
  { arbitrary: fc.record({ type: fc.constant('range'), gte: aBound, lte: aBound }), weight: 3 },
  { arbitrary: fc.record({ type: fc.constant('within'), location: aPlaceOrNone }), weight: 2 },
);

/** What a value holds, by the kinds that have members: keys that belong together, and two that may not. */
const KEYS_OF_MAPS = [
  ['firstname', 'surname'],
  ['country', 'administrativeArea'],
  ['streetLevelDetails', 'country'],
  ['street', 'town'],
  ['label', 'value'],
  ['start', 'end'],
  ['age'],
  ['numericValue', 'unit'],
  ['originalFilename', 'path'],
  ['data'],
  ['a', 'b'],
  ['m', '0'],
];

/** Holds for much of what it meets, so that a map of several conditions is not always in vain. */
const aWideCondition: fc.Arbitrary<ValueCondition> = fc.oneof(
  fc.record({
    type: fc.constant('range'),
    gte: fc.constantFrom('', '0', '0001-01-01'),
    lte: fc.constant('\u{10ffff}'),
  }),
  fc.record({ type: fc.constant('range'), gte: fc.constantFrom('-5', '0'), lte: fc.constant('4') }),
  fc.record({ type: fc.constant('anyOf'), terms: fc.shuffledSubarray([...TEXTS, 'FAR', 'kg'], { minLength: 40 }) }),
  fc.record({ type: fc.constant('within'), location: aPlace }),
);

const aMap = (levels: number): fc.Arbitrary<DataInput> =>
  fc
    .constantFrom(...KEYS_OF_MAPS)
    .chain((keys) => fc.record({ type: fc.constant('map'), members: someMembers(keys, levels) }));

function someMembers(keys: readonly string[], levels: number): fc.Arbitrary<DataMember[]> {
  const condition: fc.Arbitrary<DataInput> = fc.oneof(aValueCondition, aWideCondition);
  const input = levels === 1 ? condition : fc.oneof({ arbitrary: condition, weight: 3 }, aMap(levels - 1));
  const member = fc.record({ key: fc.constantFrom(...keys), input });
  return fc.uniqueArray(member, { minLength: 1, maxLength: 2, selector: ({ key }) => key });
}

const aNumeral = fc.constantFrom('-100', '-1', '0', '0.5', '2', '2.01', '2.1', '3', '3.2', '4', '1e21');
const rangeOf = (bound: fc.Arbitrary<string>): fc.Arbitrary<ValueCondition> =>
  fc.record({ type: fc.constant('range'), gte: bound, lte: bound });

/** A range names its field. */
const isOnAnyField = (condition: ValueCondition): condition is AnyFieldCondition => condition.type !== 'range';

/** What is asked of a field that has values of one kind alone. */
const aFittingMember: fc.Arbitrary<DataMember> = fc.oneof(
  fc.record({ key: fc.constant('child.weight'), input: rangeOf(aNumeral) }),
  fc.record({
    key: fc.constant('child.dob'),
    input: fc.oneof(rangeOf(aDate), fc.record({ type: fc.constant('fuzzy'), term: aPartOfADate })),
  }),
  fc.record({ key: fc.constant('mother.name'), input: aValueCondition }),
);

const aCondition: fc.Arbitrary<Condition> = fc.oneof(
  { arbitrary: aTextCondition, weight: 2 },
  {
    arbitrary: fc.record({
      on: fc.constant('instant'),
      field: fc.constantFrom('createdAt', 'updatedAt', 'legalStatuses.REGISTERED.acceptedAt'),
      condition: aDateCondition,
    }),
    weight: 2,
  },
  fc.record({
    on: fc.constant('location'),
    field: fc.constantFrom(
      'createdAtLocation',
      'updatedAtLocation',
      'legalStatuses.DECLARED.createdAtLocation',
      'legalStatuses.REGISTERED.createdAtLocation',
    ),
    match: fc.constantFrom('within', 'exact'),
    location: aPlaceOrNone,
  }),
  fc.record(
    { on: fc.constant('flags'), anyOf: someOf(...FLAGS), noneOf: someOf(...FLAGS), allOf: someOf(...FLAGS) },
    { requiredKeys: ['on', 'noneOf', 'allOf'] },
  ),
  { arbitrary: fc.record({ on: fc.constant('data'), members: someMembers(FIELD_IDS, 3) }), weight: 5 },
  { arbitrary: fc.record({ on: fc.constant('data'), members: fc.tuple(aFittingMember) }), weight: 3 },
  { arbitrary: fc.record({ on: fc.constant('anyField'), condition: aValueCondition.filter(isOnAnyField) }), weight: 2 },
);

const aQueryOf = (condition: fc.Arbitrary<Condition>): fc.Arbitrary<Query> =>
  fc.letrec<{ query: Query; clause: Clause }>((tie) => ({
    query: fc.record({
      kind: fc.constantFrom('and', 'or'),
      clauses: fc.array(tie('clause'), { minLength: 1, maxLength: 2, depthIdentifier: 'query' }),
    }),
    clause: fc.oneof(
      { depthIdentifier: 'query', maxDepth: 2 },
      {
        arbitrary: fc.record({
          kind: fc.constant('expression'),
          conditions: fc.oneof(
            fc.array(condition, { minLength: 1, maxLength: 1 }),
            fc.array(condition, { maxLength: 2 }),
          ),
        }),
        weight: 3,
      },
      tie('query'),
    ),
  })).query;

const aQuery = aQueryOf(aCondition);

/** Words that several of the texts are near, by none, one or two edits. */
const aFuzzyCondition: fc.Arbitrary<ValueCondition & { readonly type: 'fuzzy' }> = fc.record({
  type: fc.constant('fuzzy'),
  term: fc.constantFrom(
    'ama',
    'amb',
    'ama kofi',
    'kofi',
    'mensah',
    'kofi mensaah',
    'oneil',
    'straße',
    'ama.k@post.exampel',
  ),
});

const aRelevantCondition: fc.Arbitrary<Condition> = fc.oneof(
  { arbitrary: fc.record({ on: fc.constant('anyField'), condition: aFuzzyCondition }), weight: 4 },
  {
    arbitrary: fc.record({
      on: fc.constant('data'),
      members: fc.tuple(fc.record({ key: fc.constantFrom(...FIELD_IDS), input: aFuzzyCondition })),
    }),
    weight: 4,
  },
  fc.record({ on: fc.constant('text'), field: fc.constant('eventType'), terms: fc.constant(EVENT_TYPES.slice(0, 2)) }),
);

/** Searches whose matches are of different relevance. */
export const aRelevanceRequest = (): fc.Arbitrary<SearchRequest> =>
  fc.record({
    query: aQueryOf(aRelevantCondition),
    limit: fc.constant(10_000),
    offset: fc.constant(0),
    sort: fc.constant([]),
  });

export const aSortKey: fc.Arbitrary<SortKey> = fc.record({
  field: fc.oneof(
    fc.record({ on: fc.constant('record'), name: fc.constantFrom(...RECORD_SORT_FIELDS) }),
    fc.record({ on: fc.constant('declaration'), fieldId: fc.constantFrom(...FIELD_IDS) }),
  ),
  direction: fc.constantFrom('asc', 'desc'),
});
