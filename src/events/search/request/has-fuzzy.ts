import type { Clause, Condition, DataInput } from '../../../kernel/domain/search-request.js';

/** Whether it contains a fuzzy condition. */
export const hasFuzzy = (clause: Clause): boolean =>
  clause.kind === 'expression' ? clause.conditions.some(isFuzzyCondition) : clause.clauses.some(hasFuzzy);

/** Whether it is fuzzy, or contains a fuzzy condition. */
export function isFuzzyCondition(condition: Condition): boolean {
  if (condition.on === 'data') return condition.members.some(({ input }) => isFuzzyInput(input));
  return condition.on === 'anyField' && isFuzzyInput(condition.condition);
}

/** The same for the condition on one field. */
export const isFuzzyInput = (input: DataInput): boolean =>
  input.type === 'map' ? input.members.some((member) => isFuzzyInput(member.input)) : input.type === 'fuzzy';
