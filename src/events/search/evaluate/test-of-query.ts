import { isBy, type LegalStatus, type Somebody } from '../../../kernel/domain/event-record.js';
import type { RecordOptions, RowFilter } from '../../../kernel/domain/scopes/caller.js';
import type { PlaceOption } from '../../../kernel/domain/scopes/scope.js';
import type {
  Clause,
  Condition,
  DateCondition,
  InstantField,
  TextField,
} from '../../../kernel/domain/search-request.js';
import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { type FlagsWanted, intervalOfCondition, isUnreachable, placesOf } from '../predicate/row-filter.js';
import { isOnSecured } from '../request/refuse-secured.js';
import {
  type Candidate,
  type CandidateTest,
  everyOf,
  someOf,
  type TestContext,
  testOfMember,
  testOfValue,
} from './test-of-value.js';

/** An empty `anyOf` matches nothing (S-6). */
function testOfFlags({ anyOf: some, noneOf: none = [], allOf: every = [] }: FlagsWanted): CandidateTest {
  const [wanted, unwanted] = [some && new Set(some), new Set(none)];
  return ({ record }) => {
    const flags: readonly string[] = record.flags;
    return (
      (wanted === undefined || flags.some((flag) => wanted.has(flag))) &&
      !flags.some((flag) => unwanted.has(flag)) &&
      every.every((flag) => flags.includes(flag))
    );
  };
}

/** `predicateOfQuery` without SQL (S-1, S-6). */
export function testOfQuery(clause: Clause, context: TestContext): CandidateTest {
  if (clause.kind === 'expression') {
    return everyOf(clause.conditions.map((condition) => testOfCondition(condition, context)));
  }
  const tests = clause.clauses.map((inner) => testOfQuery(inner, context));
  return clause.kind === 'and' ? everyOf(tests) : someOf(tests);
}

/** On a secured field, only for records that the caller may read (E-10). */
function testOfCondition(condition: Condition, context: TestContext): CandidateTest {
  const holds = testOfUnguarded(condition, context);
  const { guarded } = context;
  return guarded !== undefined && isOnSecured(condition, guarded.guard) ? everyOf([guarded.isRead, holds]) : holds;
}

function testOfUnguarded(condition: Condition, context: TestContext): CandidateTest {
  switch (condition.on) {
    case 'text':
      return testOfText(condition.field, condition.terms);
    case 'instant':
      return testOfInstant(condition.field, condition.condition, context);
    case 'location':
      return testOfLocation(condition, context);
    case 'flags':
      return testOfFlags(condition);
    case 'data': {
      const members = condition.members.map((member) => testOfMember(member, context));
      return ({ facts }) => members.every((isMet) => isMet(facts));
    }
    case 'anyField': {
      const isMet = testOfValue(condition.condition, context);
      return ({ facts }) => Object.values(facts).some((alternatives) => alternatives.some(isMet));
    }
    default:
      return absurd(condition);
  }
}

/** Compared whole and case-sensitively (S-7). */
function testOfText(field: TextField, terms: readonly string[]): CandidateTest {
  const { read } = SEARCHED_FIELDS[field];
  const wanted = new Set(terms);
  return ({ record }) => {
    const text = read(record);
    return text !== null && wanted.has(text);
  };
}

/** S-8; a period ends at the time of the transaction. */
function testOfInstant(field: InstantField, condition: DateCondition, { timezone }: TestContext): CandidateTest {
  const { read } = SEARCHED_FIELDS[field];
  const fixed = condition.type === 'timePeriod' ? undefined : intervalOfCondition(condition, { nowMs: 0, timezone });
  return ({ record, nowMs }) => {
    const instant = read(record);
    if (instant === null) return false;
    const { fromMs, beforeMs } = fixed ?? intervalOfCondition(condition, { nowMs, timezone });
    const atMs = Date.parse(instant);
    return fromMs <= atMs && atMs < beforeMs;
  };
}

/** `within` is the location or anything below it; an unknown one matches nothing (S-9). */
function testOfLocation(
  { field, match, location }: Condition & { readonly on: 'location' },
  { isWithin }: TestContext,
): CandidateTest {
  const { read } = SEARCHED_FIELDS[field];
  return ({ record }) => {
    const place = read(record);
    return place !== null && (match === 'within' || place === location) && isWithin(place, location);
  };
}

/** `predicateOfRowFilter` without SQL. */
export const testOfRowFilter = (rowFilter: RowFilter): CandidateTest =>
  rowFilter === 'everything' ? () => true : someOf(rowFilter.map(testOfOptions));

function testOfOptions(options: RecordOptions): CandidateTest {
  const tests: CandidateTest[] = [];
  const { id } = options;
  if (id !== undefined) tests.push(({ record }) => record.id === id);
  if (options.event !== undefined) tests.push(testOfText('eventType', options.event));
  if (options.status !== undefined) tests.push(testOfText('status', options.status));
  if (options.flags !== undefined) tests.push(testOfFlags(options.flags));
  if (isUnreachable(options)) tests.push(() => false);
  for (const [option, ids] of placesOf(options)) {
    tests.push((candidate) => {
      const place = PLACES[option](candidate);
      // For one record, a set of thousands of places would cost more.
      return place !== null && place !== undefined && ids.includes(place);
    });
  }
  const { declaredBy, registeredBy, notifiedBy } = options;
  if (declaredBy !== undefined) tests.push(({ record }) => isOf(record.legalStatuses.DECLARED, declaredBy));
  if (registeredBy !== undefined) tests.push(({ record }) => isOf(record.legalStatuses.REGISTERED, registeredBy));
  if (notifiedBy !== undefined) tests.push((candidate) => candidate.notifiedBy === notifiedBy.subject);
  return everyOf(tests);
}

const isOf = (status: LegalStatus | null, author: Somebody): boolean => status !== null && isBy(status, author);

const PLACES: Readonly<Record<PlaceOption, (candidate: Candidate) => Uuid | null | undefined>> = {
  placeOfEvent: ({ record }) => record.placeOfEvent,
  declaredIn: ({ record }) => record.legalStatuses.DECLARED?.createdAtLocation,
  registeredIn: ({ record }) => record.legalStatuses.REGISTERED?.createdAtLocation,
  notifiedIn: ({ notifiedIn }) => notifiedIn,
};
