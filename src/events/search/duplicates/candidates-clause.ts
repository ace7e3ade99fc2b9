import { cutsOf, runsIn } from '../../index/values/joined-words.js';
import { DAY_MS } from '../../../kernel/domain/calendar.js';
import type { DuplicateRule } from '../../../kernel/domain/event-configuration/event-type.js';
import type { Declaration } from '../../../kernel/domain/declaration.js';
import type { Clause, ValueCondition } from '../../../kernel/domain/search-request.js';
import { absurd } from '../../../kernel/errors/service-error.js';
import { comparedDate, comparedText } from './compared-value.js';

/** Near each word of a name, or near one: only the latter finds all matches (E-9). */
export type WordsNear = 'each' | 'any';

/** Every duplicate meets it; `void` where the rule is void (`isDuplicate`), `any` where nothing narrows the search. */
export function candidatesClause(
  rule: DuplicateRule,
  mine: Declaration,
  near: WordsNear = 'any',
): Clause | 'void' | 'any' {
  switch (rule.type) {
    case 'and': {
      const parts = rule.clauses.map((clause) => candidatesClause(clause, mine, near));
      if (parts.includes('void')) return 'void';
      const clauses = parts.filter(isClause);
      return clauses.length === 0 ? 'any' : { kind: 'and', clauses };
    }
    case 'or': {
      const parts = rule.clauses
        .map((clause) => candidatesClause(clause, mine, near))
        .filter((part) => part !== 'void');
      if (parts.length === 0) return 'void';
      return parts.includes('any') ? 'any' : { kind: 'or', clauses: parts.filter(isClause) };
    }
    case 'not':
      return candidatesClause(rule.clause, mine, near) === 'void' ? 'void' : 'any';
    case 'fuzzy': {
      const term = comparedText(mine, rule.field);
      return term === undefined ? 'void' : nearClause(rule.with ?? rule.field, term, near);
    }
    case 'strict': {
      const term = comparedText(mine, rule.field);
      return term === undefined ? 'void' : onField(rule.with ?? rule.field, { type: 'exact', term });
    }
    case 'dateRange': {
      const date = comparedDate(mine, rule.field);
      if (date === undefined) return 'void';
      const [gte, lte] = [dayFrom(date, -rule.days), dayFrom(date, rule.days)];
      return onField(rule.with ?? rule.field, { type: 'range', gte, lte });
    }
    default:
      return absurd(rule);
  }
}

const isClause = (part: Clause | 'void' | 'any'): part is Clause => typeof part === 'object';

function nearClause(key: string, term: string, near: WordsNear): Clause {
  const runs = runsIn(cutsOf(term));
  if (near === 'each' || runs.length < 2) return onField(key, { type: 'fuzzy', term });
  return { kind: 'or', clauses: runs.map((run) => onField(key, { type: 'fuzzy', term: run })) };
}

const onField = (key: string, input: ValueCondition): Clause => ({
  kind: 'expression',
  conditions: [{ on: 'data', members: [{ key, input }] }],
});

/** Clamped to the years that dates can have. */
function dayFrom(date: string, days: number): string {
  const day = new Date(Date.parse(date) + days * DAY_MS);
  if (Number.isNaN(day.getTime())) return days < 0 ? '0001-01-01' : '9999-12-31';
  if (day.getUTCFullYear() < 1) return '0001-01-01';
  return day.getUTCFullYear() > 9999 ? '9999-12-31' : day.toISOString().slice(0, 10);
}
