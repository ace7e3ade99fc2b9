import type { Clause, Condition, DataInput } from '../../domain/search-request.js';

/** Whether a fuzzy condition is anywhere in it. */
export const hasFuzzy = (clause: Clause): boolean =>
  clause.kind === 'expression' ? clause.conditions.some(isFuzzyCondition) : clause.clauses.some(hasFuzzy);

/** Whether it is fuzzy, or has a fuzzy condition in it. */
export function isFuzzyCondition(condition: Condition): boolean {
  if (condition.on === 'data') return condition.members.some(({ input }) => isFuzzyInput(input));
  return condition.on === 'anyField' && isFuzzyInput(condition.condition);
}

/** The same of what is asked of one field. */
export const isFuzzyInput = (input: DataInput): boolean =>
  input.type === 'map' ? input.members.some((member) => isFuzzyInput(member.input)) : input.type === 'fuzzy';
