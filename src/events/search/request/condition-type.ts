import type { Input } from '../../../kernel/input/input.js';
import { quoted } from '../../../kernel/errors/faults.js';

const KEYS = {
  exact: ['term'],
  anyOf: ['terms'],
  fuzzy: ['term'],
  range: ['gte', 'lte'],
  within: ['location'],
  timePeriod: ['term'],
} as const;

type ConditionType = keyof typeof KEYS;

/** Null if none is `allowed`. Keys of other conditions are refused. */
export function conditionType<const T extends ConditionType>(input: Input, allowed: readonly T[]): T | null {
  if (!input.isObject) {
    return input.refuse(`must be an object whose \`type\` is ${allowed.length > 1 ? 'one of ' : ''}${quoted(allowed)}`);
  }
  const type = input.member('type').oneOf(allowed);
  if (type !== null) input.refuseKeysBut(['type', ...KEYS[type]]);
  // Detects a misspelt `type`.
  else if (!input.has('type')) input.refuseKeysBut(['type', ...new Set(allowed.flatMap((name) => [...KEYS[name]]))]);
  return type;
}
