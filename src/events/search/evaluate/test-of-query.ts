import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type {
  Clause,
  Condition,
  DateCondition,
  InstantField,
  TextField,
} from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { intervalOfCondition } from '../predicate/instants.js';
import { isOnSecured } from '../request/guard.js';
import { type CandidateTest, everyOf, someOf, type TestContext } from './candidate.js';
import { testOfFlags } from './test-of-flags.js';
import { testOfMember, testOfValue } from './test-of-value.js';

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
export function testOfText(field: TextField, terms: readonly string[]): CandidateTest {
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
