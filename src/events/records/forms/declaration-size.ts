import type { DeclarationChange } from '../../../kernel/domain/event-action.js';
import { Faults } from '../../../kernel/errors/faults.js';
import { isLongerThan } from '../../../kernel/input/is-longer-than.js';
import { jsonExcess } from '../../../kernel/input/json-excess.js';

/**
 * What one declaration may hold, wherever it comes from: some ten times what the forms of a country have.
 * Everything in it is derived for searches in one piece, which takes some 25 ms at these bounds.
 */
const MOST_VALUES = 2_000;
/** Of field ids, keys and texts together, by `lengthOf`. */
const MOST_CHARACTERS = 100_000;
/** Of a field id or a key, in code points: searches name no longer ones, and every process keeps all of them. */
const MOST_KEY_CODE_POINTS = 256;

/** Adds a fault if there is more in the declaration than operations may write. */
export function checkSize(declaration: DeclarationChange, path: string, faults: Faults): void {
  const { values, characters, longKeys } = sizeOf(declaration);
  if (values > MOST_VALUES) faults.add(path, `has more than ${MOST_VALUES} values`);
  if (characters > MOST_CHARACTERS) {
    faults.add(path, `has ${characters} characters of text; at most ${MOST_CHARACTERS} are allowed`);
  }
  if (longKeys > 0) faults.add(path, `has a field id or key of more than ${MOST_KEY_CODE_POINTS} code points`);
}

/** Throws 400 if there is more in the declaration of a record than may be derived for searches. */
export function requireBounded(declaration: DeclarationChange): void {
  const faults = new Faults();
  checkSize(declaration, 'declaration', faults);
  faults.throwIfAny();
}

/**
 * What a declaration would have too much of after a change; undefined if nothing. One that was larger than the bounds
 * before may stay as large, or shrink: `before` is called only where `after` exceeds them.
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

/** Throws 400 if the declaration of a record would have too much of something. */
export function requireBoundedResult(...given: Parameters<typeof excessOfResult>): void {
  const excess = excessOfResult(...given);
  if (excess === undefined) return;
  const faults = new Faults();
  faults.add('declaration', excess);
  faults.throwIfAny();
}

/** Of what comes from outside, an event with its history: of a hundred actions as many as two declarations have. */
const MOST_VALUES_OF_EVENT = 20_000;

/**
 * Adds the same fault for a JSON text that has far more, told before it is parsed: a megabyte of brackets takes some
 * hundred milliseconds. Each value has at most a comma and a bracket.
 */
export function checkEventText(text: string, faults: Faults): void {
  const most = 2 * MOST_VALUES_OF_EVENT;
  if (text.length <= most || jsonExcess(text, { levels: Infinity, values: most }) === undefined) return;
  faults.add('', `has more than ${MOST_VALUES_OF_EVENT} values`);
}

/** Of each value in a JSON text: itself and what follows it. */
const LEAST_CHARACTERS = 2;

/**
 * Adds a fault if there are more values, at all levels, in an event from outside; stops to count there. `characters` are
 * those of its JSON text, if they are known: most events are too short for so many values, and need not be counted.
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

/**
 * Counts members of objects and of lists at every level, and the length of all their keys and texts; stops where there
 * are too many values, of which a body may bring thirty times as many.
 */
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

/** Ligatures of whole phrases, with their letters beyond the first. All others stand for a few. */
const PHRASES = [
  ['\ufdfa', 17],
  ['\ufdfb', 7],
] as const;

/** The length of a text with the phrases written out, as they are when it is derived for searches. */
const lengthOf = (text: string): number =>
  PHRASES.reduce((length, [ligature, more]) => length + more * timesIn(text, ligature), text.length);

function timesIn(text: string, character: string): number {
  let times = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) times += 1;
  return times;
}
