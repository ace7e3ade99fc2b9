import { DAY_MS } from '../../domain/calendar.js';
import type { DuplicateRule } from '../../domain/event-configuration/event-type.js';
import type { Declaration } from '../../domain/record/declaration.js';
import type { Clause, ValueCondition } from '../../domain/search-request.js';
import { absurd } from '../../errors/absurd.js';
import { comparedDate, comparedText } from './compared-value.js';

/**
 * A clause that every record meets which the rule takes for the same event, and few others; `void` where the rule is
 * void (`isDuplicate`), and `any` where nothing narrows the search.
 */
export function candidatesClause(rule: DuplicateRule, mine: Declaration): Clause | 'void' | 'any' {
  switch (rule.type) {
    case 'and': {
      const parts = rule.clauses.map((clause) => candidatesClause(clause, mine));
      if (parts.includes('void')) return 'void';
      const clauses = parts.filter(isClause);
      return clauses.length === 0 ? 'any' : { kind: 'and', clauses };
    }
    case 'or': {
      const parts = rule.clauses.map((clause) => candidatesClause(clause, mine)).filter((part) => part !== 'void');
      if (parts.length === 0) return 'void';
      return parts.includes('any') ? 'any' : { kind: 'or', clauses: parts.filter(isClause) };
    }
    case 'not':
      return candidatesClause(rule.clause, mine) === 'void' ? 'void' : 'any';
    case 'fuzzy': {
      const term = comparedText(mine, rule.field);
      return term === undefined ? 'void' : onField(rule.with ?? rule.field, { type: 'fuzzy', term });
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

const onField = (key: string, input: ValueCondition): Clause => ({
  kind: 'expression',
  conditions: [{ on: 'data', members: [{ key, input }] }],
});

/** The date so many days later, within the years that dates can have. */
function dayFrom(date: string, days: number): string {
  const day = new Date(Date.parse(date) + days * DAY_MS);
  if (Number.isNaN(day.getTime())) return days < 0 ? '0001-01-01' : '9999-12-31';
  if (day.getUTCFullYear() < 1) return '0001-01-01';
  return day.getUTCFullYear() > 9999 ? '9999-12-31' : day.toISOString().slice(0, 10);
}
