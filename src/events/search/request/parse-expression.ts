import { SEARCHED_FIELDS } from '../../../kernel/domain/searched-fields.js';
import type { Condition, Expression } from '../../../kernel/domain/search-request.js';
import type { Input } from '../../../kernel/input/input.js';
import { unknownKey } from '../../../kernel/input/unknown-key.js';
import { EXPRESSION_KEYS, type ExpressionKey } from './expression-keys.js';
import { dataCondition } from './parse-data-condition.js';
import { instantCondition } from './parse-date-condition.js';
import { flagsCondition } from './parse-flags-condition.js';
import { locationCondition } from './parse-location-condition.js';
import { textCondition } from './parse-text-condition.js';

/** The keys themselves contain dots. */
function conditionParser(key: ExpressionKey): (input: Input) => Condition | null {
  if (key === 'flags') return flagsCondition;
  if (key === 'data') return dataCondition;
  const field = SEARCHED_FIELDS[key];
  switch (field.on) {
    case 'text':
      return textCondition(field.condition);
    case 'instant':
      return instantCondition(field.condition);
    case 'location':
      return locationCondition(field.condition);
  }
}

const PARSERS = new Map<string, (input: Input) => Condition | null>(
  EXPRESSION_KEYS.map((key) => [key, conditionParser(key)]),
);

export const isExpressionKey = (key: string): boolean => PARSERS.has(key);

const BELONGS_IN_DATA = 'unknown key; a field of the declaration belongs in `data`';

/** Field ids contain dots; so do keys of legal statuses, which may be misspelt. */
const isLikeFieldId = (key: string): boolean => key.includes('.') && !/^legal/i.test(key);

/** All conditions must hold (S-6); at least one is required (S-3). */
export function parseExpression(input: Input): Expression | null {
  const { keys } = input;
  if (keys.length === 0) {
    return input.refuse('must name at least one condition, such as `eventType`, or hold `clauses`');
  }
  input.refuseKeysBut(EXPRESSION_KEYS, (key) => {
    if (key === 'type') return 'is a key of a nested query, which also has `clauses`';
    return isLikeFieldId(key) ? BELONGS_IN_DATA : unknownKey(key, [...EXPRESSION_KEYS, 'clauses']);
  });
  const conditions = keys
    .map((key) => PARSERS.get(key)?.(input.member(key)) ?? null)
    .filter((condition) => condition !== null);
  return { kind: 'expression', conditions };
}
