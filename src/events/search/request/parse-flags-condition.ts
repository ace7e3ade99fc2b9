import type { Condition } from '../../../kernel/domain/search-request.js';
import type { Input } from '../../../kernel/input/input.js';
import { quoted } from '../../../kernel/errors/quoted.js';
import { MAX_TERMS } from './bounds.js';

const LISTS = ['anyOf', 'noneOf', 'allOf'] as const;

/** An empty `anyOf` matches nothing; an empty `noneOf` or `allOf` sets no condition (S-6). */
export function flagsCondition(input: Input): Condition | null {
  if (!input.isObject) return input.refuse(`must be an object of lists of flags: ${quoted(LISTS)}`);
  input.refuseKeysBut(LISTS);
  const [anyOf, noneOf, allOf] = [readFlags(input, 'anyOf'), readFlags(input, 'noneOf'), readFlags(input, 'allOf')];
  return { on: 'flags', ...(anyOf !== null && { anyOf }), noneOf: noneOf ?? [], allOf: allOf ?? [] };
}

const readFlags = (input: Input, name: (typeof LISTS)[number]): readonly string[] | null =>
  input.has(name) ? input.member(name).listOf('flags', MAX_TERMS, (item) => item.text()) : null;
