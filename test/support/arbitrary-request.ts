import fc from 'fast-check';
import { parseCalendarDate, toInstant } from '../../src/kernel/domain/calendar.js';
import { cleanText, isWellFormedText } from '../../src/kernel/domain/text.js';
import { EVENT_STATUSES, USER_TYPES } from '../../src/kernel/domain/event-record.js';
import type { ScalarKind } from '../../src/kernel/domain/record-columns.js';
import { fieldsOn } from '../../src/kernel/domain/searched-fields.js';
import {
  type AnyFieldCondition,
  type Condition,
  type DataInput,
  type DateCondition,
  type DateTerm,
  type Expression,
  type Query,
  RECORD_SORT_FIELDS,
  type SearchRequest,
  type SortKey,
  type ValueCondition,
} from '../../src/kernel/domain/search-request.js';
import { toSearchBody } from './search-body.js';

/** What the texts of a random search are drawn from; a small one makes it meet the records of a test. */
export interface Vocabulary {
  readonly text: fc.Arbitrary<string>;
  readonly location: fc.Arbitrary<string>;
  readonly fieldId: fc.Arbitrary<string>;
  /** Keys inside values, such as `country`. */
  readonly memberKey: fc.Arbitrary<string>;
  readonly date: fc.Arbitrary<Date>;
}

const anyText = fc.string({ unit: 'binary', maxLength: 12 }).filter(isWellFormedText);
// Keys that spell an index are left out: JSON.parse puts them first, and a request would come back in another order.
const anyKey = anyText.filter((key) => key !== '' && key !== '__proto__' && !/^\d+$/.test(key));

const ANY_VOCABULARY: Vocabulary = {
  text: anyText,
  location: fc.oneof(fc.uuid(), anyText),
  fieldId: fc.oneof(fc.constantFrom('child.name', 'child.dob', 'type', 'constructor'), anyKey),
  memberKey: fc.oneof(fc.constantFrom('country', 'type', 'firstname'), anyKey),
  date: fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
};

/** Searches that are within every bound, as the parser yields them. */
export const aSearchRequest = (vocabulary: Vocabulary = ANY_VOCABULARY): fc.Arbitrary<SearchRequest> =>
  fc.record({
    query: aQuery(vocabulary),
    limit: fc.integer({ min: 0, max: 10_000 }),
    offset: fc.maxSafeNat(),
    sort: fc.array(aSortKey(vocabulary), { maxLength: 3 }),
  });

/** The same searches as JSON bodies. */
export const aSearchRequestBody = (vocabulary: Vocabulary = ANY_VOCABULARY): fc.Arbitrary<unknown> =>
  aSearchRequest(vocabulary).map(toSearchBody);

function aQuery(vocabulary: Vocabulary): fc.Arbitrary<Query> {
  return fc.letrec<{ query: Query; clause: Query | Expression }>((tie) => ({
    query: fc.record({
      kind: fc.constantFrom('and', 'or'),
      clauses: fc.array(tie('clause'), { minLength: 1, maxLength: 3, depthIdentifier: 'query' }),
    }),
    clause: fc.oneof(
      { depthIdentifier: 'query', maxDepth: 4, withCrossShrink: true },
      anExpression(vocabulary),
      tie('query'),
    ),
  })).query;
}

/** An expression's keys are those of an object: each field is named once. */
const anExpression = (vocabulary: Vocabulary): fc.Arbitrary<Expression> =>
  fc.record({
    kind: fc.constant('expression'),
    conditions: fc.uniqueArray(aCondition(vocabulary), {
      minLength: 1,
      maxLength: 3,
      selector: (condition) =>
        'field' in condition ? condition.field : condition.on === 'anyField' ? 'data' : condition.on,
    }),
  });

const aCondition = (vocabulary: Vocabulary): fc.Arbitrary<Condition> =>
  fc.oneof(
    aTextCondition(vocabulary),
    fc.record({
      on: fc.constant('instant'),
      field: fc.constantFrom(...fieldsOn('instant').map(({ condition }) => condition)),
      condition: aDateCondition(vocabulary),
    }),
    aLocationCondition(vocabulary),
    fc
      .tuple(fc.option(texts(vocabulary), { nil: undefined }), texts(vocabulary), texts(vocabulary))
      .map(([anyOf, noneOf, allOf]) => ({ on: 'flags' as const, ...(anyOf && { anyOf }), noneOf, allOf })),
    fc.record({ on: fc.constant('data'), members: aMap(vocabulary, vocabulary.fieldId) }),
    fc.record({
      on: fc.constant('anyField'),
      condition: aValueCondition(vocabulary).filter((one): one is AnyFieldCondition => one.type !== 'range'),
    }),
  );

const texts = ({ text }: Vocabulary): fc.Arbitrary<string[]> => fc.array(text, { maxLength: 3 });
const one = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> => value.map((term) => [term]);

const aTextCondition = (vocabulary: Vocabulary): fc.Arbitrary<Condition> =>
  fc.oneof(
    ...fieldsOn('text').map(({ condition, kind, search }) => {
      // Ids are compared as they are written too, if they are not clean.
      const read = termOf(kind, vocabulary);
      const term = search.values === 'unique' ? read.map(cleanText) : read;
      const takesMany = search.accepts !== 'plain' && search.accepts.some((type) => type === 'anyOf');
      const terms = takesMany ? fc.array(term, { maxLength: 3 }) : one(term);
      return fc.record({ on: fc.constant('text'), field: fc.constant(condition), terms });
    }),
  );

function termOf(kind: ScalarKind, { text }: Vocabulary): fc.Arbitrary<string> {
  if (kind === 'status') return fc.constantFrom(...EVENT_STATUSES);
  return kind === 'userType' ? fc.constantFrom(...USER_TYPES) : text;
}

const aLocationCondition = ({ location }: Vocabulary): fc.Arbitrary<Condition> =>
  fc.oneof(
    ...fieldsOn('location').map(({ condition, search }) =>
      fc.record({
        on: fc.constant('location'),
        field: fc.constant(condition),
        match: search.accepts === 'within or exact' ? fc.constantFrom('within', 'exact') : fc.constant('within'),
        location,
      }),
    ),
  );

const aDateCondition = (vocabulary: Vocabulary): fc.Arbitrary<DateCondition> =>
  fc.oneof(
    fc.record({ type: fc.constant('exact'), term: aDateTerm(vocabulary) }),
    fc
      .tuple(aDateTerm(vocabulary), aDateTerm(vocabulary))
      .map(([some, other]): DateCondition =>
        spelling(some) <= spelling(other)
          ? { type: 'range', gte: some, lte: other }
          : { type: 'range', gte: other, lte: some },
      ),
    fc.record({ type: fc.constant('timePeriod'), days: fc.constantFrom(7, 30, 90, 365) }),
  );

const spelling = (term: DateTerm): string => (term.kind === 'date' ? term.date : term.instant);

const aDateTerm = ({ date }: Vocabulary): fc.Arbitrary<DateTerm> =>
  fc.tuple(date, fc.constantFrom('date', 'second', 'millisecond')).map(([at, precision]): DateTerm => {
    const instant = toInstant(at);
    const day = parseCalendarDate(instant.slice(0, 10));
    if (precision === 'date' && day !== undefined) return { kind: 'date', date: day };
    return precision === 'millisecond'
      ? { kind: 'dateTime', instant, precision }
      : { kind: 'dateTime', instant: toInstant(new Date(at.getTime() - at.getUTCMilliseconds())), precision: 'second' };
  });

/** The members of a map in `data`, each key once; as deep as three. */
function aMap(
  vocabulary: Vocabulary,
  key: fc.Arbitrary<string>,
  levels = 3,
): fc.Arbitrary<{ key: string; input: DataInput }[]> {
  const condition: fc.Arbitrary<DataInput> = aValueCondition(vocabulary);
  const input =
    levels === 1
      ? condition
      : fc.oneof(
          { arbitrary: condition, weight: 3 },
          {
            arbitrary: fc.record({
              type: fc.constant('map'),
              members: aMap(vocabulary, vocabulary.memberKey, levels - 1),
            }),
            weight: 1,
          },
        );
  return fc.uniqueArray(fc.record({ key, input }), { minLength: 1, maxLength: 3, selector: (member) => member.key });
}

const aValueCondition = (vocabulary: Vocabulary): fc.Arbitrary<ValueCondition> =>
  fc.oneof(
    fc.record({ type: fc.constantFrom('fuzzy', 'exact'), term: vocabulary.text }),
    fc.record({ type: fc.constant('anyOf'), terms: texts(vocabulary) }),
    fc.record({ type: fc.constant('range'), gte: vocabulary.text, lte: vocabulary.text }),
    fc.record({ type: fc.constant('within'), location: vocabulary.location }),
  );

const aSortKey = ({ fieldId }: Vocabulary): fc.Arbitrary<SortKey> =>
  fc.record({
    field: fc.oneof(
      fc.record({ on: fc.constant('record'), name: fc.constantFrom(...RECORD_SORT_FIELDS) }),
      // Four underscores without a dot are upstream's spelling of one, and so no field id of their own.
      fc.record({ on: fc.constant('declaration'), fieldId: fieldId.filter((id) => !id.includes('____')) }),
      fc.record({
        on: fc.constant('declaration'),
        fieldId: fc
          .tuple(fieldId, fc.constantFrom('surname', 'firstname', 'country', 'age', 'label', 'name'))
          .map((names) => names.join('.')),
      }),
    ),
    direction: fc.constantFrom('asc', 'desc'),
  });
