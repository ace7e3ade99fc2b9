import { DAY_MS } from '../../../kernel/domain/calendar.js';
import type { DuplicateRule } from '../../../kernel/domain/event-configuration/event-type.js';
import type { Declaration } from '../../../kernel/domain/declaration.js';
import { absurd } from '../../../kernel/errors/absurd.js';
import type { TestContext } from '../evaluate/candidate.js';
import { nearEitherWay } from '../evaluate/near-word.js';
import { testOfValue } from '../evaluate/test-of-value.js';
import { comparedDate, comparedText, factsToCompare, wordsOfName } from './compared-value.js';

const CONTEXT: TestContext = { timezone: 'UTC', isWithin: () => false };

/**
 * E-9. A clause is void if the field of `mine` has no comparable value: an AND is then void, and an OR ignores it. A
 * void rule matches nothing.
 */
export const isDuplicate = (rule: DuplicateRule, mine: Declaration, other: Declaration): boolean =>
  evaluate(rule, mine, other) === true;

/** Undefined: void. */
function evaluate(rule: DuplicateRule, mine: Declaration, other: Declaration): boolean | undefined {
  switch (rule.type) {
    case 'and': {
      const parts = rule.clauses.map((clause) => evaluate(clause, mine, other));
      return parts.includes(undefined) ? undefined : parts.every((part) => part === true);
    }
    case 'or': {
      const parts = rule.clauses.map((clause) => evaluate(clause, mine, other)).filter((part) => part !== undefined);
      return parts.length === 0 ? undefined : parts.includes(true);
    }
    case 'not': {
      const part = evaluate(rule.clause, mine, other);
      return part === undefined ? undefined : !part;
    }
    case 'fuzzy':
      return isNear(comparedText(mine, rule.field), other, rule.with ?? rule.field);
    case 'strict':
      return isSame(mine, rule.field, other, rule.with ?? rule.field);
    case 'dateRange':
      return isWithinDays(comparedDate(mine, rule.field), comparedDate(other, rule.with ?? rule.field), rule.days);
    default:
      return absurd(rule);
  }
}

function isNear(text: string | undefined, other: Declaration, field: string): boolean | undefined {
  if (text === undefined) return undefined;
  const areNear = nearEitherWay(text);
  return factsToCompare(other, field).some(areNear);
}

/** Names by the same words; other values as by an exact condition (S-10). */
function isSame(mine: Declaration, field: string, other: Declaration, otherField: string): boolean | undefined {
  const term = comparedText(mine, field);
  if (term === undefined) return undefined;
  const facts = factsToCompare(other, otherField);
  const words = wordsOfName(mine, field);
  if (words !== undefined) return facts.some(({ w }) => w !== undefined && haveSameWords(words, w));
  const isExact = testOfValue({ type: 'exact', term }, CONTEXT);
  return facts.some((fact) => fact.w === undefined && isExact(fact));
}

const haveSameWords = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((word) => others.includes(word)) && others.every((word) => some.includes(word));

function isWithinDays(mine: string | undefined, other: string | undefined, days: number): boolean | undefined {
  if (mine === undefined) return undefined;
  return other !== undefined && Math.abs(Date.parse(mine) - Date.parse(other)) <= days * DAY_MS;
}
