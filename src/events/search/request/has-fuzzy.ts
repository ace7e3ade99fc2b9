import type { Clause, Condition, DataInput } from '../../../kernel/domain/search-request.js';

export const hasFuzzy = (clause: Clause): boolean =>
  clause.kind === 'expression' ? clause.conditions.some(isFuzzyCondition) : clause.clauses.some(hasFuzzy);

export function isFuzzyCondition(condition: Condition): boolean {
  if (condition.on === 'data') return condition.members.some(({ input }) => isFuzzyInput(input));
  return condition.on === 'anyField' && isFuzzyInput(condition.condition);
}

export const isFuzzyInput = (input: DataInput): boolean =>
  input.type === 'map' ? input.members.some((member) => isFuzzyInput(member.input)) : input.type === 'fuzzy';
