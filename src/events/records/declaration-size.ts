import type { DeclarationChange } from '../../kernel/domain/event-action.js';
import { Faults } from '../../kernel/errors/faults.js';
import { isLongerThan } from '../../kernel/input/checks.js';
import { jsonExcess } from '../../kernel/input/json.js';

/** Limit of one declaration, about ten times a country's forms; its derivation blocks for some 25 ms. */
const MOST_VALUES = 2_000;
/** Field ids, keys and texts together, by `lengthOf`. */
const MOST_CHARACTERS = 100_000;
/** In code points: searches accept no longer ones, and every process caches them. */
const MOST_KEY_CODE_POINTS = 256;

export function checkSize(declaration: DeclarationChange, path: string, faults: Faults): void {
  const { values, characters, longKeys } = sizeOf(declaration);
  if (values > MOST_VALUES) faults.add(path, `has more than ${MOST_VALUES} values`);
  if (characters > MOST_CHARACTERS) {
    faults.add(path, `has ${characters} characters of text; at most ${MOST_CHARACTERS} are allowed`);
  }
  if (longKeys > 0) faults.add(path, `has a field id or key of more than ${MOST_KEY_CODE_POINTS} code points`);
}

/** Throws 400. */
export function requireBounded(declaration: DeclarationChange): void {
  const faults = new Faults();
  checkSize(declaration, 'declaration', faults);
  faults.throwIfAny();
}

/**
 * Undefined if none. A larger declaration may keep its size or shrink: `before` is called only if `after` exceeds the
 * limits.
 */
export function excessOfResult(after: DeclarationChange, before: () => DeclarationChange): string | undefined {
  const { values, characters, longKeys } = sizeOf(after);
  if (values <= MOST_VALUES && characters <= MOST_CHARACTERS && longKeys === 0) return undefined;
  const [is, was] = [sizeOf(after, Infinity), sizeOf(before(), Infinity)];
  const exceeds = (measure: keyof Size, most: number): boolean => is[measure] > Math.max(most, was[measure]);
  if (exceeds('values', MOST_VALUES)) return `would have ${is.values} values; at most ${MOST_VALUES} are allowed`;
  if (exceeds('characters', MOST_CHARACTERS)) {
    return `would have ${is.characters} characters of text; at most ${MOST_CHARACTERS} are allowed`;
  }
  return exceeds('longKeys', 0)
    ? `would have a field id or key of more than ${MOST_KEY_CODE_POINTS} code points`
    : undefined;
}

/** Throws 400. */
export function requireBoundedResult(...given: Parameters<typeof excessOfResult>): void {
  const excess = excessOfResult(...given);
  if (excess === undefined) return;
  const faults = new Faults();
  faults.add('declaration', excess);
  faults.throwIfAny();
}

/** An external event with its history: a hundred actions with the size of two declarations. */
const MOST_VALUES_OF_EVENT = 20_000;

/**
 * Before parsing, since a megabyte of brackets takes some hundred milliseconds. Each value has at most one comma and
 * one bracket.
 */
export function checkEventText(text: string, faults: Faults): void {
  const most = 2 * MOST_VALUES_OF_EVENT;
  if (text.length <= most || jsonExcess(text, { levels: Infinity, values: most }) === undefined) return;
  faults.add('', `has more than ${MOST_VALUES_OF_EVENT} values`);
}

/** Minimum per JSON value, with its separator. */
const LEAST_CHARACTERS = 2;

/**
 * Counts values at all levels, up to the limit. `characters` is the JSON length, if known: most events are too short to
 * need counting.
 */
export function checkEventSize(event: unknown, faults: Faults, characters = Infinity): void {
  if (characters <= LEAST_CHARACTERS * MOST_VALUES_OF_EVENT) return;
  let values = 0;
  const left: unknown[] = [event];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const members = value as Readonly<Record<string, unknown>>;
    for (const key in members) {
      values += 1;
      if (values > MOST_VALUES_OF_EVENT) {
        faults.add('', `has more than ${MOST_VALUES_OF_EVENT} values`);
        return;
      }
      left.push(members[key]);
    }
  }
}

interface Size {
  readonly values: number;
  readonly characters: number;
  readonly longKeys: number;
}

/** Counts members at every level and the length of texts; stops at the limit, which a body may exceed thirtyfold. */
function sizeOf(declaration: DeclarationChange, mostValues = MOST_VALUES): Size {
  let [values, characters, longKeys] = [0, 0, 0];
  const left: unknown[] = [declaration];
  for (let value = left.pop(); value !== undefined && values <= mostValues; value = left.pop()) {
    if (typeof value === 'string') characters += lengthOf(value);
    if (typeof value !== 'object' || value === null) continue;
    const members = value as Readonly<Record<string, unknown>>;
    for (const key in members) {
      values += 1;
      if (values > mostValues) break;
      if (!Array.isArray(value)) {
        characters += lengthOf(key);
        if (isLongerThan(key, MOST_KEY_CODE_POINTS)) longKeys += 1;
      }
      left.push(members[key]);
    }
  }
  return { values, characters, longKeys };
}

/** Phrase ligatures, with their additional letters; all others expand to a few. */
const PHRASES = [
  ['\ufdfa', 17],
  ['\ufdfb', 7],
] as const;

/** Length with phrase ligatures expanded, as for searches. */
const lengthOf = (text: string): number =>
  PHRASES.reduce((length, [ligature, more]) => length + more * timesIn(text, ligature), text.length);

function timesIn(text: string, character: string): number {
  let times = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) times += 1;
  return times;
}
