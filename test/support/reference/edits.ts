import type { DeclarationValue, EventRecord } from '../../../src/kernel/domain/event-record.js';
import type { Clause, Condition, DataInput } from '../../../src/kernel/domain/search-request.js';
import { type ReferenceContext, satisfies } from './matches.js';
import { type Below, fuzzyEdits, isName, own, valueSatisfies } from './value-satisfies.js';

/** The fewest edits by which a record satisfies a query (S-12); Infinity when it does not. */
export function editsOf(record: EventRecord, clause: Clause, context: ReferenceContext): number {
  switch (clause.kind) {
    case 'and':
      return sum(clause.clauses.map((inner) => editsOf(record, inner, context)));
    case 'or':
      return Math.min(...clause.clauses.map((inner) => editsOf(record, inner, context)));
    case 'expression':
      return sum(clause.conditions.map((condition) => editsOfCondition(record, condition, context)));
  }
}

function editsOfCondition(record: EventRecord, condition: Condition, context: ReferenceContext): number {
  const alone = { kind: 'expression', conditions: [condition] } as const;
  if (!satisfies(record, alone, context)) return Infinity;
  if (condition.on === 'data') {
    return editsOfValue(record.declaration, { type: 'map', members: condition.members }, context.below);
  }
  if (condition.on !== 'anyField') return 0;
  const values = Object.values(record.declaration);
  return Math.min(...values.map((value) => editsOfValue(value, condition.condition, context.below)));
}

/** Each member of a list is tried, and the fewest edits count. */
function editsOfValue(
  value: DeclarationValue | undefined,
  input: DataInput,
  below: Below,
  isPartOfName = false,
): number {
  if (value === undefined) return Infinity;
  if (Array.isArray(value)) {
    return Math.min(...value.map((member: DeclarationValue) => editsOfValue(member, input, below)));
  }
  if (input.type === 'fuzzy') return fuzzyEdits(value, input.term, isPartOfName) ?? Infinity;
  if (!valueSatisfies(value, input, below)) return Infinity;
  if (input.type !== 'map' || typeof value !== 'object') return 0;
  return sum(input.members.map((member) => editsOfValue(own(value, member.key), member.input, below, isName(value))));
}

const sum = (edits: readonly number[]): number => edits.reduce((total, part) => total + part, 0);
